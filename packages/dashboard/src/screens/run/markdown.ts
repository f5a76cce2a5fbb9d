/**
 * Parses the Markdown of `page.md` into a tree: the CommonMark, tables and formulas that the server writes, no more.
 * Unknown syntax stays text, so that untrusted pages never become markup here.
 */

export type Inline =
  | { readonly type: "text" | "code"; readonly text: string }
  | { readonly type: "strong" | "em" | "del"; readonly children: ReadonlyArray<Inline> }
  | { readonly type: "link"; readonly url: string; readonly children: ReadonlyArray<Inline> };

export type Block =
  | { readonly type: "heading"; readonly level: number; readonly children: ReadonlyArray<Inline> }
  | { readonly type: "paragraph" | "code"; readonly children: ReadonlyArray<Inline> }
  | { readonly type: "page"; readonly page: number }
  | { readonly type: "quote"; readonly blocks: ReadonlyArray<Block> }
  | {
      readonly type: "list";
      /** Of its first item; null if it is not numbered. */
      readonly start: number | null;
      readonly items: ReadonlyArray<ReadonlyArray<Block>>;
    }
  | { readonly type: "table"; readonly rows: ReadonlyArray<ReadonlyArray<ReadonlyArray<Inline>>> };

const DEPTH_MAX = 8;

const ESCAPE = /\\(\n|[!-/:-@[-`{-~])/gu;

/**
 * Tried in this order at each position: escape or end of a line, end of a line in a cell, code, formula, link (or
 * image, shown as a link), emphasis.
 */
const INLINE = new RegExp(
  [
    ESCAPE.source,
    "<br>",
    /(?<!`)(?<ticks>`+)(?!`)([^\n]+?)(?<!`)\k<ticks>(?!`)/u.source,
    /(\$\$?(?=[^\s$])(?:\\[^$\n]|[^$\\\n])+(?<!\s)\$\$?(?!\d))/u.source,
    /!?\[((?:\\.|`+[^`\n]+`+|[^\]\\`])+)\]\(([^)\s]+)\)/u.source,
    /(?<marker>\*\*|\*|~~)(?=\S)((?:\\.|`+[^`\n]+`+|[^\\\n`])+?)\k<marker>/u.source
  ].join("|"),
  "gu"
);

const EMPHASIS = { "**": "strong", "*": "em", "~~": "del" } as const;

export const inlines = (text: string): ReadonlyArray<Inline> => {
  const out: Array<Inline> = [];
  const put = (plain: string): void => {
    const last = out.at(-1);
    if (plain === "") return;
    if (last?.type === "text") out[out.length - 1] = { type: "text", text: last.text + plain };
    else out.push({ type: "text", text: plain });
  };
  let end = 0;
  for (const found of text.matchAll(INLINE)) {
    const [whole, escape, , code, formula, label, url = "", marker, marked = ""] = found;
    put(text.slice(end, found.index));
    end = found.index + whole.length;
    if (code !== undefined) out.push({ type: "code", text: code.trim() });
    else if (marker !== undefined) {
      out.push({ type: EMPHASIS[marker as keyof typeof EMPHASIS], children: inlines(marked) });
    } else if (label === undefined) put(escape ?? formula ?? "\n");
    else if (/^https?:\/\//iu.test(url)) {
      out.push({
        type: "link",
        url: url.replaceAll(ESCAPE, "$1"),
        children: inlines(label)
      });
    } else out.push(...inlines(label));
  }
  put(text.slice(end));
  return out;
};

