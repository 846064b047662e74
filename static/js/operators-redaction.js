// On the page that redacts a memory: what is selected in its text becomes a line of the words to take out.
// On the page of a run over the tenant: its progress, looked up again while it is at work.

const text = document.querySelector("[data-redact-text]");
const words = document.querySelector("[data-redact-words]");
const take = document.querySelector("[data-redact-take]");

if (text && words && take) {
  take.hidden = false;
  let chosen = "";
  document.addEventListener("selectionchange", () => {
    const selection = document.getSelection();
    if (selection && !selection.isCollapsed && text.contains(selection.anchorNode) && text.contains(selection.focusNode)) {
      chosen = selection.toString().trim();
    }
  });
  take.addEventListener("click", () => {
    if (!chosen) return;
    const lines = words.value.split("\n").map((line) => line.trim()).filter(Boolean);
    if (!lines.includes(chosen)) lines.push(chosen);
    words.value = lines.join("\n");
    words.focus();
  });
}

const AGAIN = 5000;

async function lookAgain() {
  const run = document.querySelector("[data-redact-run='on']");
  if (!run) return;
  const answer = await fetch(location.href, { headers: { accept: "text/html" } }).catch(() => null);
  if (answer && answer.ok) {
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.querySelector("[data-redact-run]");
    if (fresh) run.replaceWith(document.adoptNode(fresh));
  }
  setTimeout(lookAgain, AGAIN);
}

setTimeout(lookAgain, AGAIN);
