// The conversation on the page: turns in order, an answer that grows, and the point up to which all of it is here.

import { afterCodePoints, codePoints, element, make, text } from "./dom.js";
import { MarkdownStream } from "./markdown.js";

/** @typedef {{ id: string, offset: number, text: string, stream: MarkdownStream }} Growing */

export class Transcript {
  /**
   * @param {HTMLElement} list
   * @param {number} settled the number of the last turn on the page that cannot change
   * @param {{ onGap: () => void, onChange: () => void }} handlers
   */
  constructor(list, settled, handlers) {
    this.list = list;
    this.settled = settled;
    this.handlers = handlers;
    /** @type {Map<string, Growing>} */
    this.growing = new Map();
    for (const shown of this.turns()) this.follow(shown);
  }

  /** @returns {HTMLElement[]} */
  turns() {
    return Array.from(this.list.querySelectorAll("[data-turn]"));
  }

  /** @param {string} id @returns {HTMLElement | null} */
  find(id) {
    return this.list.querySelector(`[data-turn="${CSS.escape(id)}"]`);
  }

  /** @returns {HTMLElement | null} the answer being written */
  streaming() {
    return this.list.querySelector('[data-state="streaming"]');
  }

  /** @returns {Record<string, any>} what to tell the server when asking for what is missing */
  resumePoint() {
    const shown = this.streaming();
    const growing = shown ? this.growing.get(shown.dataset.turn ?? "") : undefined;
    return { after_seq: this.settled, answer_id: growing?.id ?? null, answer_offset: growing?.offset ?? 0 };
  }

  /** @param {{ turns: { turn: any, html: string }[], live: any[] }} state */
  applyState(state) {
    for (const { turn, html } of state.turns) this.put(turn, html);
    for (const delta of state.live) this.grow(delta);
    this.settle();
  }

  /** @param {any} turn @param {string} html */
  put(turn, html) {
    const old = this.find(turn.id);
    const growing = this.growing.get(turn.id);
    if (old && growing && turn.state === "streaming") return;
    if (old && old.dataset.state !== "streaming" && turn.state === "streaming") return;
    const made = element(html);
    if (turn.client_msg_id) this.list.querySelector(`[data-pending="${CSS.escape(turn.client_msg_id)}"]`)?.remove();
    if (old) {
      const used = /** @type {HTMLDetailsElement | null} */ (old.querySelector("[data-used]"));
      const next = /** @type {HTMLDetailsElement | null} */ (made.querySelector("[data-used]"));
      if (used?.open && next) next.open = true;
      old.replaceWith(made);
    } else {
      this.insert(made, turn);
    }
    this.growing.delete(turn.id);
    this.follow(made);
    this.handlers.onChange();
  }

  /** @param {HTMLElement} made @param {any} turn */
  insert(made, turn) {
    if (turn.role === "assistant" && turn.reply_to) {
      // A new answer to a question takes the place of the one that was broken off.
      for (const other of this.turns()) {
        if (other.dataset.replyTo === turn.reply_to && Number(other.dataset.seq) < turn.seq) {
          this.growing.delete(other.dataset.turn ?? "");
          other.remove();
        }
      }
    }
    const later = this.turns().find((other) => Number(other.dataset.seq) > turn.seq);
    const anchor = later ?? this.list.querySelector("[data-pending]");
    this.list.insertBefore(made, anchor);
  }

  /** @param {HTMLElement} shown */
  follow(shown) {
    if (shown.dataset.state !== "streaming") return;
    const id = shown.dataset.turn ?? "";
    const body = /** @type {HTMLElement} */ (shown.querySelector("[data-body]"));
    const anchors = Array.from(shown.querySelectorAll(".used-item .number"), (each) => Number(each.textContent?.replace(/\D/g, "")));
    const stream = new MarkdownStream(body, { numbers: new Set(anchors), anchor: id });
    this.growing.set(id, { id, offset: 0, text: "", stream });
    shown.setAttribute("aria-busy", "true");
  }

  /** @param {{ turn_id: string, offset: number, text: string }} delta */
  grow(delta) {
    const growing = this.growing.get(delta.turn_id);
    if (!growing) {
      if (!this.find(delta.turn_id)) this.handlers.onGap();
      return;
    }
    if (delta.offset > growing.offset) {
      this.handlers.onGap();
      return;
    }
    const fresh = afterCodePoints(delta.text, growing.offset - delta.offset);
    if (!fresh) return;
    growing.offset += codePoints(fresh);
    growing.text += fresh;
    growing.stream.update(growing.text);
    this.handlers.onChange();
  }

  /** All turns up to here are on the page and final; called when no frame is known to be missing. */
  settle() {
    const streaming = this.streaming();
    const numbers = this.turns().map((shown) => Number(shown.dataset.seq));
    if (streaming) this.settled = Math.max(this.settled, Number(streaming.dataset.seq) - 1);
    else if (numbers.length) this.settled = Math.max(this.settled, ...numbers);
  }

  /**
   * Show a message that the server does not have yet.
   * @param {{ id: string, content: string }} message @param {string} status
   * @param {{ label: string, run: () => void }[]} [actions]
   */
  putPending(message, status, actions = []) {
    let shown = this.list.querySelector(`[data-pending="${CSS.escape(message.id)}"]`);
    if (!shown) {
      shown = make("article", "turn user pending");
      /** @type {HTMLElement} */ (shown).dataset.pending = message.id;
      const head = make("header", "turn-head");
      head.append(make("span", "who", text("you")));
      const said = make("p", "said", message.content);
      said.dir = "auto";
      shown.append(head, said, make("div", "turn-actions"));
      this.list.append(shown);
    }
    const foot = /** @type {HTMLElement} */ (shown.lastElementChild);
    foot.replaceChildren(make("span", "help", status));
    for (const action of actions) {
      const button = make("button", "button small", action.label);
      button.setAttribute("type", "button");
      button.addEventListener("click", action.run);
      foot.append(button);
    }
    this.handlers.onChange();
  }

  /** @param {string} id */
  dropPending(id) {
    this.list.querySelector(`[data-pending="${CSS.escape(id)}"]`)?.remove();
  }
}
