// The chat page: connects the socket, the conversation, the outbox and the composer.

import { show as showMemory } from "./actions.js";
import { Composer } from "./composer.js";
import { keep, pageData, post, text } from "./dom.js";
import { retitle, setUpDrawer } from "./drawer.js";
import { Outbox, leaveFor } from "./outbox.js";
import { setUpRename } from "./rename.js";
import { Scroller } from "./scroller.js";
import { ChatSocket } from "./socket.js";
import { toast } from "./toast.js";
import { Transcript } from "./transcript.js";
import { setUpTurns } from "./turns.js";

const chat = pageData("chat");
/** @param {string} selector @returns {HTMLElement} */
const one = (selector) => /** @type {HTMLElement} */ (document.querySelector(selector));

/** Errors after which the same message may be sent again by itself, and the wait in milliseconds. */
const PASSING = new Map([
  ["unavailable", 3000],
  ["rate_limited", 20000],
]);

const scroller = new Scroller(one("[data-scroll]"), one("[data-below]"));
const transcript = new Transcript(one("[data-turns]"), chat.settled, {
  onGap: () => socket?.askSoon(50),
  onChange: () => changed(),
});
const composer = new Composer(/** @type {HTMLFormElement} */ (one("[data-composer]")), {
  draftKey: `memoryhub.draft.${chat.session ?? "new"}`,
  limit: chat.limit,
  onSend: (content) => (chat.session && chat.open ? outbox?.add(content) : sendInNewChat(content)),
  onStop: () => stop(),
});
/** @type {Outbox | null} */
let outbox = null;
/** @type {ChatSocket | null} */
let socket = null;

function changed() {
  document.querySelector("[data-welcome]")?.remove();
  composer.setAnswering(Boolean(transcript.streaming()));
  scroller.grown();
}

/** @param {string} content open a session, leave the message in its outbox, and go there */
async function sendInNewChat(content) {
  try {
    const opened = await post(chat.open_url, {});
    leaveFor(opened.id, content);
    location.assign(opened.url);
  } catch {
    composer.write(content);
    toast(text("session_open_failed"));
  }
}

function stop() {
  const answer = transcript.streaming();
  if (!answer) return;
  composer.stop.disabled = true;
  socket?.send({ type: "stop", turn_id: answer.dataset.turn });
  setTimeout(() => (composer.stop.disabled = false), 3000);
}

/** @param {import("./socket.js").Frame} frame */
function take(frame) {
  switch (frame.type) {
    case "state":
      transcript.applyState(/** @type {any} */ (frame));
      for (const { turn } of frame.turns) if (turn.client_msg_id) outbox?.arrived(turn.client_msg_id);
      session(frame.session);
      outbox?.reset();
      composer.setAnswering(Boolean(transcript.streaming()));
      break;
    case "turn":
      transcript.put(frame.turn, frame.html);
      if (frame.turn.client_msg_id) outbox?.arrived(frame.turn.client_msg_id);
      if (frame.turn.role === "assistant" && frame.turn.state === "streaming") announce(text("answering"));
      settle();
      break;
    case "delta":
      transcript.grow(/** @type {any} */ (frame));
      break;
    case "done":
      transcript.put(frame.turn, frame.html);
      announce(`${text("answered")} ${frame.turn.content.slice(0, 300)}`);
      settle();
      outbox?.next();
      break;
    case "session":
      session(frame.session);
      break;
    case "memory":
      showMemory(frame.memory_id, frame.change);
      break;
    case "error":
      failed(frame);
      break;
  }
}

function settle() {
  if (socket?.synced) transcript.settle();
}

/** @param {any} data */
function session(data) {
  const title = data.title || text("untitled");
  one("[data-title]").textContent = title;
  retitle(data.id, title);
  if (data.title) document.title = `${data.title} · MemoryHub`;
  opened(data.state === "open");
}

/** @param {boolean} open whether the session takes messages */
function opened(open) {
  chat.open = open;
  one("[data-ended]").hidden = open;
  document.querySelector("[data-end]")?.toggleAttribute("hidden", !open);
}

/** @param {import("./socket.js").Frame} frame */
function failed(frame) {
  const said = [frame.message, frame.hint].filter(Boolean).join(" ");
  const id = frame.client_msg_id;
  if (!id) {
    if (!frame.turn_id || !transcript.find(frame.turn_id)) toast(said);
    composer.stop.disabled = false;
    return;
  }
  const wait = PASSING.get(frame.code);
  if (wait) outbox?.later(id, wait);
  else outbox?.fail(id, said);
  if (frame.code === "session_ended") opened(false);
}

/** @param {import("./outbox.js").Message} message @param {boolean} sent */
function showPending(message, sent) {
  const discard = () => {
    outbox?.arrived(message.id);
    transcript.dropPending(message.id);
  };
  const actions = !message.failed
    ? []
    : [
        {
          label: text("send_again"),
          run: () => {
            if (chat.open) outbox?.again(message.id);
            else {
              discard();
              sendInNewChat(message.content);
            }
          },
        },
        {
          label: text("edit"),
          run: () => {
            discard();
            composer.write(message.content);
            composer.field.focus();
          },
        },
      ];
  const status = message.failed ? `${text("send_failed")}: ${message.failed}` : text(sent ? "sending" : "queued");
  transcript.putPending(message, status, actions);
  scroller.toEnd();
}

/** @param {import("./socket.js").Status} status @param {string} reason */
function connection(status, reason) {
  const line = one("[data-connection]");
  const said = status === "closed" ? "" : text(status);
  line.dataset.status = status;
  if (line.textContent !== said) line.textContent = said;
  if (status !== "closed") return;
  const problem = one("[data-problem]");
  one("[data-problem-text]").textContent = text(reason);
  one("[data-problem-link]").hidden = reason !== "signed_out";
  problem.hidden = false;
}

/** @param {string} said for readers who cannot see the page */
function announce(said) {
  one("[data-announce]").textContent = said;
}

function connect() {
  const url = new URL(`/ws/chat/${chat.session}/`, location.href);
  url.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  url.searchParams.set("lang", chat.language);
  url.searchParams.set("tz", Intl.DateTimeFormat().resolvedOptions().timeZone ?? "");
  outbox = new Outbox(chat.session, {
    send: (message) => Boolean(socket?.synced && socket.send({ type: "send", client_msg_id: message.id, content: message.content })),
    show: showPending,
    free: () => !transcript.streaming(),
  });
  socket = new ChatSocket(url.href, {
    onFrame: take,
    onStatus: connection,
    resumePoint: () => transcript.resumePoint(),
    expectsFrames: () => Boolean(transcript.streaming()),
  });
}

setUpDrawer();
setUpRename();
setUpTurns(one("[data-turns]"), {
  scroller,
  composer,
  onRetry: (turn) => {
    if (!socket?.send({ type: "retry", turn_id: turn })) toast(text("reconnecting"));
  },
});
one("[data-new-chat]").addEventListener("submit", () => keep("memoryhub.draft.new", null));
if (chat.session) connect();
if (!location.hash && !document.querySelector("[data-welcome]")) scroller.toEnd();
if (matchMedia("(min-width: 52.01rem)").matches && !location.hash) composer.field.focus({ preventScroll: true });
