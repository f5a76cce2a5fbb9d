/** The words of a segment with their times, and segments short enough for a subtitle. Pure. */
import type { TranscriptSegment, TranscriptWord } from "@winnow/core/domain/transcript/Transcript";

/** A longer subtitle is not read at a glance, in seconds (the limit of common subtitle guidelines). */
const SUBTITLE_SECONDS_MAX = 7;

const SENTENCE_END = /[.!?…。！？]["'”’)\]]*\s*$/u;
const CLAUSE_END = /[,;:،、，–—]\s*$/u;

/** What a split is worth there, as a part of the segment's length that it may lie away from the middle. */
const SENTENCE_WORTH = 0.5;
const CLAUSE_WORTH = 0.25;
const PAUSE_WORTH_PER_SECOND = 0.25;

/** What stands around the word in `«word»,`. */
const EDGES = /^[^\p{L}\p{M}\p{N}]+|[^\p{L}\p{M}\p{N}]+$/gu;

/** Where each word begins in the text; null if one is not there in its turn. */
const placesOf = (text: string, words: ReadonlyArray<TranscriptWord>): ReadonlyArray<number> | null => {
  const folded = text.toLowerCase();
  if (folded.length !== text.length) return null;
  const places: Array<number> = [];
  let from = 0;
  for (const word of words) {
    const said = word.text.toLowerCase().replace(EDGES, "");
    const at = said === "" ? -1 : folded.indexOf(said, from);
    if (at < 0) return null;
    places.push(at);
    from = at + said.length;
  }
  return places;
};

/**
 * The segment with its words as its text writes them, and times within its own; without words if they are not those
 * of its text.
 */
export const withAlignedWords = ({ words = [], ...segment }: TranscriptSegment): TranscriptSegment => {
  const { startSeconds, endSeconds, text } = segment;
  const places = words.length === 0 ? null : placesOf(text, words);
  if (places === null) return segment;
  let before = startSeconds;
  const within = (seconds: number): number => {
    before = Math.min(endSeconds, Math.max(before, seconds));
    return before;
  };
  return {
    ...segment,
    words: words.map((word, index) => ({
      text: text.slice(index === 0 ? 0 : places[index], places[index + 1]).trim(),
      startSeconds: within(word.startSeconds),
      endSeconds: within(word.endSeconds)
    }))
  };
};

/** The best place to split, as the number of words before it. */
const splitPlace = (words: ReadonlyArray<TranscriptWord>, startSeconds: number, seconds: number): number => {
  let best = { at: 1, cost: Number.POSITIVE_INFINITY };
  for (let at = 1; at < words.length; at++) {
    const before = words[at - 1];
    const after = words[at];
    if (before === undefined || after === undefined) continue;
    const pauseSeconds = Math.min(1, Math.max(0, after.startSeconds - before.endSeconds));
    const fromMiddle = Math.abs((before.endSeconds + after.startSeconds) / 2 - startSeconds - seconds / 2);
    const ending = CLAUSE_END.test(before.text) ? CLAUSE_WORTH : 0;
    const worth = SENTENCE_END.test(before.text) ? SENTENCE_WORTH : ending;
    const cost = fromMiddle / seconds - worth - PAUSE_WORTH_PER_SECOND * pauseSeconds;
    if (cost < best.cost) best = { at, cost };
  }
  return best.at;
};

/** Length of the text up to the end of its first words. */
const lengthOf = (text: string, words: ReadonlyArray<TranscriptWord>): number =>
  words.reduce((at, word) => text.indexOf(word.text, at) + word.text.length, 0);

/** Segments with words (of {@link withAlignedWords}) in parts of at most seven seconds, if their words allow. */
export const inSubtitles = (segment: TranscriptSegment): ReadonlyArray<TranscriptSegment> => {
  const { startSeconds, endSeconds, text, words = [] } = segment;
  const seconds = endSeconds - startSeconds;
  if (seconds <= SUBTITLE_SECONDS_MAX || words.length < 2) return [segment];
  const at = splitPlace(words, startSeconds, seconds);
  const [left, right] = [words.slice(0, at), words.slice(at)];
  const length = lengthOf(text, left);
  return [
    ...inSubtitles({
      ...segment,
      text: text.slice(0, length).trim(),
      endSeconds: left.at(-1)?.endSeconds ?? endSeconds,
      words: left
    }),
    ...inSubtitles({
      ...segment,
      text: text.slice(length).trim(),
      startSeconds: right[0]?.startSeconds ?? startSeconds,
      words: right
    })
  ];
};
