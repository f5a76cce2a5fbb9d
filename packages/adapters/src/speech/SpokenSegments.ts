/**
 * Cleans the output of a speech model: such models invent words over silence and repeat themselves over music.
 * Pure. Each number is held by SpokenSegments.test.ts.
 */
import { cleanLine } from "@winnow/core/domain/text/CleanText";
import { LEVEL_STEP_SECONDS, type SoundLevels, soundSeconds } from "./SoundLevels.ts";
import type { Stretch } from "@winnow/core/domain/transcript/CaptionTimes";
import { inSubtitles, withAlignedWords } from "./SpokenWords.ts";
import type { TranscriptSegment } from "@winnow/core/domain/transcript/Transcript";

/** A segment with less audible sound than this, in seconds, was invented by the model. */
const SPOKEN_SECONDS_MIN = 0.15;

/** Timestamps of segments shorter than this, in seconds, may be off by the margin below. */
const BRIEF_SECONDS = 1;
const BRIEF_MARGIN_SECONDS = 0.3;

/** Maximum length of a repeated sequence, in segments; a verse of a song is longer. */
const LOOP_SEGMENTS_MAX = 4;

/** Repetitions that count as a loop: a chorus repeats a line only twice. */
const LOOP_TIMES_MIN = 3;

/** Within one segment, people do repeat a word three or four times. */
const WORD_LOOP_TIMES_MIN = 5;
const LOOP_WORDS_MAX = 20;

/** Compares letters and digits only, because models punctuate the same words differently. */
const foldedWords = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim();

/** What models write over music and noise: "[Music]", "(applause)", "♪ ♪". */
const SOUND_NAME = /^(?:\s*(?:\[[^\]]*\]|\([^)]*\)|\*[^*]*\*|[♪♫♬\s]+))+\s*$/u;

/**
 * What models trained on videos write where nobody speaks: the end of such videos and the credits of their subtitles.
 */
const OUTRO =
  /^(?:(?:thank you|thanks)(?: (?:so|very) much)?(?: (?:all|guys|everyone))?(?: for (?:watching|listening|viewing))?|(?:please |like and |don t forget to )*subscribe(?: to (?:my|our|the) channel)?|see you (?:in the )?next (?:time|video)|subtitles by .*|untertitel(?:ung)? .*|vielen dank fürs zuschauen|sous titr.*|merci d avoir regardé.*|subtítulos .*|gracias por ver.*|sottotitoli .*|legendas .*|.*amara org.*|ご視聴ありがとうございました|字幕.*|продолжение следует|субтитры .*)$/u;

/** An outro is said in two seconds; stretched over more sound with fewer words a second, it was not said. */
const OUTRO_WORDS_PER_SECOND_MIN = 0.5;

/** Whether the text is an outro or a name of a sound, which models also write where nobody speaks. */
export const isNoSpeechPhrase = (text: string): boolean =>
  SOUND_NAME.test(text) || OUTRO.test(foldedWords(text));

const WORDS = new Intl.Segmenter(undefined, { granularity: "word" });

/** Words in any script. */
const wordCount = (text: string): number => {
  let count = 0;
  for (const { isWordLike } of WORDS.segment(text)) if (isWordLike === true) count += 1;
  return count;
};

const isSaid = (sound: SoundLevels, segment: TranscriptSegment): boolean => {
  const { text } = segment;
  if (SOUND_NAME.test(text)) return false;
  if (!OUTRO.test(foldedWords(text))) return true;
  return wordCount(text) >= OUTRO_WORDS_PER_SECOND_MIN * soundSeconds(sound, segment);
};

const isAudible = (sound: SoundLevels, { startSeconds, endSeconds }: Stretch): boolean => {
  const margin = endSeconds - startSeconds < BRIEF_SECONDS ? BRIEF_MARGIN_SECONDS : 0;
  const around = { startSeconds: startSeconds - margin, endSeconds: endSeconds + margin };
  return soundSeconds(sound, around) >= SPOKEN_SECONDS_MIN;
};

