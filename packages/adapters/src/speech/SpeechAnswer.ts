/**
 * Reads the answers of transcription servers, whatever their dialect: arrays may be null, an error may come with
 * status 200, and text may come alone. Pure. Tests: Transcriptions.test.ts.
 */
import type { TranscriptSegment, TranscriptWord } from "@winnow/core/domain/transcript/Transcript";
import { isNoSpeechPhrase } from "./SpokenSegments.ts";
import type { JsonObject } from "@winnow/core/domain/json-schema/SchemaRules";
import { isJsonObject, propertyOf } from "@winnow/core/domain/text/Json";
import type * as Schema from "effect/Schema";
import { jsonIn, listIn, textIn } from "../model-server/AnyJson.ts";
import { FaultInside } from "../model-server/ServerFault.ts";
import type { Transcription } from "./SpeechClient.ts";

/** An answer with status 200 that is no transcription. */
class NoTranscription extends Error {}

/** Speech models invent words over silence, and report the probability that there is no speech. */
const NO_SPEECH_MAX = 0.6;

/** Of an outro, which is also invented where it is less probable. */
const OUTRO_NO_SPEECH_MAX = 0.3;

/** Above this confidence, a segment counts as speech anyway, as in openai/whisper. */
const SURE_LOGPROB_MIN = -0.5;

/** Below this confidence the words are invented; openai/whisper tries again below -1. */
const UNSURE_LOGPROB_MIN = -1.5;

/** Above this the text is a loop, as in openai/whisper. */
const COMPRESSION_RATIO_MAX = 2.4;

/** A pause of this length, or this many words, ends a segment built from words. */
const WORD_GAP_SECONDS_MAX = 0.8;
const WORDS_MAX = 16;

const objectsIn = (value: Schema.Json | undefined): ReadonlyArray<JsonObject> =>
  listIn(value).filter(isJsonObject);
const numberIn = (value: Schema.Json | undefined): number | null =>
  typeof value === "number" && Number.isFinite(value) ? value : null;

const timesOf = (timed: JsonObject) => {
  const [startSeconds, endSeconds] = [numberIn(timed["start"]), numberIn(timed["end"])];
  return startSeconds === null || endSeconds === null ? null : { startSeconds, endSeconds };
};

const wordsIn = (value: Schema.Json | undefined): ReadonlyArray<TranscriptWord> =>
  objectsIn(value).flatMap((word) => {
    const text = (textIn(word["word"]) ?? textIn(word["text"]) ?? "").trim();
    const times = timesOf(word);
    return text === "" || times === null ? [] : [{ text, ...times }];
  });

/** For servers that report times of words but not of segments. */
const ofWords = (words: ReadonlyArray<TranscriptWord>): ReadonlyArray<TranscriptSegment> => {
  const groups: Array<Array<TranscriptWord>> = [];
  for (const word of words) {
    const last = groups.at(-1);
    const before = last?.at(-1);
    const isNext = before !== undefined && word.startSeconds - before.endSeconds <= WORD_GAP_SECONDS_MAX;
    if (last !== undefined && isNext && last.length < WORDS_MAX) last.push(word);
    else groups.push([word]);
  }
  return groups.map((group) => ({
    text: group.map(({ text }) => text).join(" "),
    startSeconds: group[0]?.startSeconds ?? 0,
    endSeconds: group.at(-1)?.endSeconds ?? 0,
    words: group
  }));
};

type Judgement = "sure" | "said" | "silent" | "unsure";

/** What the model itself reports about a segment. */
const judgementOf = (segment: JsonObject, text: string): Judgement => {
  const noSpeech = numberIn(segment["no_speech_prob"]) ?? 0;
  const logprob = numberIn(segment["avg_logprob"]);
  const isSure = logprob !== null && logprob > SURE_LOGPROB_MIN;
  if (noSpeech > NO_SPEECH_MAX && !isSure) return "silent";
  if (noSpeech > OUTRO_NO_SPEECH_MAX && isNoSpeechPhrase(text)) return "silent";
  if (logprob !== null && logprob < UNSURE_LOGPROB_MIN) return "unsure";
  if ((numberIn(segment["compression_ratio"]) ?? 0) > COMPRESSION_RATIO_MAX) return "unsure";
  return isSure ? "sure" : "said";
};

