// The memory page without reloads: pin, forget and bring back in place. Without scripts the same forms work.

import { post, text } from "./dom.js";
import { toast } from "./toast.js";

document.addEventListener("submit", async (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  const action = form.dataset.action;
  if (!action) return;
  event.preventDefault();
  const fields = /** @type {Record<string, string>} */ (Object.fromEntries(new FormData(form)));
  try {
    const answer = await post(form.action, fields);
    if (action === "forget") forgotten(form, answer.message);
    else await refresh(form, answer.message);
  } catch (error) {
    toast(error instanceof TypeError ? text("action_failed") : /** @type {Error} */ (error).message);
  }
});

/** @param {HTMLFormElement} form @param {string} message */
function forgotten(form, message) {
  const item = /** @type {HTMLElement} */ (form.closest("[data-memory]"));
  const next = /** @type {HTMLElement | null} */ (item.nextElementSibling ?? item.previousElementSibling);
  const url = `/memories/${item.dataset.memory}/restore/`;
  item.hidden = true;
  (next?.querySelector("button, summary, a") ?? document.getElementById("main"))?.focus();
  toast(message, {
    label: text("undo"),
    run: async () => {
      try {
        toast((await post(url)).message);
        item.hidden = false;
        item.querySelector("button")?.focus();
      } catch (error) {
        toast(/** @type {Error} */ (error).message);
      }
    },
  });
}

/** @param {HTMLFormElement} form @param {string} message show the list as it is now, and keep the focus where it was */
async function refresh(form, message) {
  const id = /** @type {HTMLElement} */ (form.closest("[data-memory]")).dataset.memory ?? "";
  const response = await fetch(location.href);
  if (!response.ok) throw new Error(text("action_failed"));
  const fresh = new DOMParser().parseFromString(await response.text(), "text/html").getElementById("main");
  if (!fresh) return;
  document.getElementById("main")?.replaceWith(document.adoptNode(fresh));
  const item = document.querySelector(`[data-memory="${CSS.escape(id)}"]`);
  /** @type {HTMLElement | null} */ (item?.querySelector("button, summary, a"))?.focus();
  toast(message);
}

