// The list of chats: a column on wide screens, a drawer on small ones; and its search.

const drawer = /** @type {HTMLElement} */ (document.getElementById("sessions"));
const main = /** @type {HTMLElement} */ (document.getElementById("main"));
const opener = /** @type {HTMLButtonElement} */ (document.querySelector("[data-drawer-open]"));

export function setUpDrawer() {
  opener.addEventListener("click", () => toggle(true));
  for (const closer of document.querySelectorAll("[data-drawer-close]")) closer.addEventListener("click", () => toggle(false));
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && drawer.classList.contains("open")) toggle(false);
  });
  matchMedia("(min-width: 52.01rem)").addEventListener("change", (event) => {
    if (event.matches) toggle(false);
  });
  setUpSearch();
}

/** @param {boolean} open */
function toggle(open) {
  const was = drawer.classList.contains("open");
  drawer.classList.toggle("open", open);
  opener.setAttribute("aria-expanded", String(open));
  main.inert = open;
  if (open) drawer.focus();
  else if (was) opener.focus();
}

function setUpSearch() {
  const form = /** @type {HTMLFormElement} */ (document.querySelector("[data-session-search]"));
  const list = /** @type {HTMLElement} */ (document.querySelector("[data-session-list]"));
  let timer = 0;
  let latest = 0;
  const search = async () => {
    const mine = (latest += 1);
    const query = /** @type {HTMLInputElement} */ (form.elements.namedItem("q")).value;
    const response = await fetch(`${form.dataset.url}?${new URLSearchParams({ q: query })}`).catch(() => null);
    if (response?.ok && mine === latest) list.innerHTML = await response.text();
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    search();
  });
  form.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(search, 200);
  });
}

/** @param {string} session @param {string} title show a new title in the list */
export function retitle(session, title) {
  const shown = document.querySelector(`[data-session="${CSS.escape(session)}"] .session-title`);
  if (shown) shown.textContent = title;
}
