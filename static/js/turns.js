// What can be clicked in a conversation: citations, trying again, samples, earlier messages, the memories' buttons.

import { setUpActions } from "./actions.js";
import { element } from "./dom.js";

/**
 * @typedef {object} Options
 * @property {import("./scroller.js").Scroller} scroller
 * @property {import("./composer.js").Composer} composer
 * @property {(turn: string) => void} onRetry
 */

/** @param {HTMLElement} list @param {Options} options */
export function setUpTurns(list, { scroller, composer, onRetry }) {
  setUpActions(list);
  list.addEventListener(
    "toggle",
    (event) => {
      const opened = /** @type {HTMLDetailsElement} */ (event.target);
      if (opened.open) opened.scrollIntoView({ block: "nearest" });
    },
    true, // Does not bubble.
  );
  list.addEventListener("click", async (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    const retry = /** @type {HTMLElement | null} */ (target.closest("[data-retry]"));
    const cite = /** @type {HTMLAnchorElement | null} */ (target.closest(".cite"));
    const sample = target.closest("[data-sample]");
    const earlier = /** @type {HTMLAnchorElement | null} */ (target.closest("[data-earlier] a"));
    if (retry) onRetry(/** @type {HTMLElement} */ (retry.closest("[data-turn]")).dataset.turn ?? "");
    if (cite) openCitation(event, cite);
    if (sample) {
      composer.write(sample.textContent?.trim() ?? "");
      composer.field.focus();
    }
    if (earlier) {
      event.preventDefault();
      await showEarlier(earlier, scroller);
    }
  });
}

/** @param {Event} event @param {HTMLAnchorElement} cite */
function openCitation(event, cite) {
  const item = document.getElementById((cite.getAttribute("href") ?? "").slice(1));
  if (!item) return;
  event.preventDefault();
  const used = /** @type {HTMLDetailsElement | null} */ (item.closest("[data-used]"));
  if (used) used.open = true;
  item.scrollIntoView({ block: "nearest" });
  item.focus();
}

/** @param {HTMLAnchorElement} link @param {import("./scroller.js").Scroller} scroller */
async function showEarlier(link, scroller) {
  const response = await fetch(link.dataset.url ?? "").catch(() => null);
  if (!response?.ok) {
    location.assign(link.href);
    return;
  }
  const page = element(`<div>${await response.text()}</div>`);
  scroller.keepPlace(() => link.closest("[data-earlier]")?.replaceWith(...page.childNodes));
}
