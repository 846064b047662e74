// The dialog that renames a chat; the browser gives the focus back when it closes.

export function setUpRename() {
  const dialog = /** @type {HTMLDialogElement | null} */ (document.querySelector("[data-rename]"));
  const opener = /** @type {HTMLElement | null} */ (document.querySelector("[data-rename-open]"));
  if (!dialog || !opener) return;
  opener.hidden = false;
  opener.addEventListener("click", () => {
    const menu = /** @type {HTMLDetailsElement | null} */ (opener.closest("details"));
    if (menu) menu.open = false;
    menu?.querySelector("summary")?.focus();
    dialog.showModal();
    const field = /** @type {HTMLInputElement} */ (dialog.querySelector("input[name=title]"));
    field.value = document.querySelector("[data-title]")?.textContent?.trim() ?? field.value;
    field.select();
  });
  dialog.querySelector("[data-dialog-close]")?.addEventListener("click", () => dialog.close());
}
