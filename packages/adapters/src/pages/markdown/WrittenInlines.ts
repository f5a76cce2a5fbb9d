/** Serializes running text. Emphasis is omitted where CommonMark would not recognize its markers. */
import { escapedText, escapedUrl } from "./EscapedText.ts";
import type { Inline } from "./MarkdownTree.ts";

const MARKS = { strong: "**", emphasis: "*", struck: "~~" } as const;

const SPACE_OR_PUNCTUATION = /^[\s\p{P}\p{S}]$/u;

const isOpen = (character: string): boolean => character === "" || SPACE_OR_PUNCTUATION.test(character);

/** The longest run of backticks in it. */
const backticks = (text: string): number =>
  (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);

/** Uses more backticks than it contains, and spaces if it begins or ends with one. */
const codeSpan = (text: string): string => {
  const line = text.replace(/\s+/g, " ");
  if (line.trim() === "") return line;
  const fence = "`".repeat(backticks(line) + 1);
  const pad = /^`|`$|^ .* $/.test(line) ? " " : "";
  return `${fence}${pad}${line}${pad}${fence}`;
};

/** `<` and a letter would begin HTML, and `]:` may end the label of a definition; TeX ignores spaces there. */
const formula = (tex: string, isDisplay: boolean): string => {
  const line = tex
    .replace(/\s+/g, " ")
    .replaceAll("`", "'")
    .replace(/<(?=[A-Za-z/!?])/g, "< ")
    .replaceAll("]:", "] :")
    .trim();
  return isDisplay ? `$$${line}$$` : `$${line}$`;
};

interface Around {
  /** The characters before and after; empty at the edge of a block. */
  readonly before: string;
  readonly after: string;
  /**
   * Whether there is already an emphasis marker at this edge, or it is inside a link: no second one is written.
   */
  readonly isMarked: boolean;
  /** Whether it is the label of a link. */
  readonly isLabel: boolean;
}

const lastOf = (written: string): string => /.$/su.exec(written.slice(-2))?.[0] ?? "";

const firstOf = (inlines: ReadonlyArray<Inline>): string => {
  const [first] = inlines;
  if (first === undefined) return "";
  if (first.type === "text") return /^./su.exec(first.text)?.[0] ?? "";
  // After one emphasis marker, the next is omitted.
  if (first.type === "strong" || first.type === "emphasis" || first.type === "struck")
    return firstOf(first.children);
  return first.type === "break" ? " " : "[";
};

/** Spaces at its edges are moved outside the markers. */
const trimmed = (written: string): readonly [string, string, string] => {
  const [, before = "", text = "", after = ""] = /^(\s*)(.*?)(\s*)$/su.exec(written) ?? [];
  return [before, text, after];
};

/** Never without its markers, because the text would count as valid: spaces make room for them. */
const struck = ([before, text, after]: readonly [string, string, string], around: Around): string => {
  const first = /^./su.exec(text)?.[0] ?? "";
  const canOpen = before !== "" || ((!isOpen(first) || isOpen(around.before)) && around.before !== "~");
  const canClose = after !== "" || ((!isOpen(lastOf(text)) || isOpen(around.after)) && around.after !== "~");
  return `${before}${canOpen ? "" : " "}~~${text}~~${canClose ? "" : " "}${after}`;
};

const marked = (inline: Inline & { type: "strong" | "emphasis" | "struck" }, around: Around): string => {
  const plain = writtenInlines(inline.children, { ...around, isMarked: true });
  const [before, text, after] = trimmed(plain);
  if (text === "" || text.includes("\n")) return plain;
  if (inline.type === "struck") return struck(trimmed(plain), around);
  if (around.isMarked) return plain;
  const outsideBefore = before === "" ? around.before : " ";
  const outsideAfter = after === "" ? around.after : " ";
  const first = /^./su.exec(text)?.[0] ?? "";
  const last = lastOf(text);
  const canOpen = !isOpen(first) || isOpen(outsideBefore);
  const canClose = !isOpen(last) || isOpen(outsideAfter);
  if (!canOpen || !canClose || outsideBefore === "*" || outsideAfter === "*") return plain;
  const mark = MARKS[inline.type];
  return `${before}${mark}${text}${mark}${after}`;
};

/**
 * Ends a label and begins its target, even in code: a paragraph with only a link would be read as a definition.
 */
const DEFINITION = /\]:/u;

const labelledText = (text: string, { isLabel, after }: Around): string =>
  escapedText(text, { isLabel, isFollowed: after.trim() !== "" });

const written = (inline: Inline, around: Around): string => {
  switch (inline.type) {
    case "text":
      return labelledText(inline.text, around);
    case "code":
      return around.isLabel && DEFINITION.test(inline.text)
        ? labelledText(inline.text, around)
        : codeSpan(inline.text);
    case "formula":
      return formula(inline.tex, inline.isDisplay);
    case "checkbox":
      return inline.isChecked ? "[x]" : "[ ]";
    case "break":
      return "\\\n";
    case "noteMark":
      return `[^${inline.name}]`;
    case "image":
      return `![${escapedText(inline.alt, { isLabel: true, isFollowed: true })}](${escapedUrl(inline.url)})`;
    case "link": {
      const inside = { before: "[", after: "]", isMarked: false, isLabel: true };
      const [before, label, after] = trimmed(writtenInlines(inline.children, inside));
      return label === "" ? before : `${before}[${label}](${escapedUrl(inline.url)})${after}`;
    }
    default:
      return marked(inline, around);
  }
};

export const writtenInlines = (
  inlines: ReadonlyArray<Inline>,
  around: Around = { before: "", after: "", isMarked: false, isLabel: false }
): string => {
  let out = "";
  inlines.forEach((inline, index) => {
    const rest = inlines.slice(index + 1, index + 3);
    const before = out === "" ? around.before : lastOf(out);
    const after = rest.length === 0 ? around.after : firstOf(rest);
    const next = written(inline, { ...around, before, after });
    // An exclamation mark before a link would make it an image; two adjacent code spans would merge.
    if (next.startsWith("[") && out.endsWith("!")) out = `${out.slice(0, -1)}\\!`;
    if (next.startsWith("`") && out.endsWith("`")) out += " ";
    out += next;
  });
  return out;
};