const HEADING = /^(#{1,6})\s+(.*)$/su;
const PAGE = /^<!-- page (\d+) -->$/u;
const FENCE = /^`{3,}/u;
const ITEM = /^([-*]|\d{1,9}[.)])(?: |$)/u;
const DELIMITER = /^\|[-:|\s]*$/u;

const cells = (row: string): ReadonlyArray<ReadonlyArray<Inline>> =>
  row
    .trim()
    .replace(/^\||(?<!\\)\|$/gu, "")
    .split(/(?<!\\)\|/u)
    .map((cell) => inlines(cell.trim().replaceAll("\\|", "|")));

interface Taken {
  readonly block: Block;
  /** Number of lines consumed. */
  readonly count: number;
}

const takeWhile = (lines: ReadonlyArray<string>, from: number, isPart: (line: string) => boolean): number => {
  let end = from;
  while (end < lines.length && isPart(lines[end] ?? "")) end += 1;
  return end;
};

/** Items with the marker of the first: another one begins another list. */
const takeList = (lines: ReadonlyArray<string>, at: number, first: string, depth: number): Taken => {
  const items: Array<ReadonlyArray<Block>> = [];
  let next = at;
  for (;;) {
    const [prefix = "", marker] = ITEM.exec(lines[next] ?? "") ?? [];
    if (marker?.at(-1) !== first.at(-1)) break;
    const indent = " ".repeat(prefix.length);
    const end = takeWhile(lines, next + 1, (line) => line === "" || line.startsWith(indent));
    const inner = lines.slice(next, end).map((line) => line.slice(prefix.length));
    items.push(blocks(inner, depth + 1));
    next = end;
  }
  const start = /\d/u.test(first) ? Number.parseInt(first, 10) : null;
  return { block: { type: "list", start, items }, count: next - at };
};

const take = (lines: ReadonlyArray<string>, at: number, depth: number): Taken => {
  const line = lines[at] ?? "";
  const [, level, title = ""] = HEADING.exec(line) ?? [];
  if (level !== undefined) {
    return { block: { type: "heading", level: level.length, children: inlines(title) }, count: 1 };
  }
  const [, page] = PAGE.exec(line) ?? [];
  if (page !== undefined) return { block: { type: "page", page: Number(page) }, count: 1 };
  const [fence] = FENCE.exec(line) ?? [];
  if (fence !== undefined) {
    const end = takeWhile(lines, at + 1, (each) => !each.startsWith(fence));
    const text = lines.slice(at + 1, end).join("\n");
    return { block: { type: "code", children: [{ type: "text", text }] }, count: end - at + 1 };
  }
  if (line.startsWith(">") && depth < DEPTH_MAX) {
    const end = takeWhile(lines, at, (each) => each.startsWith(">"));
    const inner = lines.slice(at, end).map((each) => each.replace(/^> ?/u, ""));
    return { block: { type: "quote", blocks: blocks(inner, depth + 1) }, count: end - at };
  }
  const [, marker] = ITEM.exec(line) ?? [];
  if (marker !== undefined && depth < DEPTH_MAX) return takeList(lines, at, marker, depth);
  if (line.includes("|") && DELIMITER.test(lines[at + 1] ?? "")) {
    const end = takeWhile(lines, at + 2, (each) => each.includes("|"));
    const rows = [line, ...lines.slice(at + 2, end)].map(cells);
    return { block: { type: "table", rows }, count: end - at };
  }
  const isNext = (each: string): boolean =>
    each === "" || each.startsWith(">") || [HEADING, FENCE, ITEM].some((start) => start.test(each));
  const end = takeWhile(lines, at + 1, (each) => !isNext(each));
  return {
    block: { type: "paragraph", children: inlines(lines.slice(at, end).join("\n")) },
    count: end - at
  };
};

const blocks = (lines: ReadonlyArray<string>, depth = 0): ReadonlyArray<Block> => {
  const out: Array<Block> = [];
  for (let at = 0; at < lines.length;) {
    if ((lines[at] ?? "").trim() === "") {
      at += 1;
      continue;
    }
    const parsed = take(lines, at, depth);
    out.push(parsed.block);
    at += parsed.count;
  }
  return out;
};

export const readMarkdown = (markdown: string): ReadonlyArray<Block> => blocks(markdown.split("\n"));
