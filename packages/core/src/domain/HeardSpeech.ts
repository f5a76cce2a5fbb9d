/**
 * What a speech model wrote down, without what nobody said: such models invent words over silence and go round in
 * circles over music. Pure.
 */
import { cleanLine } from "./CleanText.ts";
import { type SoundLevels, soundSeconds, type Stretch } from "./SoundLevels.ts";
import type { TranscriptSegment } from "./Transcript.ts";

/** Less of a segment than this sounds: its words are made up, in seconds. */
const SPOKEN_SECONDS_MIN = 0.15;

/** A segment shorter than this may stand beside its words by as much, in seconds. */
const BRIEF_SECONDS = 1;
const BRIEF_MARGIN_SECONDS = 0.3;

/** Segments that go round together; a verse of a song is longer. */
const CIRCLE_SEGMENTS_MAX = 4;

/** So many times over is a circle: a chorus says a line twice. */
const CIRCLE_TIMES_MIN = 3;

/** Within one segment people do say a word three or four times. */
const WORD_CIRCLE_TIMES_MIN = 5;
const CIRCLE_WORDS_MAX = 20;

/** Letters and digits alone: models write the same words now with a full stop, now without. */
const foldedWords = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim();

const isSpoken = (sound: SoundLevels, { startSeconds, endSeconds }: Stretch): boolean => {
  const margin = endSeconds - startSeconds < BRIEF_SECONDS ? BRIEF_MARGIN_SECONDS : 0;
  const around = { startSeconds: startSeconds - margin, endSeconds: endSeconds + margin };
  return soundSeconds(sound, around) >= SPOKEN_SECONDS_MIN;
};

/** How many times in all the `length` items at `start` come one after the other. */
const timesOver = (items: ReadonlyArray<string>, start: number, length: number): number => {
  let at = start + length;
  while (
    at + length <= items.length &&
    items.slice(at, at + length).every((item, i) => item === items[start + i])
  )
    at += length;
  return (at - start) / length;
};

/** Indexes of the items that stay: of what goes round, the first time. */
const withoutCircles = (
  items: ReadonlyArray<string>,
  { lengthMax, timesMin }: { readonly lengthMax: number; readonly timesMin: number }
): ReadonlyArray<number> => {
  const kept: Array<number> = [];
  let at = 0;
  while (at < items.length) {
    let length = 1;
    let times = 1;
    for (; length <= lengthMax; length++) {
      times = timesOver(items, at, length);
      if (times >= timesMin) break;
    }
    const [stay, skip] = times >= timesMin ? [length, length * times] : [1, 1];
    for (let index = 0; index < stay; index++) kept.push(at + index);
    at += skip;
  }
  return kept;
};

/** The words once, where they go round. */
const calmed = (text: string): string => {
  const words = text.split(" ");
  const kept = withoutCircles(words.map(foldedWords), {
    lengthMax: CIRCLE_WORDS_MAX,
    timesMin: WORD_CIRCLE_TIMES_MIN
  });
  return kept.map((index) => words[index]).join(" ");
};

/** In the order of time, each after the one before; said twice at the same time counts once. */
const inOrder = (segments: ReadonlyArray<TranscriptSegment>): ReadonlyArray<TranscriptSegment> => {
  const ordered: Array<TranscriptSegment> = [];
  for (const segment of segments.toSorted((left, right) => left.startSeconds - right.startSeconds)) {
    const before = ordered.at(-1);
    const isAgain =
      before !== undefined &&
      segment.startSeconds < before.endSeconds &&
      foldedWords(segment.text) === foldedWords(before.text);
    if (!isAgain) ordered.push(segment);
  }
  return ordered;
};

/** Segments as people said them: times within the recording, no invented words, nothing that goes round. */
export const spokenSegments = (
  sound: SoundLevels,
  heard: ReadonlyArray<TranscriptSegment>
): ReadonlyArray<TranscriptSegment> => {
  const spoken = inOrder(heard)
    .flatMap((segment) => {
      const text = cleanLine(segment.text);
      return text === null || !isSpoken(sound, segment) ? [] : [{ ...segment, text: calmed(text) }];
    })
    .filter(({ text }) => foldedWords(text) !== "");
  const kept = withoutCircles(
    spoken.map(({ text }) => foldedWords(text)),
    { lengthMax: CIRCLE_SEGMENTS_MAX, timesMin: CIRCLE_TIMES_MIN }
  );
  return kept.flatMap((index) => spoken[index] ?? []);
};