interface Judged extends TranscriptSegment {
  readonly judgement: Judgement;
}

/** Words belong to the segment in which their middle lies. */
const wordsWithin = (words: ReadonlyArray<TranscriptWord>, { startSeconds, endSeconds }: TranscriptSegment) =>
  words.filter((word) => {
    const middle = (word.startSeconds + word.endSeconds) / 2;
    return middle >= startSeconds && middle < endSeconds;
  });

const judged = (segments: ReadonlyArray<JsonObject>, all: ReadonlyArray<TranscriptWord>) =>
  segments.flatMap((each): ReadonlyArray<Judged> => {
    const times = timesOf(each);
    if (times === null) return [];
    const segment = { text: (textIn(each["text"]) ?? "").trim(), ...times };
    const own = wordsIn(each["words"]);
    const words = own.length > 0 ? own : wordsWithin(all, segment);
    const speaker = textIn(each["speaker"]);
    return [
      {
        ...segment,
        ...(words.length === 0 ? {} : { words }),
        ...(speaker === null || speaker === "" ? {} : { speaker }),
        judgement: judgementOf(each, segment.text)
      }
    ];
  });

const NOTHING_REPORTED = { silentCount: 0, removedCount: 0, isSure: false } as const;

const oneText = (text: string, language: string | null): Transcription => ({
  text: text.trim(),
  segments: [],
  hasTimes: false,
  language,
  ...NOTHING_REPORTED
});

const ofObject = (answer: JsonObject): Transcription | null => {
  const text = textIn(propertyOf(answer, "text"));
  const listed = propertyOf(answer, "segments");
  const all = wordsIn(propertyOf(answer, "words"));
  if (text === null && !Array.isArray(listed) && all.length === 0) return null;
  const language = textIn(propertyOf(answer, "language"));
  const segments = judged(objectsIn(listed), all);
  if (segments.length === 0) {
    const ofTheirs = ofWords(all);
    const one = oneText(text ?? "", language);
    const isEmptyList = Array.isArray(listed) && one.text === "";
    return { ...one, segments: ofTheirs, hasTimes: ofTheirs.length > 0 || isEmptyList };
  }
  const count = (judgement: Judgement): number =>
    segments.filter((segment) => segment.judgement === judgement).length;
  return {
    text: text ?? "",
    segments: segments.flatMap(({ judgement, ...segment }) =>
      judgement === "sure" || judgement === "said" ? [segment] : []
    ),
    hasTimes: true,
    language,
    silentCount: count("silent"),
    removedCount: count("unsure"),
    isSure: count("sure") > 0
  };
};

/** A page of a proxy or a wrong address. */
const HTML = /^\s*<(?:!doctype|html|\?xml)/iu;

/**
 * The body of an answer with status 200, parsed or as text.
 *
 * @throws FaultInside, NoTranscription
 */
export const transcriptionIn = (body: unknown): Transcription => {
  const answer = typeof body === "string" ? jsonIn(body) : (body as Schema.Json);
  if (typeof answer === "string" && !HTML.test(answer)) return oneText(answer, null);
  const fault = isJsonObject(answer) ? (propertyOf(answer, "error") ?? null) : null;
  if (fault !== null) throw new FaultInside(fault);
  const heard = isJsonObject(answer) ? ofObject(answer) : null;
  if (heard === null) throw new NoTranscription();
  return heard;
};

/** Seconds of sound that the server says it has heard: of `verbose_json`, or of newer models; null if it says none. */
export const heardSeconds = (body: unknown): number | null => {
  if (!isJsonObject(body as Schema.Json)) return null;
  const usage = propertyOf(body as JsonObject, "usage") ?? null;
  return (
    numberIn(propertyOf(body as JsonObject, "duration")) ??
    (isJsonObject(usage) ? numberIn(usage["seconds"]) : null)
  );
};