/** How many times the `length` items at `start` occur in a row. */
const repetitionsOf = (items: ReadonlyArray<string>, start: number, length: number): number => {
  let at = start + length;
  while (
    at + length <= items.length &&
    items.slice(at, at + length).every((item, i) => item === items[start + i])
  )
    at += length;
  return (at - start) / length;
};

/** Indexes of the items to keep: of a loop, only the first pass. */
const withoutLoops = (
  items: ReadonlyArray<string>,
  { lengthMax, timesMin }: { readonly lengthMax: number; readonly timesMin: number }
): ReadonlyArray<number> => {
  const indexes: Array<number> = [];
  let at = 0;
  while (at < items.length) {
    let length = 1;
    let times = 1;
    for (; length <= lengthMax; length++) {
      times = repetitionsOf(items, at, length);
      if (times >= timesMin) break;
    }
    const [stay, skip] = times >= timesMin ? [length, length * times] : [1, 1];
    for (let index = 0; index < stay; index++) indexes.push(at + index);
    at += skip;
  }
  return indexes;
};

/** Collapses looped words to one occurrence. */
const calmed = (text: string): string => {
  const words = text.split(" ");
  const indexes = withoutLoops(words.map(foldedWords), {
    lengthMax: LOOP_WORDS_MAX,
    timesMin: WORD_LOOP_TIMES_MIN
  });
  return indexes.map((index) => words[index]).join(" ");
};

/** Sorted by time without overlaps; duplicates at the same time are dropped. */
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

/**
 * The segments that were actually spoken: times within the recording, no invented words, no loops, none longer than a
 * subtitle if its words have times.
 */
export const spokenSegments = (
  sound: SoundLevels,
  segments: ReadonlyArray<TranscriptSegment>
): ReadonlyArray<TranscriptSegment> => {
  const withSpeech = inOrder(segments)
    .flatMap((segment) => {
      const text = cleanLine(segment.text);
      return text === null || !isAudible(sound, segment) ? [] : [{ ...segment, text: calmed(text) }];
    })
    .filter((segment) => foldedWords(segment.text) !== "" && isSaid(sound, segment));
  const indexes = withoutLoops(
    withSpeech.map(({ text }) => foldedWords(text)),
    { lengthMax: LOOP_SEGMENTS_MAX, timesMin: LOOP_TIMES_MIN }
  );
  return indexes
    .flatMap((index) => withSpeech[index] ?? [])
    .flatMap((segment) => inSubtitles(withAlignedWords(segment)));
};

/** What a model wrote of a recording, cleaned. */
export interface Recognised {
  readonly segments: ReadonlyArray<TranscriptSegment>;
  /** Segments that were removed because the model itself was unsure of them. */
  readonly removedCount: number;
  /** The model was sure of at least one segment that is left. */
  readonly isSure: boolean;
}

/** Slow speech with pauses has one word a second. */
const UNSURE_WORDS_PER_SECOND = 0.3;

/** Noise is sometimes taken for a word or two; so few, fewer than one in twenty seconds, are nobody speaking. */
const NOISE_WORDS_MAX = 2;
const NOISE_WORDS_PER_SECOND = 0.05;

/** Nonsense over noise or music is nobody speaking; few words, or mostly removed ones, are doubtful. */
export const withDoubts = (
  sound: SoundLevels,
  { segments, removedCount, isSure }: Recognised
): { readonly segments: ReadonlyArray<TranscriptSegment>; readonly isUnsure: boolean } => {
  const whole = { startSeconds: 0, endSeconds: sound.levels.length * LEVEL_STEP_SECONDS };
  const words = segments.reduce((sum, { text }) => sum + wordCount(text), 0);
  const seconds = soundSeconds(sound, whole);
  const isNoise = words <= NOISE_WORDS_MAX && words < NOISE_WORDS_PER_SECOND * seconds;
  if (segments.length > 0 && !isSure && isNoise) return { segments: [], isUnsure: true };
  const isSparse = segments.length > 0 && words < UNSURE_WORDS_PER_SECOND * seconds;
  return { segments, isUnsure: isSparse || removedCount > segments.length };
};
