/** What a local model recognised, as segments of a transcript. Pure. Tests: utterances.test.ts, LocalTranscriber.test.ts. */
import { LANGUAGE_UNKNOWN, languageTagOf } from "@winnow/core/domain/text/LanguageTag";
import { roundedSeconds } from "@winnow/core/domain/text/Milliseconds";
import type { Stretch } from "@winnow/core/domain/transcript/CaptionTimes";
import type { TranscriptSegment, TranscriptWord } from "@winnow/core/domain/transcript/Transcript";
import { SAMPLE_HERTZ, type Utterance } from "./RecogniserMessages.ts";

const seconds = (samples: number): number => roundedSeconds(samples / SAMPLE_HERTZ);

/** Begins a word in the pieces of a model: SentencePiece's mark, or a space. */
const WORD_START = /^[\u2581 ]/u;

/** A longer word is a language without spaces, whose pieces are no words. */
const WORD_CHARS_MAX = 40;

/** The words of a segment with their times; empty if the model does not say. */
const wordsOf = ({ timestamps, tokens }: Utterance, within: Stretch): ReadonlyArray<TranscriptWord> => {
  if (tokens.length === 0 || tokens.length !== timestamps.length) return [];
  const words: Array<{ text: string; readonly startSeconds: number }> = [];
  for (const [index, token] of tokens.entries()) {
    const last = words.at(-1);
    const text = token.replace(WORD_START, "");
    const startSeconds = Math.min(within.endSeconds, within.startSeconds + (timestamps[index] ?? 0));
    if (last === undefined || WORD_START.test(token)) words.push({ text, startSeconds });
    else last.text += text;
  }
  if (words.some(({ text }) => text.length > WORD_CHARS_MAX)) return [];
  return words.map((word, index) => ({
    ...word,
    endSeconds: Math.max(word.startSeconds, words[index + 1]?.startSeconds ?? within.endSeconds)
  }));
};

/** Null if nothing was recognised. */
export const segmentOf = (utterance: Utterance): TranscriptSegment | null => {
  const text = utterance.text.trim();
  if (text === "") return null;
  const within = {
    startSeconds: seconds(utterance.startSample),
    endSeconds: seconds(utterance.endSample)
  };
  const words = wordsOf(utterance, within);
  return { text, ...within, ...(words.length === 0 ? {} : { words }) };
};

/** Speech of at least this length without a word is a gap; less is a breath or a laugh. */
const GAP_SECONDS_MIN = 1;

export const gapsOf = (utterances: ReadonlyArray<Utterance>): ReadonlyArray<Stretch> =>
  utterances
    .filter(({ text }) => text.trim() === "")
    .map(({ endSample, startSample }) => ({
      startSeconds: seconds(startSample),
      endSeconds: seconds(endSample)
    }))
    .filter(({ endSeconds, startSeconds }) => endSeconds - startSeconds >= GAP_SECONDS_MIN);

/** The language of most of the speech; null if the model does not say. */
export const languageOf = (utterances: ReadonlyArray<Utterance>): string | null => {
  const samples = new Map<string, number>();
  for (const { endSample, language, startSample } of utterances) {
    // SenseVoice writes <|en|>.
    const tag = languageTagOf(language.replaceAll(/[<|>]/gu, ""));
    if (tag !== LANGUAGE_UNKNOWN) samples.set(tag, (samples.get(tag) ?? 0) + endSample - startSample);
  }
  return [...samples].toSorted(([, left], [, right]) => right - left)[0]?.[0] ?? null;
};

/** Root mean square of each tenth of a second, in decibels of full scale, as for SoundLevels. */
export const levelsOf = (pcm: Uint8Array, stepSamples: number): ReadonlyArray<number> => {
  const view = new DataView(pcm.buffer, pcm.byteOffset, pcm.byteLength);
  const levels: Array<number> = [];
  const count = Math.floor(pcm.length / 2);
  for (let start = 0; start < count; start += stepSamples) {
    const end = Math.min(count, start + stepSamples);
    let sum = 0;
    for (let at = start; at < end; at++) sum += (view.getInt16(2 * at, true) / 32_768) ** 2;
    levels.push(sum === 0 ? Number.NEGATIVE_INFINITY : 10 * Math.log10(sum / (end - start)));
  }
  return levels;
};
