// Short messages at the bottom of the page, with an action where something can be undone.

import { make } from "./dom.js";

/**
 * @param {string} message
 * @param {{ label: string, run: () => void }} [action]
 */
export function toast(message, action) {
  const place = document.getElementById("toasts");
  if (!place) return;
  const shown = make("div", "toast");
  shown.append(make("span", "", message));
  const remove = () => shown.remove();
  if (action) {
    const button = make("button", "button small", action.label);
    button.setAttribute("type", "button");
    button.addEventListener("click", () => {
      remove();
      action.run();
    });
    shown.append(button);
  }
  while (place.children.length > 2) place.firstElementChild?.remove();
  place.append(shown);
  let timer = setTimeout(remove, action ? 12000 : 4000);
  shown.addEventListener("focusin", () => clearTimeout(timer));
  shown.addEventListener("focusout", () => (timer = setTimeout(remove, 4000)));
}
