// The connection to one session: reconnects, keeps a heartbeat, and notices when a numbered frame was lost.

const PING_EVERY = 20_000;
const ANSWER_WITHIN = 10_000;
const SILENT_TOO_LONG = 8_000;
const NUMBERED = new Set(["turn", "delta", "done", "session", "error", "resync"]);
/** Close codes after which trying again is no use, and the text that says why. */
const FINAL = new Map([
  [4400, "not_found"],
  [4401, "signed_out"],
  [4403, "forbidden"],
  [4404, "not_found"],
]);

/**
 * @typedef {"connecting" | "connected" | "reconnecting" | "offline" | "closed"} Status
 * @typedef {{ type: string, n?: number, [field: string]: any }} Frame
 * @typedef {object} Handlers
 * @property {(frame: Frame) => void} onFrame
 * @property {(status: Status, reason: string) => void} onStatus `reason` names a text when the status is closed
 * @property {() => Record<string, any>} resumePoint what the page has: after_seq, answer_id, answer_offset
 * @property {() => boolean} expectsFrames true while an answer is being written
 */

export class ChatSocket {
  /** @param {string} url @param {Handlers} handlers */
  constructor(url, handlers) {
    this.url = url;
    this.handlers = handlers;
    /** @type {WebSocket | null} */
    this.socket = null;
    this.number = 0;
    this.synced = false;
    this.attempts = 0;
    this.lastFrame = 0;
    this.pingedAt = 0;
    this.final = false;
    this.retryTimer = 0;
    this.resumeTimer = 0;
    setInterval(() => this.beat(), 2000);
    addEventListener("online", () => this.reconnectNow());
    addEventListener("offline", () => this.report("offline"));
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") this.reconnectNow();
    });
    addEventListener("pagehide", () => this.socket?.close());
    addEventListener("pageshow", (event) => {
      if (event.persisted) this.reconnectNow();
    });
    this.open("connecting");
  }

  /** @param {Status} status */
  open(status) {
    clearTimeout(this.retryTimer);
    this.report(navigator.onLine ? status : "offline");
    this.synced = false;
    const socket = new WebSocket(this.url);
    this.socket = socket;
    this.lastFrame = this.pingedAt = Date.now();
    socket.addEventListener("open", () => this.askForMissing());
    socket.addEventListener("message", (event) => {
      if (socket === this.socket) this.take(JSON.parse(event.data));
    });
    socket.addEventListener("close", (event) => {
      if (socket === this.socket) this.closed(event.code);
    });
  }

  /** @param {number} code */
  closed(code) {
    this.socket = null;
    this.synced = false;
    const reason = FINAL.get(code);
    if (reason) {
      this.final = true;
      this.handlers.onStatus("closed", reason);
      return;
    }
    this.report(navigator.onLine ? "reconnecting" : "offline");
    const wait = code === 4429 ? 10_000 : Math.min(15_000, 400 * 2 ** this.attempts);
    this.attempts += 1;
    this.retryTimer = setTimeout(() => this.open("reconnecting"), wait * (0.75 + Math.random() / 2));
  }

  reconnectNow() {
    if (this.final || (this.socket && this.socket.readyState <= WebSocket.OPEN)) return;
    this.attempts = 0;
    this.open("reconnecting");
  }

  /** @param {Frame} frame */
  take(frame) {
    this.lastFrame = Date.now();
    if (frame.type === "state") {
      this.number = frame.n ?? 0;
      this.synced = true;
      this.attempts = 0;
      this.handlers.onFrame(frame);
      this.report("connected");
      return;
    }
    if (frame.type === "pong") {
      if (frame.n !== this.number) this.askSoon(500, frame.n);
      return;
    }
    if (NUMBERED.has(frame.type) && frame.n !== undefined) {
      // A lower number is one that the state has told already.
      const lost = frame.n > this.number + 1;
      this.number = Math.max(this.number, frame.n);
      if (lost && this.synced) {
        this.synced = false;
        this.askSoon(50);
      }
    }
    if (frame.type === "resync") this.askSoon(50);
    else this.handlers.onFrame(frame);
  }

  /** Ask for what is missing, now. */
  askForMissing() {
    clearTimeout(this.resumeTimer);
    this.resumeTimer = 0;
    this.send({ type: "resume", ...this.handlers.resumePoint() });
  }

  /** @param {number} wait @param {number} [number] do not ask when the page has reached this number by then */
  askSoon(wait, number) {
    if (this.resumeTimer) return;
    this.resumeTimer = setTimeout(() => {
      this.resumeTimer = 0;
      if (number === undefined || this.number !== number) this.askForMissing();
    }, wait);
  }

  /** @param {Frame} frame @returns {boolean} whether it left */
  send(frame) {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(frame));
    return true;
  }

  beat() {
    if (this.socket?.readyState !== WebSocket.OPEN) return;
    const now = Date.now();
    if (this.pingedAt > this.lastFrame && now - this.pingedAt > ANSWER_WITHIN) {
      // The line is dead, though nobody has said so.
      const dead = this.socket;
      this.socket = null;
      dead.close();
      this.closed(1006);
    } else if (this.handlers.expectsFrames() && now - this.lastFrame > SILENT_TOO_LONG) {
      this.lastFrame = now;
      this.askForMissing();
    } else if (now - this.pingedAt > PING_EVERY) {
      this.pingedAt = now;
      this.send({ type: "ping" });
    }
  }

  /** @param {Status} status */
  report(status) {
    if (!this.final) this.handlers.onStatus(status, "");
  }
}
