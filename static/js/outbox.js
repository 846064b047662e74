// Messages on their way: kept in this browser until the server has them, sent one after another, resent with the same
// id, which the server stores once.

import { keep, recall } from "./dom.js";

/** @typedef {{ id: string, content: string, failed?: string }} Message */

export class Outbox {
  /**
   * @param {string} session
   * @param {{ send: (message: Message) => boolean, show: (message: Message, sent: boolean) => void, free: () => boolean }} handlers
   *   `free` is false while an answer is being written
   */
  constructor(session, handlers) {
    this.key = `memoryhub.outbox.${session}`;
    this.handlers = handlers;
    /** @type {Message[]} */
    this.messages = recall(this.key) ?? [];
    this.sent = "";
    this.timer = 0;
    for (const message of this.messages) this.handlers.show(message, false);
  }

  /** @param {string} content */
  add(content) {
    const message = { id: newId(), content };
    this.messages.push(message);
    this.save();
    this.handlers.show(message, false);
    this.next();
  }

  /** The connection stands anew: what was sent before may not have arrived. */
  reset() {
    this.sent = "";
    this.next();
  }

  /** Send the first message that waits, unless one is on its way. */
  next() {
    const message = this.messages.find((each) => !each.failed);
    if (!message || this.sent || !this.handlers.free()) return;
    if (this.handlers.send(message)) {
      this.sent = message.id;
      this.handlers.show(message, true);
    }
  }

  /** @param {string} id the server has it */
  arrived(id) {
    if (this.sent === id) this.sent = "";
    const before = this.messages.length;
    this.messages = this.messages.filter((message) => message.id !== id);
    if (this.messages.length !== before) this.save();
  }

  /** @param {string} id @param {number} wait milliseconds until it is sent again by itself */
  later(id, wait) {
    if (this.sent !== id) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.reset(), wait);
  }

  /** @param {string} id @param {string} reason */
  fail(id, reason) {
    if (this.sent === id) this.sent = "";
    const message = this.messages.find((each) => each.id === id);
    if (!message) return;
    message.failed = reason;
    this.save();
    this.handlers.show(message, false);
    this.next();
  }

  /** @param {string} id */
  again(id) {
    const message = this.messages.find((each) => each.id === id);
    if (!message) return;
    delete message.failed;
    this.save();
    this.handlers.show(message, false);
    this.next();
  }

  save() {
    keep(this.key, this.messages);
  }
}

/** @param {string} session @param {string} content put a message into the outbox of a session that is not on this page */
export function leaveFor(session, content) {
  const key = `memoryhub.outbox.${session}`;
  keep(key, [...(recall(key) ?? []), { id: newId(), content }]);
}

function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
