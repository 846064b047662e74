// What every page does: notes the time zone, closes menus, submits a filter when it changes.

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (zone && !document.cookie.includes(`tz=${zone}`)) {
  const secure = location.protocol === "https:" ? "; secure" : "";
  document.cookie = `tz=${zone}; path=/; max-age=31536000; samesite=lax${secure}`;
}

/** @type {NodeListOf<HTMLDetailsElement>} */
const menus = document.querySelectorAll("details[data-menu]");

document.addEventListener("click", (event) => {
  for (const menu of menus) {
    if (menu.open && !menu.contains(/** @type {Node} */ (event.target))) menu.open = false;
  }
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of menus) {
    if (menu.open) {
      menu.open = false;
      menu.querySelector("summary")?.focus();
    }
  }
});

for (const select of document.querySelectorAll("select[data-submit-on-change]")) {
  select.addEventListener("change", () => /** @type {HTMLSelectElement} */ (select).form?.requestSubmit());
}
