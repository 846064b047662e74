// Markdown of an answer in the making, as DOM nodes: made with createElement and textContent alone, so that no text
// can become markup. It follows the server's renderer closely; the finished answer is the server's.

import { make } from "./dom.js";

const BULLET = /^( {0,3})([-*+]) +(.*)$/;
const NUMBER = /^( {0,3})(\d{1,9})[.)] +(.*)$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})\s*([\w+#.-]*)/;
const HEADING = /^ {0,3}(#{1,6})(?: +(.*?))?(?: +#+)? *$/;
const RULE = /^ {0,3}([-*_])(?: *\1){2,} *$/;
const QUOTE = /^ {0,3}> ?/;
const INLINE =
  /(`+)([^`]|[^`][\s\S]*?[^`])\1(?!`)|\*\*(?=\S)([\s\S]*?\S)\*\*|~~(?=\S)([\s\S]*?\S)~~|\*(?=[^\s*])([\s\S]*?[^\s*])\*|\[([^\]\n]+)\]\((https?:\/\/[^\s)]+|mailto:[^\s)]+)\)|<(https?:\/\/[^\s<>]+)>|\[(\d{1,3})\]|\\([!-/:-@[-`{-~])|\n/;

/**
 * @typedef {{ numbers: Set<number>, anchor: string }} Citations which numbers are memories, and where they stand
 */

/** @param {string} source @returns {string[]} its blocks: pieces that can be rendered one by one */
export function blocks(source) {
  /** @type {string[]} */
  const found = [];
  /** @type {string[]} */
  let lines = [];
  let fence = "";
  const close = () => {
    while (!fence && lines.length && !lines.at(-1)?.trim()) lines.pop();
    if (lines.length) found.push(lines.join("\n"));
    lines = [];
  };
  for (const line of source.split("\n")) {
    const mark = line.match(FENCE);
    if (fence) {
      lines.push(line);
      if (mark && line.trim().startsWith(fence) && !line.trim().replaceAll(fence[0], "")) {
        fence = "";
        close();
      }
    } else if (mark) {
      if (!isList(lines[0])) close();
      fence = mark[1];
      lines.push(line);
    } else if (!line.trim()) {
      if (isList(lines[0])) lines.push(line);
      else close();
    } else {
      if (startsAnother(line, lines)) close();
      lines.push(line);
      if (HEADING.test(line) || RULE.test(line)) close();
    }
  }
  close();
  return found;
}

/** @param {string | undefined} line */
function isList(line) {
  return line !== undefined && !RULE.test(line) && (BULLET.test(line) || NUMBER.test(line));
}

/** @param {string} line @param {string[]} lines */
function startsAnother(line, lines) {
  if (!lines.length) return false;
  if (isList(lines[0])) return lines.at(-1)?.trim() === "" && !/^\s{2,}/.test(line) && !sameList(line, lines[0]);
  if (QUOTE.test(lines[0])) return isList(line) || HEADING.test(line);
  return isList(line) || HEADING.test(line) || RULE.test(line) || QUOTE.test(line);
}

/** @param {string} line @param {string} first */
function sameList(line, first) {
  return (BULLET.test(line) && BULLET.test(first)) || (NUMBER.test(line) && NUMBER.test(first));
}

/** @param {string} block @param {Citations} citations @returns {HTMLElement} */
export function renderBlock(block, citations) {
  const lines = block.split("\n");
  const fence = lines[0].match(FENCE);
  if (fence) return code(lines, fence);
  const heading = block.match(HEADING);
  if (heading) return inline(make(`h${Math.min(6, heading[1].length + 2)}`), heading[2] ?? "", citations);
  if (RULE.test(block)) return make("hr");
  if (QUOTE.test(lines[0])) {
    const quote = make("blockquote");
    const inner = lines.map((line) => line.replace(QUOTE, "")).join("\n");
    quote.append(...blocks(inner).map((each) => renderBlock(each, citations)));
    return quote;
  }
  if (isList(lines[0])) return list(lines, citations);
  return inline(make("p"), lines.map((line) => line.trim()).join("\n"), citations);
}

/** @param {string[]} lines @param {RegExpMatchArray} fence */
function code(lines, fence) {
  const last = lines.at(-1) ?? "";
  const closed = lines.length > 1 && last.trim().startsWith(fence[1]) && !last.trim().replaceAll(fence[1][0], "");
  const body = lines.slice(1, closed ? -1 : undefined).join("\n");
  const pre = make("pre");
  pre.append(make("code", fence[2] ? `language-${fence[2]}` : "", body && `${body}\n`));
  return pre;
}

/** @param {string[]} lines @param {Citations} citations */
function list(lines, citations) {
  const first = lines[0].match(NUMBER);
  const made = make(first ? "ol" : "ul");
  if (first && first[2] !== "1") made.setAttribute("start", String(Number(first[2])));
  const indent = lines[0].match(/^ */)?.[0].length ?? 0;
  /** @type {string[][]} */
  const items = [];
  for (const line of lines) {
    const mark = line.match(BULLET) ?? line.match(NUMBER);
    const inner = line.slice(indent).match(/^ {2,}/);
    if (mark && !inner) items.push([mark[3]]);
    else items.at(-1)?.push(line.replace(/^ {1,4}/, ""));
  }
  const loose = items.some((item, index) => item.some((line, at) => !line.trim() && (at < item.length - 1 || index < items.length - 1)));
  for (const item of items) {
    const entry = make("li");
    for (const each of blocks(item.join("\n"))) {
      const rendered = renderBlock(each, citations);
      if (rendered.tagName === "P" && !loose) entry.append(...rendered.childNodes);
      else entry.append(rendered);
    }
    made.append(entry);
  }
  return made;
}

/** @param {HTMLElement} target @param {string} source @param {Citations} citations @returns {HTMLElement} */
function inline(target, source, citations) {
  let rest = source;
  while (rest) {
    const match = rest.match(INLINE);
    if (!match || match.index === undefined) break;
    target.append(rest.slice(0, match.index).replace(/ +$/, match[0] === "\n" ? "" : "$&"));
    target.append(...inlineNode(match, citations));
    rest = rest.slice(match.index + match[0].length);
  }
  target.append(rest);
  return target;
}

/** @param {RegExpMatchArray} match @param {Citations} citations @returns {(Node | string)[]} */
function inlineNode(match, citations) {
  const [whole, , codeText, strong, struck, emphasised, label, href, bare, number, escaped] = match;
  if (whole === "\n") return [make("br"), "\n"];
  if (codeText !== undefined) return [make("code", "", codeText.replaceAll("\n", " "))];
  if (strong !== undefined) return [inline(make("strong"), strong, citations)];
  if (struck !== undefined) return [inline(make("s"), struck, citations)];
  if (emphasised !== undefined) return [inline(make("em"), emphasised, citations)];
  if (href !== undefined) return [inline(link(href), label, citations)];
  if (bare !== undefined) return [inline(link(bare), bare, citations)];
  if (escaped !== undefined) return [escaped];
  return citations.numbers.has(Number(number)) ? [citation(Number(number), citations)] : [whole];
}

/** @param {string} href */
function link(href) {
  const made = make("a");
  made.setAttribute("href", href);
  made.setAttribute("rel", "noopener noreferrer nofollow");
  return made;
}

/** @param {number} number @param {Citations} citations */
function citation(number, citations) {
  const made = make("sup", "cites");
  const anchor = make("a", "cite", `[${number}]`);
  anchor.setAttribute("href", `#used-${citations.anchor}-${number}`);
  anchor.dataset.number = String(number);
  made.append(anchor);
  return made;
}

/** Renders a growing text: only the blocks that changed are made again. */
export class MarkdownStream {
  /** @param {HTMLElement} target @param {Citations} citations */
  constructor(target, citations) {
    this.target = target;
    this.citations = citations;
    /** @type {string[]} */
    this.shown = [];
  }

  /** @param {string} source the whole text so far */
  update(source) {
    const wanted = blocks(source);
    wanted.forEach((block, index) => {
      if (this.shown[index] === block) return;
      const made = renderBlock(block, this.citations);
      const old = this.target.children[index];
      if (old) old.replaceWith(made);
      else this.target.append(made);
    });
    while (this.target.children.length > wanted.length) this.target.lastElementChild?.remove();
    this.shown = wanted;
  }
}
