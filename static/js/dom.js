// Small helpers that every module uses: the page's data, its texts, requests to our own forms.

/** @param {string} id @returns {any} the content of a JSON script element, or an empty object */
export function pageData(id) {
  const element = document.getElementById(id);
  return element ? JSON.parse(element.textContent || "{}") : {};
}

const texts = pageData("strings");

/** @param {string} name @param {Record<string, string | number>} [values] @returns {string} a text in the page's language */
export function text(name, values = {}) {
  return Object.entries(values).reduce((out, [key, value]) => out.replace(`{${key}}`, String(value)), texts[name] ?? name);
}

/** @param {string} html trusted: rendered and sanitised by our server @returns {HTMLElement} its first element */
export function element(html) {
  const template = document.createElement("template");
  template.innerHTML = html.trim();
  return /** @type {HTMLElement} */ (template.content.firstElementChild);
}

/** @param {string} name @param {string} [className] @param {string} [content] @returns {HTMLElement} */
export function make(name, className = "", content = "") {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (content) made.textContent = content;
  return made;
}

/** @param {string} value @returns {number} its length in code points, as the server counts */
export function codePoints(value) {
  let count = 0;
  for (const _ of value) count += 1;
  return count;
}

/** @param {string} value @param {number} start @returns {string} what follows its first `start` code points */
export function afterCodePoints(value, start) {
  return start <= 0 ? value : Array.from(value).slice(start).join("");
}

/**
 * Post a form's fields to one of our own addresses and ask for JSON.
 * @param {string} url @param {Record<string, string>} [fields] @returns {Promise<any>}
 */
export async function post(url, fields = {}) {
  const token = /** @type {HTMLInputElement | null} */ (document.querySelector("[name=csrfmiddlewaretoken]"));
  const response = await fetch(url, {
    method: "POST",
    headers: { Accept: "application/json", "X-CSRFToken": token ? token.value : "" },
    body: new URLSearchParams(fields),
    credentials: "same-origin",
    redirect: "error",
  });
  if (!response.ok) {
    const body = await response.json().catch(() => ({}));
    throw new Error(body.message || text("action_failed"));
  }
  return response.json();
}

/** @param {string} key @returns {any} */
export function recall(key) {
  try {
    return JSON.parse(localStorage.getItem(key) || "null");
  } catch {
    return null;
  }
}

/** @param {string} key @param {any} value nothing (null, "" or an empty list) takes the key away */
export function keep(key, value) {
  try {
    if (value === null || value === "" || (Array.isArray(value) && value.length === 0)) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Storage may be full or forbidden: drafts then live as long as the page.
  }
}
