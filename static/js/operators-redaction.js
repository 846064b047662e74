// On the page that redacts a memory: what is selected in its text becomes a line of the words to take out.

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
