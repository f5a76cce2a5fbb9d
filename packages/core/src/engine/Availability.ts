/**
 * What of a request a source has and the model takes, and what the policy makes of the rest. Pure.
 *
 * A default asks for whatever there is: photo posts without a transcript lack nothing. Who names what a
 * kind of source never has, or what this source lacks, is told so or refused.
 */
import { canonical, DEFAULT_INPUTS, DEFAULT_PARTS, MODALITIES, type Modality } from "../domain/Modality.ts";
import type { Failure } from "../domain/Failure.ts";
import type { RunRequest } from "../domain/RunRequest.ts";
import type { SourceKind } from "../domain/SourceFacts.ts";

type Asked = Pick<RunRequest, "mode" | "modalities">;

/** A webpage's transcript is its text; photo posts offer comments only (specification, "Pricing"). */
const OFFERED: Readonly<Record<SourceKind, ReadonlyArray<Modality>>> = {
  video: MODALITIES,
  photos: ["comments"],
  webpage: ["transcript"]
};

const KIND_WORDS: Readonly<Record<SourceKind, string>> = {
  video: "videos",
  photos: "photo posts",
  webpage: "webpages"
};

const LACKING: Readonly<Record<Modality, string>> = {
  transcript: "There is no transcript: the source has no subtitles.",
  comments: "There are no comments: the source shows none.",
  audio: "There is no audio: the source has no audio track.",
  video: "There is no video: the source has no picture track."
};

/** What is fetched of what was asked; the AI pass reads the text of a webpage whatever its inputs are. */
export const wantsOf = (kind: SourceKind, { mode, modalities }: Asked): ReadonlyArray<Modality> =>
  kind === "webpage" && mode === "ai"
    ? OFFERED.webpage
    : modalities.filter((modality) => OFFERED[kind].includes(modality));

const isDefault = ({ mode, modalities }: Asked): boolean =>
  canonical(modalities).join() === (mode === "ai" ? DEFAULT_INPUTS : DEFAULT_PARTS).join();

/** Inputs or parts that were asked for and are not among the result. */
export interface Missing {
  /** The source does not have them. */
  readonly absent: ReadonlyArray<Modality>;
  /** The model cannot take them. */
  readonly untaken: ReadonlyArray<Modality>;
  /** The language asked for, where the transcript is in another one; else null. */
  readonly language: string | null;
  /** Of a photo post that was to be read: its slides, and those that the model did not get. */
  readonly slides: SlidesRead;
}

export interface SlidesRead {
  readonly count: number;
  readonly unread: number;
}

export const NO_SLIDES: SlidesRead = { count: 0, unread: 0 };

/** Asked for and not to be had; `lacking` is what the downloader did not find of {@link wantsOf}. */
export const absentOf = (
  kind: SourceKind,
  asked: Asked,
  lacking: ReadonlyArray<Modality>
): ReadonlyArray<Modality> => {
  const isOffered = (modality: Modality): boolean => OFFERED[kind].includes(modality);
  return canonical(
    asked.modalities.filter((modality) =>
      isOffered(modality) ? lacking.includes(modality) : !isDefault(asked)
    )
  );
};

/** The language that {@link Missing} names, of a request and whether its transcript lacks it. */
export const languageOf = (
  { language }: Pick<RunRequest, "language">,
  { languageMissing }: { readonly languageMissing: boolean }
): string | null => (languageMissing ? (language ?? null) : null);

export const unavailableOf = ({ absent, untaken }: Missing): ReadonlyArray<Modality> =>
  canonical([...absent, ...untaken]);

const notOffered = (modality: Modality, kinds: string): string =>
  modality === "comments"
    ? `There are no comments: they are not offered for ${kinds}.`
    : `There is no ${modality}: it is not offered for ${kinds}.`;

const slidesSentences = ({ count, unread }: SlidesRead): ReadonlyArray<string> => {
  if (unread === 0) return [];
  return unread < count
    ? [`${unread} of ${count} slides were not read.`]
    : ["The slides were not read: the model cannot take them."];
};

const sentences = (
  kind: SourceKind,
  { absent, untaken, language, slides }: Missing
): ReadonlyArray<string> => [
  ...absent.map((modality) =>
    OFFERED[kind].includes(modality) ? LACKING[modality] : notOffered(modality, KIND_WORDS[kind])
  ),
  ...untaken
    .filter((modality) => !absent.includes(modality))
    .map((modality) =>
      modality === "comments"
        ? "The comments were not read: the model cannot take them."
        : `The ${modality} was not read: the model cannot take it.`
    ),
  ...slidesSentences(slides),
  ...(language === null
    ? []
    : [`There are no subtitles in "${language}": the transcript is in another language.`])
];

/** Sentences for the caller; `best-effort` drops what is missing without a word (specification). */
export const warningsOf = (
  kind: SourceKind,
  { policy }: Pick<RunRequest, "policy">,
  missing: Missing,
  others: ReadonlyArray<string>
): ReadonlyArray<string> => (policy === "best-effort" ? [] : [...sentences(kind, missing), ...others]);

const isIncomplete = (missing: Missing): boolean =>
  unavailableOf(missing).length > 0 || missing.language !== null || missing.slides.unread > 0;

/** The failure that policy `strict` makes of it; null when the run may go on. */
export const refusalOf = (
  kind: SourceKind,
  { policy }: Pick<RunRequest, "policy">,
  missing: Missing
): Failure | null =>
  policy === "strict" && isIncomplete(missing)
    ? { reason: "input_unavailable", message: sentences(kind, missing).join(" ") }
    : null;
