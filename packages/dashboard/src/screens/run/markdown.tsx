/**
 * Draws the Markdown of `page.md`: the CommonMark, tables and formulas that write/markdownBlocks.ts of packages/pages
 * writes, no more. Unknown syntax stays text, so that untrusted pages never become markup here.
 */
import { isWebUrl } from "../../parts/runTexts.ts";
import type { Drawn } from "./drawn.ts";
import { runWords } from "./words.ts";

const DEPTH_MAX = 8;

const ESCAPE = /\\(\n|[!-/:-@[-`{-~])/gu;

/**
 * Tried in this order at each position: escape or end of a line `\*`, end of a line in a cell, code, formula `$x$`, link
 * `[a](b)` (or image, shown as a link), emphasis `**a**`.
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

export const inlines = (text: string): Drawn => {
  const out: Array<Drawn> = [];
  const put = (plain: string): void => {
    const last = out.at(-1);
    if (typeof last === "string") out[out.length - 1] = last + plain;
    else if (plain !== "") out.push(plain);
  };
  let end = 0;
  for (const found of text.matchAll(INLINE)) {
    const [whole, escape, , code, formula, label, url = "", marker, marked = ""] = found;
    put(text.slice(end, found.index));
    end = found.index + whole.length;
    if (code !== undefined) out.push(<code>{code.trim()}</code>);
    else if (marker !== undefined) {
      const Name = EMPHASIS[marker as keyof typeof EMPHASIS];
      out.push(<Name>{inlines(marked)}</Name>);
    } else if (label === undefined) put(escape ?? formula ?? "\n");
    else if (isWebUrl(url)) {
      out.push(
        <a href={url.replaceAll(ESCAPE, "$1")} target="_blank" rel="noreferrer noopener">
          {inlines(label)}
        </a>
      );
    } else out.push(inlines(label));
  }
  put(text.slice(end));
  return out;
};

/** Headings of the page are one level below those of the screen. */
const HEADINGS = ["h3", "h4"] as const;

/** `# a`, `<!-- page 2 -->`, a fence of code, `- a` or `1. a`, the `| --- |` below the head of a table. */
const HEADING = /^(#{1,6})\s+(.*)$/su;
const PAGE = /^<!-- page (\d+) -->$/u;
const FENCE = /^`{3,}/u;
const ITEM = /^([-*]|\d{1,9}[.)])(?: |$)/u;
const DELIMITER = /^\|[-:|\s]*$/u;

const row = (line: string, Cell: "th" | "td") => (
  <tr>
    {line
      .trim()
      .replace(/^\||(?<!\\)\|$/gu, "")
      .split(/(?<!\\)\|/u)
      .map((cell) => (
        <Cell scope={Cell === "th" ? "col" : undefined} dir="auto">
          {inlines(cell.trim().replaceAll("\\|", "|"))}
        </Cell>
      ))}
  </tr>
);

/** Not text of the page. */
const PageNumber = ({ page }: { readonly page: number }) => <p class="hint">{runWords.onPage(page)}</p>;

interface Taken {
  readonly block: Drawn;
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
  const items: Array<Drawn> = [];
  let next = at;
  for (;;) {
    const [prefix = "", marker] = ITEM.exec(lines[next] ?? "") ?? [];
    if (marker?.at(-1) !== first.at(-1)) break;
    const indent = " ".repeat(prefix.length);
    const end = takeWhile(lines, next + 1, (line) => line === "" || line.startsWith(indent));
    const inner = lines.slice(next, end).map((line) => line.slice(prefix.length));
    items.push(<li>{blocks(inner, depth + 1)}</li>);
    next = end;
  }
  const list = /\d/u.test(first) ? (
    <ol dir="auto" start={Number.parseInt(first, 10)}>
      {items}
    </ol>
  ) : (
    <ul dir="auto">{items}</ul>
  );
  return { block: list, count: next - at };
};

const take = (lines: ReadonlyArray<string>, at: number, depth: number): Taken => {
  const line = lines[at] ?? "";
  const [, level, title = ""] = HEADING.exec(line) ?? [];
  if (level !== undefined) {
    const Name = HEADINGS[level.length - 1] ?? "h5";
    const block = <Name dir="auto">{inlines(title)}</Name>;
    return { block, count: 1 };
  }
  const [, page] = PAGE.exec(line) ?? [];
  if (page !== undefined) return { block: <PageNumber page={Number(page)} />, count: 1 };
  const [fence] = FENCE.exec(line) ?? [];
  if (fence !== undefined) {
    const end = takeWhile(lines, at + 1, (each) => !each.startsWith(fence));
    const text = lines.slice(at + 1, end).join("\n");
    const block = (
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
    );
    return { block, count: end - at + 1 };
  }
  if (line.startsWith(">") && depth < DEPTH_MAX) {
    const end = takeWhile(lines, at, (each) => each.startsWith(">"));
    const inner = lines.slice(at, end).map((each) => each.replace(/^> ?/u, ""));
    return { block: <blockquote>{blocks(inner, depth + 1)}</blockquote>, count: end - at };
  }
  const [, marker] = ITEM.exec(line) ?? [];
  if (marker !== undefined && depth < DEPTH_MAX) return takeList(lines, at, marker, depth);
  if (line.includes("|") && DELIMITER.test(lines[at + 1] ?? "")) {
    const end = takeWhile(lines, at + 2, (each) => each.includes("|"));
    const block = (
      <div class="table-scroll" tabIndex={0} role="group" aria-label={runWords.table}>
        <table>
          <thead>{row(line, "th")}</thead>
          <tbody>{lines.slice(at + 2, end).map((each) => row(each, "td"))}</tbody>
        </table>
      </div>
    );
    return { block, count: end - at };
  }
  const isNext = (each: string): boolean =>
    each === "" || each.startsWith(">") || [HEADING, FENCE, ITEM].some((start) => start.test(each));
  const end = takeWhile(lines, at + 1, (each) => !isNext(each));
  return { block: <p dir="auto">{inlines(lines.slice(at, end).join("\n"))}</p>, count: end - at };
};

const blocks = (lines: ReadonlyArray<string>, depth = 0): ReadonlyArray<Drawn> => {
  const out: Array<Drawn> = [];
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

export const readMarkdown = (markdown: string): ReadonlyArray<Drawn> => blocks(markdown.split("\n"));
