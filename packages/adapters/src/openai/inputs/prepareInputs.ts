/**
 * Prepares the fetched inputs for the configured model: texts, audio as text or audio, scaled images. What the
 * model does not support is reported, never dropped silently.
 */
import { AUDIO_FILE, isFurtherVideoFile, isSlideFile, VIDEO_FILE } from "@winnow/core/domain/ArtifactName";
import type { InputText, TextSource } from "@winnow/core/domain/InputText";
import { canonical } from "@winnow/core/domain/Modality";
import { metadataText } from "@winnow/core/domain/ArtifactTexts";
import { isSufficient } from "@winnow/core/domain/Sufficiency";
import type { AnalysisFailed, Material } from "@winnow/core/ports/Analyst";
import type { FetchedFile } from "@winnow/core/ports/Downloader";
import * as Effect from "effect/Effect";
import { LlmClient } from "../LlmClient.ts";
import { type TranscribedAudio, transcribeAudio } from "./transcribeAudio.ts";
import type { MediaItem } from "./InputItem.ts";
import type { MediaReader } from "./MediaReader.ts";
import type { PreparedInputs } from "./PreparedInputs.ts";
import { seeSlides, seeVideo } from "./seenPictures.ts";

const LABELS: Readonly<Record<TextSource, string>> = {
  transcript: "transcript",
  comments: "comments",
  page: "text of the page",
  description: "description by the author"
};

const MARKDOWN_LABEL = "text of the page as Markdown";

const labelOf = ({ isMarkdown = false, source }: InputText): string =>
  isMarkdown ? MARKDOWN_LABEL : LABELS[source];

const TRANSCRIBED_LABEL = "transcript of the sound, made by a machine";

const hasSource = (texts: ReadonlyArray<InputText>, source: TextSource): boolean =>
  texts.some((text) => text.source === source && text.segments.length > 0);

/**
 * The file whose audio is needed: that of `audio`, or of a video without a transcript. A video includes its own
 * audio (specification, "Pricing": the audio track is not billed beside video).
 */
const soundFileOf = ({ inputs, media, texts }: Material): FetchedFile | null => {
  const named = (name: string) => media.find((file) => file.name === name) ?? null;
  if (inputs.includes("audio")) return named(AUDIO_FILE) ?? named(VIDEO_FILE);
  return inputs.includes("video") && !hasSource(texts, "transcript") ? named(VIDEO_FILE) : null;
};

const videoImages = Effect.fnUntraced(function* ({ inputs, media }: Material, takesImages: boolean) {
  const file = media.find(({ name }) => name === VIDEO_FILE);
  if (!inputs.includes("video") || !takesImages || file === undefined) return [];
  return (yield* seeVideo(file, media)) ?? [];
});

interface Slides {
  readonly items: ReadonlyArray<MediaItem>;
  /** Slides that the model does not get. */
  readonly unread: number;
}

const slideImages = Effect.fnUntraced(function* ({ facts, media }: Material, takesImages: boolean) {
  const count = facts.kind === "photos" ? media.filter(({ name }) => isSlideFile(name)).length : 0;
  if (count === 0 || !takesImages) return { items: [], unread: count } satisfies Slides;
  return (yield* seeSlides(media)) satisfies Slides;
});

type Transcriptions = WeakMap<FetchedFile, TranscribedAudio>;

/** By client: a transcription is paid for once and reused by the next rung of auto mode. */
const transcriptionsByClient = new WeakMap<LlmClient["Service"], Transcriptions>();

const transcriptionsOf = (client: LlmClient["Service"]): Transcriptions => {
  const transcribed: Transcriptions = transcriptionsByClient.get(client) ?? new WeakMap();
  transcriptionsByClient.set(client, transcribed);
  return transcribed;
};

const transcribe = Effect.fnUntraced(function* (material: Material, isVideoSeen: boolean) {
  if (material.isSoundWritten === true) return null;
  const file = soundFileOf(material);
  const isWanted = file !== null && (material.inputs.includes("audio") || isVideoSeen);
  if (!isWanted) return null;
  const before = transcriptionsOf(yield* LlmClient);
  const known = before.get(file);
  if (known !== undefined) return known;
  const transcribed = yield* transcribeAudio(file);
  if (transcribed !== null && transcribed.text !== null) before.set(file, transcribed);
  return transcribed;
});

/** The analysis of a post uses its texts and first video; the rest is only among its files. */
const extraWarnings = ({ facts, inputs, media }: Material): ReadonlyArray<string> => {
  if (facts.kind !== "video" || !inputs.includes("video")) return [];
  const photos = media.some(({ name }) => isSlideFile(name));
  const videos = media.some(({ name }) => isFurtherVideoFile(name));
  if (!photos && !videos) return [];
  return [
    `Only the first video of the post was read, not its ` +
      `${[...(videos ? ["further videos"] : []), ...(photos ? ["photos"] : [])].join(" and ")}.`
  ];
};

/**
 * Asks `LlmClient` for transcriptions. If a call of the analysis is rejected for its images or audio, prepare
 * again: the capabilities know it then. `isSufficient` of the result decides whether to call the model at all.
 */
export const prepareInputs = Effect.fn("OpenAiAnalyst.prepareInputs")(function* (
  material: Material
): Effect.fn.Return<PreparedInputs, AnalysisFailed, LlmClient | MediaReader> {
  const client = yield* LlmClient;
  const { image } = yield* client.capabilities;
  const video = yield* videoImages(material, image);
  const slides = yield* slideImages(material, image);
  const isVideoSeen = video.length > 0;
  const isVideoUnseen = material.inputs.includes("video") && !isVideoSeen;
  const sound = yield* transcribe(material, isVideoSeen);
  const isWritten = material.isSoundWritten === true;
  const lacksAudio = material.inputs.includes("audio") && sound === null && !isWritten;
  const isSilent =
    isVideoSeen && !isWritten && !lacksAudio && sound === null && soundFileOf(material) !== null;
  const transcribed = sound?.text == null || sound.text.segments.length === 0 ? [] : [sound.text];
  const texts = material.texts.filter(({ segments }) => segments.length > 0);
  return {
    texts: [...texts, ...transcribed],
    labels: [...texts.map(labelOf), ...transcribed.map(() => TRANSCRIBED_LABEL)],
    transcribed,
    media: [...video, ...slides.items, ...(sound?.media ?? [])],
    unavailable: canonical([
      ...(lacksAudio ? (["audio"] as const) : []),
      ...(isVideoUnseen ? (["video"] as const) : [])
    ]),
    unreadSlides: slides.unread,
    warnings: [
      ...extraWarnings(material),
      ...(isSilent ? ["The audio of the video was not read: the language model does not support audio."] : [])
    ]
  };
});

/** False: return `TOO_LITTLE` (domain/Sufficiency) without a call. */
export const isWorthAsking = (
  { facts }: Pick<Material, "facts">,
  { texts, media }: PreparedInputs
): boolean => isSufficient([...texts, metadataText(facts)], media.length);
