/**
 * What of a request a source has, and what the policy makes of the rest. Pure.
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

/** What is fetched of what was asked. */
export const wantsOf = (kind: SourceKind, modalities: ReadonlyArray<Modality>): ReadonlyArray<Modality> =>
  modalities.filter((modality) => OFFERED[kind].includes(modality));

const isDefault = ({ mode, modalities }: Asked): boolean =>
  canonical(modalities).join() === (mode === "ai" ? DEFAULT_INPUTS : DEFAULT_PARTS).join();

/** Asked for and not to be had; `lacking` is what the downloader did not find of {@link wantsOf}. */
export const unavailableOf = (
  kind: SourceKind,
  asked: Asked,
  lacking: ReadonlyArray<Modality>
): ReadonlyArray<Modality> => {
  const wants = wantsOf(kind, asked.modalities);
  const neverOffered = asked.modalities.filter((modality) => !wants.includes(modality));
  return canonical([
    ...wants.filter((modality) => lacking.includes(modality)),
    ...(isDefault(asked) ? [] : neverOffered)
  ]);
};

const sentence = (kind: SourceKind, modality: Modality): string =>
  OFFERED[kind].includes(modality)
    ? LACKING[modality]
    : `There is no ${modality}: it is not offered for ${KIND_WORDS[kind]}.`;

/** Sentences for the caller; `best-effort` drops what is missing without a word (specification). */
export const warningsOf = (
  kind: SourceKind,
  { policy }: Pick<RunRequest, "policy">,
  unavailable: ReadonlyArray<Modality>,
  others: ReadonlyArray<string>
): ReadonlyArray<string> =>
  policy === "best-effort" ? [] : [...unavailable.map((modality) => sentence(kind, modality)), ...others];

/** The failure that policy `strict` makes of it; null when the run may go on. */
export const refusalOf = (
  kind: SourceKind,
  { policy }: Pick<RunRequest, "policy">,
  unavailable: ReadonlyArray<Modality>
): Failure | null =>
  policy === "strict" && unavailable.length > 0
    ? {
        reason: "input_unavailable",
        message: unavailable.map((modality) => sentence(kind, modality)).join(" ")
      }
    : null;
