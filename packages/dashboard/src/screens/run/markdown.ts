/**
 * Parses the Markdown of `page.md` (CommonMark blocks and GFM tables, as the server writes them) into a tree. Pure.
 * Unknown syntax stays text, so that untrusted pages never become markup here.
 */

export type Inline =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "strong"; readonly children: ReadonlyArray<Inline> }
  | { readonly type: "em"; readonly children: ReadonlyArray<Inline> }
  | { readonly type: "code"; readonly text: string }
  | { readonly type: "link"; readonly url: string; readonly children: ReadonlyArray<Inline> };

export type Block =
  | { readonly type: "heading"; readonly level: number; readonly children: ReadonlyArray<Inline> }
  | { readonly type: "paragraph"; readonly children: ReadonlyArray<Inline> }
  | { readonly type: "code"; readonly text: string }
  | { readonly type: "quote"; readonly blocks: ReadonlyArray<Block> }
  | {
      readonly type: "list";
      readonly isOrdered: boolean;
      readonly items: ReadonlyArray<ReadonlyArray<Block>>;
    }
  | { readonly type: "table"; readonly rows: ReadonlyArray<ReadonlyArray<ReadonlyArray<Inline>>> }
  | { readonly type: "rule" };

const DEPTH_MAX = 8;

/** Tried in this order at each position: escape, code, image (alternative text only), link, bold, emphasis. */
const INLINE =
  /\\([!-/:-@[-`{-~])|(`+)([^`]+?)\2(?!`)|!\[([^\]]*)\]\([^)\s]*(?:\s+"[^"]*")?\)|\[((?:\\.|[^\]\\])+)\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)|\*\*(?=\S)(.+?)\*\*|\*(?=\S)(.+?)\*|(?<!\w)_(?=\S)(.+?)_(?!\w)/u;

export const inlines = (text: string, depth = 0): ReadonlyArray<Inline> => {
  const out: Array<Inline> = [];
  const put = (plain: string): void => {
    const last = out.at(-1);
    if (plain === "") return;
    if (last?.type === "text") out[out.length - 1] = { type: "text", text: last.text + plain };
    else out.push({ type: "text", text: plain });
  };
  const next = (from: string) => (depth < DEPTH_MAX ? INLINE.exec(from) : null);
  let rest = text;
  for (let found = next(rest); found !== null; found = next(rest)) {
    const [whole, escape, , code, alt, label, url, strong, star, under] = found;
    put(rest.slice(0, found.index));
    rest = rest.slice(found.index + whole.length);
    const em = star ?? under;
    if (escape !== undefined) put(escape);
    else if (code !== undefined) out.push({ type: "code", text: code.trim() });
    else if (alt !== undefined) put(alt);
    else if (label !== undefined && url !== undefined) {
      const children = inlines(label, depth + 1);
      if (/^https?:\/\//iu.test(url)) out.push({ type: "link", url, children });
      else {
        for (const child of children) {
          if (child.type === "text") put(child.text);
          else out.push(child);
        }
      }
    } else if (strong !== undefined) out.push({ type: "strong", children: inlines(strong, depth + 1) });
    else if (em !== undefined) out.push({ type: "em", children: inlines(em, depth + 1) });
  }
  put(rest);
  return out;
};

const HEADING = /^(#{1,6})\s+(.*?)\s*#*$/su;
const FENCE = /^(`{3,}|~{3,})/u;
const ITEM = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/su;
const RULE = /^(?:-{3,}|\*{3,}|_{3,})$/u;
const DELIMITER = /^\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?$/u;

const cells = (row: string): ReadonlyArray<ReadonlyArray<Inline>> =>
  row
    .trim()
    .replace(/^\||(?<!\\)\|$/gu, "")
    .split(/(?<!\\)\|/u)
    .map((cell) =>
      inlines(
        cell
          .trim()
          .replaceAll("\\|", "|")
          .replaceAll(/(?<!\\)<br>/gu, "\n")
      )
    );

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

const takeFence = (lines: ReadonlyArray<string>, at: number, fence: string): Taken => {
  const end = takeWhile(lines, at + 1, (line) => !line.startsWith(fence));
  return { block: { type: "code", text: lines.slice(at + 1, end).join("\n") }, count: end - at + 1 };
};

const takeList = (lines: ReadonlyArray<string>, at: number, depth: number): Taken => {
  const isOrdered = /\d/u.test(ITEM.exec(lines[at] ?? "")?.[2] ?? "");
  const items: Array<ReadonlyArray<Block>> = [];
  let next = at;
  for (;;) {
    const found = ITEM.exec(lines[next] ?? "");
    if (found === null || (found[1] ?? "").length > 1 || /\d/u.test(found[2] ?? "") !== isOrdered) break;
    const end = takeWhile(lines, next + 1, (line) => line === "" || /^\s{2,}/u.test(line));
    const inner = lines.slice(next + 1, end).map((line) => line.replace(/^\s{2,4}/u, ""));
    items.push(blocks([found[3] ?? "", ...inner], depth + 1));
    next = end;
  }
  return { block: { type: "list", isOrdered, items }, count: Math.max(1, next - at) };
};

const takeTable = (lines: ReadonlyArray<string>, at: number): Taken => {
  const end = takeWhile(lines, at + 2, (line) => line.includes("|"));
  const rows = [cells(lines[at] ?? ""), ...lines.slice(at + 2, end).map(cells)];
  return { block: { type: "table", rows }, count: end - at };
};

const takeParagraph = (lines: ReadonlyArray<string>, at: number): Taken => {
  const isNext = (line: string): boolean =>
    line === "" || HEADING.test(line) || FENCE.test(line) || line.startsWith(">");
  const end = takeWhile(lines, at + 1, (line) => !isNext(line));
  const children = inlines(lines.slice(at, end).join("\n"));
  return { block: { type: "paragraph", children }, count: end - at };
};

const take = (lines: ReadonlyArray<string>, at: number, depth: number): Taken => {
  const line = lines[at] ?? "";
  const heading = HEADING.exec(line);
  if (heading !== null) {
    const children = inlines(heading[2] ?? "");
    return { block: { type: "heading", level: (heading[1] ?? "#").length, children }, count: 1 };
  }
  const fence = FENCE.exec(line)?.[1];
  if (fence !== undefined) return takeFence(lines, at, fence);
  if (RULE.test(line)) return { block: { type: "rule" }, count: 1 };
  if (line.startsWith(">") && depth < DEPTH_MAX) {
    const end = takeWhile(lines, at, (each) => each.startsWith(">"));
    const inner = lines.slice(at, end).map((each) => each.replace(/^> ?/u, ""));
    return { block: { type: "quote", blocks: blocks(inner, depth + 1) }, count: end - at };
  }
  if (ITEM.test(line) && depth < DEPTH_MAX) return takeList(lines, at, depth);
  if (line.includes("|") && DELIMITER.test((lines[at + 1] ?? "").trim())) return takeTable(lines, at);
  return takeParagraph(lines, at);
};

const blocks = (lines: ReadonlyArray<string>, depth: number): ReadonlyArray<Block> => {
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

export const readMarkdown = (markdown: string): ReadonlyArray<Block> =>
  blocks(markdown.replaceAll("\r\n", "\n").split("\n"), 0);
