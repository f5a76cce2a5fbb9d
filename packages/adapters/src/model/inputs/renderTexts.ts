/**
 * Renders texts for the model. Words are unchanged; line breaks within a cue or comment become spaces, so that
 * quotes can be found in the segments again (domain/evidence/Grounding folds white space).
 *
 * Marks are our own and only at the start of a line: `[mm:ss]` or `[h:mm:ss]` before the cues of a transcript from
 * that time on, `[#7] author:` before the seventh comment, `[0/values/name]` before a value of structured
 * data, `[2]` before the words on the second slide. They are not part of the content or of any quote; {@link MARKS_EXPLAINED} explains them to the model.
 */
import { timeMark } from "@winnow/core/domain/transcript/Transcript";
import type { TextSource } from "@winnow/core/domain/text/InputText";
import { pageMark, visibleText } from "@winnow/core/domain/text/CleanText";
import type { TextPart, TextItem } from "./InputItems.ts";

/** Interval of time marks: often enough to locate a quote, rarely enough to cost little. */
const MARK_EVERY_SECONDS = 30;

export const MARKS_EXPLAINED =
  "Times in square brackets at the start of a line ([12:34]) and the number and author before a comment " +
  "([#7] name:) are marks, and so are the place before a value of structured data ([0/values/name]) and the number before the words on a slide ([2]). Marks are not content: leave them out of quotes, and never quote across two of them. " +
  "The syntax of Markdown is not content either: <!-- page 3 --> precedes what is on page 3. The target of a link counts " +
  "as content.";

const oneLine = (text: string): string => visibleText(text).replace(/\s+/gu, " ").trim();

/** Items of a split segment are joined without a break. */
const joined = (pieces: ReadonlyArray<TextItem>, between: string): string =>
  pieces
    .map(({ segment, position }, index) => {
      const same = index > 0 && pieces[index - 1]?.position === position;
      return (index === 0 || same ? "" : between) + segment.text;
    })
    .join("");

const spoken = (items: ReadonlyArray<TextItem>): string => {
  const lines: Array<{ readonly startSeconds: number | null; readonly cues: Array<TextItem> }> = [];
  for (const item of items) {
    const { startSeconds } = item.segment;
    const line = lines.at(-1);
    const isDue =
      startSeconds !== null &&
      (line?.startSeconds == null || startSeconds >= line.startSeconds + MARK_EVERY_SECONDS);
    if (line === undefined || isDue) lines.push({ startSeconds, cues: [item] });
    else line.cues.push(item);
  }
  return lines
    .map(({ startSeconds, cues }) => {
      const words = oneLine(joined(cues, " "));
      return startSeconds === null ? words : `[${timeMark(startSeconds)}] ${words}`;
    })
    .join("\n");
};

const commentLines = (items: ReadonlyArray<TextItem>): string =>
  items
    .map(({ segment, position }) => {
      const author = segment.author === null ? "" : oneLine(segment.author);
      return `[#${position + 1}] ${author === "" ? "unknown" : author}: ${oneLine(segment.text)}`;
    })
    .join("\n");

/** With a page mark before the first item of each page. */
const withPages = (items: ReadonlyArray<TextItem>): ReadonlyArray<TextItem> => {
  let before: number | undefined;
  return items.map((item) => {
    const { page, text } = item.segment;
    const isNew = page !== before && page !== undefined && text !== pageMark(page);
    before = page;
    return isNew ? { ...item, segment: { ...item.segment, text: `${pageMark(page)}\n\n${text}` } } : item;
  });
};

const written = (items: ReadonlyArray<TextItem>): string =>
  visibleText(joined(withPages(items), "\n\n")).trim();

/** The place of each value below `structured` in `metadata.json`, such as `0/values/ingredients/2`. */
const valueLines = (items: ReadonlyArray<TextItem>): string =>
  items
    .map(({ segment, position }, index) => {
      if (index > 0 && items[index - 1]?.position === position) return oneLine(segment.text);
      const place = (segment.pointer ?? "").replace(/^\/structured\//u, "");
      return `[${oneLine(place)}] ${oneLine(segment.text)}`;
    })
    .join("\n");

/** The number of a slide before its first line. */
const slideLines = (items: ReadonlyArray<TextItem>): string =>
  items
    .map(({ segment, position }, index) => {
      const before = items[index - 1];
      const words = oneLine(segment.text);
      if (before?.position === position) return words;
      return before?.segment.slide === segment.slide ? `\n${words}` : `\n[${segment.slide}] ${words}`;
    })
    .join("")
    .trimStart();

const RENDERED: Readonly<Record<TextSource, (items: ReadonlyArray<TextItem>) => string>> = {
  transcript: spoken,
  comments: commentLines,
  page: written,
  description: written,
  structured: valueLines,
  slides: slideLines
};

/** One part per text, ordered by its first item; `labels` by number of the text. */
export const renderTexts = (
  items: ReadonlyArray<TextItem>,
  labels: ReadonlyArray<string>
): ReadonlyArray<TextPart> => {
  const byText = Map.groupBy(items, ({ textNumber }) => textNumber);
  return [...byText].flatMap(([textNumber, [first, ...rest]]) =>
    first === undefined
      ? []
      : [
          {
            _tag: "Text" as const,
            label: labels[textNumber] ?? first.source,
            text: RENDERED[first.source]([first, ...rest])
          }
        ]
  );
};
