/**
 * Fetches each kind of source: its steps in parallel, and what is skipped. Before you change what waits for what:
 * bench/hls-latency.ts. Tests: MediaDownloader.test.ts.
 */
import type { Failed } from "@winnow/core/domain/source/Failed";
import {
  DESCRIPTION_FILE,
  pageFiles,
  THUMBNAIL_FILE,
  TRANSCRIPT_FILE,
  VIDEO_FILE
} from "@winnow/core/domain/result/ArtifactName";
import { PAGE_END } from "@winnow/core/domain/text/CleanText";
import type { SourceFacts } from "@winnow/core/domain/source/SourceFacts";
import type { WholePage } from "@winnow/core/ports/Downloader";
import * as Effect from "effect/Effect";
import { join } from "node:path";
import { copyKept } from "@winnow/isolation/process/RunFiles";
import { fetchComments } from "./fetchComments.ts";
import { fetchSlides, fetchThumbnail, fetchExtraMedia } from "./fetchImages.ts";
import { withScans } from "./readScans.ts";
import { withWords } from "./readSlides.ts";
import { fetchMedia, findStreamDuration, type MediaPart } from "./fetchMedia.ts";
import { type FetchContext, joinParts, EMPTY_PART, type Part, isRequested, textsOf } from "./FetchContext.ts";
import { fetchSubtitles } from "./fetchSubtitles.ts";
import type { Inspection, PhotosSource, VideoSource, WebpageSource } from "../inspect/Inspection.ts";

/** A later fetch of a run, which already has its thumbnail, description and slides. */
const isLater = ({ request }: FetchContext): boolean => request.wantsOnly ?? false;

const descriptionOf = (context: FetchContext, { description }: SourceFacts): Part =>
  description === null || isLater(context) ? EMPTY_PART : textsOf([[DESCRIPTION_FILE, description]]);

/** An early frame of the video, if the source has no picture. */
const frameOf = (context: FetchContext, durationSeconds: number | null) =>
  context.ffmpeg
    .convert(
      context.place.folder,
      [join(context.place.folder.path, VIDEO_FILE)],
      [
        "-ss",
        String(Math.min(10, (durationSeconds ?? 0) / 10)),
        "-frames:v",
        "1",
        "-q:v",
        "3",
        THUMBNAIL_FILE
      ]
    )
    .pipe(
      // If a video is shorter than its header says, there is no frame, which ffmpeg does not report as an error.
      Effect.flatMap(({ isWhole, take }) => (isWhole ? take(THUMBNAIL_FILE) : Effect.succeed(null))),
      Effect.map((file) => file !== null),
      Effect.scoped,
      Effect.orElseSucceed(() => false)
    );

/** Nobody asks for a thumbnail, so one that cannot be had is no warning. */
const thumbnailOr = Effect.fnUntraced(function* (context: FetchContext, thumbnail: Part, media: MediaPart) {
  if (thumbnail.files.length > 0 || !media.files.includes(VIDEO_FILE)) return thumbnail;
  const isFramed = yield* frameOf(context, media.measuredDurationSeconds);
  return isFramed ? { ...EMPTY_PART, files: [THUMBNAIL_FILE] } : thumbnail;
});

/** The result of a fetch. */
export interface FetchedParts extends MediaPart {
  /** Whether the transcript is in another language than requested. */
  readonly languageMissing: boolean;
  /** See ports/Downloader. */
  readonly streamDurationSeconds: number | null;
  readonly wholePage?: WholePage | null;
}

const fetchVideo = Effect.fnUntraced(function* (
  context: FetchContext,
  facts: SourceFacts,
  source: VideoSource
): Effect.fn.Return<FetchedParts, Failed> {
  const [media, subtitles, comments, picture, beside, streamDurationSeconds] = yield* Effect.all(
    [
      fetchMedia(context, source),
      fetchSubtitles(context, source),
      fetchComments(context, facts.hasComments ? facts.webpageUrl : null),
      isLater(context) ? Effect.succeed(EMPTY_PART) : fetchThumbnail(context, source.thumbnails),
      fetchExtraMedia(context, source),
      findStreamDuration(context, facts, source)
    ],
    { concurrency: "unbounded" }
  );
  const { measuredDurationSeconds } = media;
  const { languageMissing } = subtitles;
  const found = { measuredDurationSeconds, streamDurationSeconds, languageMissing };
  if (isLater(context)) return { ...joinParts([media, beside.videos, subtitles, comments]), ...found };
  const thumbnail = yield* thumbnailOr(context, picture, media);
  return {
    ...joinParts([
      media,
      beside.videos,
      subtitles,
      comments,
      thumbnail,
      descriptionOf(context, facts),
      beside.photos
    ]),
    ...found
  };
});

const fetchPhotos = Effect.fnUntraced(function* (
  context: FetchContext,
  facts: SourceFacts,
  source: PhotosSource
): Effect.fn.Return<Part, Failed> {
  if (isLater(context)) {
    return yield* fetchComments(context, facts.hasComments ? source.commentsUrl : null);
  }
  const [slides, comments] = yield* Effect.all(
    [
      Effect.flatMap(fetchSlides(context, source.images), (fetched) => withWords(context, fetched)),
      fetchComments(context, facts.hasComments ? source.commentsUrl : null)
    ],
    { concurrency: "unbounded" }
  );
  yield* copyKept(context.place.folder, slides.files[0] ?? "", THUMBNAIL_FILE);
  const thumbnail = { ...EMPTY_PART, files: [THUMBNAIL_FILE] };
  return joinParts([comments, thumbnail, descriptionOf(context, facts), slides]);
});

const fetchWebpage = Effect.fnUntraced(function* (
  context: FetchContext,
  facts: SourceFacts,
  { page }: WebpageSource
): Effect.fn.Return<Part, Failed> {
  const pictures = page.metadata.thumbnail === null || isLater(context) ? [] : [page.metadata.thumbnail];
  const picture = yield* fetchThumbnail(context, pictures);
  const isWanted = isRequested(context, "transcript");
  const { text, warnings } = isWanted
    ? yield* withScans(context, page.text, facts.webpageUrl)
    : { text: page.text, warnings: [] };
  const { markdown, pageCount, plain, sections } = text;
  const texts = pageFiles({ text: pageCount === null ? plain : `${plain}\n${PAGE_END}`, markdown });
  // Markdown of an empty text is not stored; the text always is.
  const stored = texts.filter(([name, text]) => name === TRANSCRIPT_FILE || text !== "");
  const transcript = isWanted ? { ...textsOf(stored, sections), warnings } : EMPTY_PART;
  return joinParts([transcript, picture, descriptionOf(context, facts)]);
});

export const fetchSource = (
  context: FetchContext,
  { facts, source }: Inspection
): Effect.Effect<FetchedParts, Failed> => {
  const still = (part: Part): FetchedParts => ({
    ...part,
    measuredDurationSeconds: null,
    streamDurationSeconds: null,
    languageMissing: false
  });
  switch (source._tag) {
    case "Video":
      return fetchVideo(context, facts, source);
    case "Photos":
      return Effect.map(fetchPhotos(context, facts, source), still);
    case "Webpage":
      return Effect.map(fetchWebpage(context, facts, source), (part) => ({
        ...still(part),
        wholePage: source.page.text.wholePage
      }));
  }
};
