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
const joined = (items: ReadonlyArray<TextItem>, between: string): string =>
  [...Map.groupBy(items, ({ position }) => position).values()]
    .map((pieces) => pieces.map(({ segment }) => segment.text).join(""))
    .join(between);

const spoken = (items: ReadonlyArray<TextItem>): string => {
  const lines: Array<[TextItem, ...Array<TextItem>]> = [];
  for (const item of items) {
    const { startSeconds } = item.segment;
    const line = lines.at(-1);
    const markedAt = line?.[0].segment.startSeconds ?? null;
    const isDue =
      startSeconds !== null && (markedAt === null || startSeconds >= markedAt + MARK_EVERY_SECONDS);
    if (line === undefined || isDue) lines.push([item]);
    else line.push(item);
  }
  return lines
    .map((cues) => {
      const { startSeconds } = cues[0].segment;
      return (startSeconds === null ? "" : `[${timeMark(startSeconds)}] `) + oneLine(joined(cues, " "));
    })
    .join("\n");
};

/** A line for each, with its mark unless the line before has the same. */
const markedLines =
  (markOf: (item: TextItem) => string) =>
  (items: ReadonlyArray<TextItem>): string =>
    items
      .map((item, index) => {
        const before = items[index - 1];
        const mark = markOf(item);
        return (before !== undefined && markOf(before) === mark ? "" : mark) + oneLine(item.segment.text);
      })
      .join("\n");

const commentMark = ({ position, segment }: TextItem): string =>
  `[#${position + 1}] ${oneLine(segment.author ?? "") || "unknown"}: `;

/** The place of a value below `structured` in `metadata.json`, such as `0/values/ingredients/2`. */
const valueMark = ({ segment: { pointer = "" } }: TextItem): string =>
  `[${oneLine(pointer.replace(/^\/structured\//u, ""))}] `;

const slideMark = ({ segment: { slide } }: TextItem): string => (slide === undefined ? "" : `[${slide}] `);

/** With a mark before each page. */
const byPage = (items: ReadonlyArray<TextItem>): string => {
  const texts = [...Map.groupBy(items, ({ segment }) => segment.page)].flatMap(([page, words]) => [
    ...(page === undefined ? [] : [pageMark(page)]),
    joined(words, "\n\n")
  ]);
  return visibleText(texts.join("\n\n")).trim();
};

const RENDERED: Readonly<Record<TextSource, (items: ReadonlyArray<TextItem>) => string>> = {
  transcript: spoken,
  comments: markedLines(commentMark),
  page: byPage,
  description: byPage,
  structured: markedLines(valueMark),
  slides: markedLines(slideMark)
};

/** One part per text, ordered by its first item. */
export const renderTexts = (items: ReadonlyArray<TextItem>): ReadonlyArray<TextPart> =>
  [...Map.groupBy(items, ({ label }) => label)].flatMap(([label, ofText]) =>
    ofText
      .slice(0, 1)
      .map(({ source }): TextPart => ({ _tag: "Text", label, text: RENDERED[source](ofText) }))
  );
