// Where a message is written: Enter sends (not while an input method composes), drafts survive a reload.

import { codePoints, keep, recall, text } from "./dom.js";

export class Composer {
  /**
   * @param {HTMLFormElement} form
   * @param {{ draftKey: string, limit: number, onSend: (content: string) => void, onStop: () => void }} options
   */
  constructor(form, options) {
    this.form = form;
    this.options = options;
    this.field = /** @type {HTMLTextAreaElement} */ (form.querySelector("textarea"));
    this.stop = /** @type {HTMLButtonElement} */ (form.querySelector("[data-stop]"));
    this.sendButton = /** @type {HTMLButtonElement} */ (form.querySelector("[data-send]"));
    this.count = /** @type {HTMLElement} */ (document.querySelector("[data-count]"));
    this.help = /** @type {HTMLElement} */ (document.querySelector("[data-help]"));
    this.composing = false;
    this.field.value = recall(options.draftKey) ?? this.field.value;
    this.field.addEventListener("input", () => this.changed());
    this.field.addEventListener("compositionstart", () => (this.composing = true));
    this.field.addEventListener("compositionend", () => {
      // Safari sends the Enter that ends a composition after this event, with the composing flag already off.
      setTimeout(() => (this.composing = false), 0);
    });
    this.field.addEventListener("keydown", (event) => this.pressed(event));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.send();
    });
    this.stop.addEventListener("click", () => options.onStop());
    this.changed();
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    if (event.key !== "Enter" || event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.isComposing || this.composing || event.keyCode === 229) return;
    event.preventDefault();
    this.send();
  }

  send() {
    const content = this.field.value;
    if (!content.trim() || codePoints(content) > this.options.limit) return;
    this.write("");
    this.options.onSend(content);
  }

  /** @param {string} content */
  write(content) {
    this.field.value = content;
    this.changed();
  }

  changed() {
    keep(this.options.draftKey, this.field.value);
    this.field.style.height = "auto";
    this.field.style.height = `${this.field.scrollHeight}px`;
    const over = codePoints(this.field.value) - this.options.limit;
    this.count.hidden = over <= 0;
    this.help.hidden = over > 0;
    this.count.textContent = over > 0 ? text("too_long", { n: over }) : "";
    this.sendButton.disabled = over > 0;
  }

  /** @param {boolean} answering */
  setAnswering(answering) {
    if (this.stop.hidden !== answering) return;
    const hadFocus = document.activeElement === this.stop;
    this.stop.hidden = !answering;
    this.stop.disabled = false;
    if (hadFocus && !answering) this.field.focus();
  }
}
