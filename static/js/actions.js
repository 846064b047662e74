// Pin, forget and bring back a memory, wherever it stands on the page.

import { post, text } from "./dom.js";
import { toast } from "./toast.js";

/** @param {string} id @returns {NodeListOf<HTMLElement>} */
const places = (id) => document.querySelectorAll(`[data-memory="${CSS.escape(id)}"]`);

/** @param {ParentNode & EventTarget} root listen for the buttons below it */
export function setUpActions(root) {
  root.addEventListener("click", (event) => {
    const link = /** @type {HTMLElement | null} */ (/** @type {HTMLElement} */ (event.target).closest("[data-undo]"));
    if (link) {
      // Without this script the link leads to a page that asks.
      event.preventDefault();
      takeBack(link);
      return;
    }
    const button = /** @type {HTMLElement} */ (event.target).closest("[data-pin], [data-forget]");
    const memory = /** @type {HTMLElement | null} */ (button?.closest("[data-memory]"));
    if (!button || !memory?.dataset.memory) return;
    if (button.hasAttribute("data-forget")) forget(memory.dataset.memory);
    else pin(memory.dataset.memory, button.getAttribute("aria-pressed") !== "true");
  });
}

/** @param {string} id @param {boolean} pinned */
async function pin(id, pinned) {
  await attempt(async () => {
    await post(`/memories/${id}/pin/`, { pinned: pinned ? "1" : "0" });
    show(id, pinned ? "pinned" : "unpinned");
    toast(text(pinned ? "pinned" : "unpinned"));
  });
}

/** @param {string} id */
async function forget(id) {
  await attempt(async () => {
    await post(`/memories/${id}/forget/`);
    show(id, "forgotten");
    toast(text("forgotten"), { label: text("undo"), run: () => bringBack(id) });
  });
}

/** @param {string} id */
async function bringBack(id) {
  await attempt(async () => {
    await post(`/memories/${id}/restore/`);
    show(id, "restored");
    toast(text("restored"));
  });
}

/** @param {HTMLElement} link a replacement that is to be undone: the old memory holds again */
async function takeBack(link) {
  await attempt(async () => {
    const answer = await post(`/memories/${link.dataset.undo}/undo/`);
    const item = /** @type {HTMLElement | null} */ (link.closest("li"));
    const chip = item?.querySelector(".chip");
    if (chip) chip.textContent = text("undone");
    item?.querySelectorAll("del").forEach((old) => old.replaceWith(...old.childNodes));
    item?.querySelector(".text")?.classList.add("undone");
    /** @type {HTMLElement | null} */ (item?.querySelector("a:not([data-undo])"))?.focus();
    link.remove();
    toast(answer.message);
  });
}

/** @param {() => Promise<void>} action */
async function attempt(action) {
  try {
    await action();
  } catch (error) {
    toast(error instanceof TypeError ? text("action_failed") : /** @type {Error} */ (error).message);
  }
}

/** @param {string} id @param {string} change bring every place that shows the memory up to date */
export function show(id, change) {
  for (const place of places(id)) {
    const pressed = place.querySelector("[data-pin]");
    if (change === "pinned" || change === "unpinned") pressed?.setAttribute("aria-pressed", String(change === "pinned"));
    const said = /** @type {HTMLElement | null} */ (place.querySelector(".text"));
    const actions = /** @type {HTMLElement | null} */ (place.querySelector(".actions"));
    if (!said) continue;
    if (change === "forgotten" && !place.classList.contains("gone")) {
      place.dataset.words = said.textContent ?? "";
      said.textContent = text("forgotten");
      place.classList.add("gone");
      if (actions) actions.hidden = true;
    } else if (change === "restored" && place.dataset.words) {
      said.textContent = place.dataset.words;
      delete place.dataset.words;
      place.classList.remove("gone");
      if (actions) actions.hidden = false;
    }
  }
}
