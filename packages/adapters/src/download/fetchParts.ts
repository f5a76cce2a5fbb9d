/**
 * The fetch of each kind of source: its steps side by side, and what is left out of each.
 */
import { existsSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import {
  DESCRIPTION_FILE,
  PAGE_MARKDOWN_FILE,
  THUMBNAIL_FILE,
  TRANSCRIPT_FILE,
  VIDEO_FILE
} from "@winnow/core/domain/ArtifactName";
import { PAGE_END } from "@winnow/core/domain/PageEnd";
import type { SourceFacts } from "@winnow/core/domain/SourceFacts";
import type { DownloadFailed, WholePage } from "@winnow/core/ports/Downloader";
import * as Effect from "effect/Effect";
import { withPicture } from "../page/markdown/PageMarkdown.ts";
import { fetchComments } from "./fetchComments.ts";
import { fetchSlides, fetchThumbnail } from "./fetchImages.ts";
import { fetchMedia, type MediaPart } from "./fetchMedia.ts";
import { type FetchSession, joinParts, NOTHING_FETCHED, type Part, wants } from "./FetchSession.ts";
import { fetchBeside } from "./fetchBeside.ts";
import { findStreamDuration } from "./findStreamDuration.ts";
import { fetchSubtitles } from "./fetchSubtitles.ts";
import type { Inspection, PhotosSource, VideoSource, WebpageSource } from "./Inspection.ts";

const NO_THUMBNAIL = "The thumbnail could not be fetched.";

/** The run has its thumbnail, description and slides already. */
const isLater = ({ request }: FetchSession): boolean => request.wantsOnly ?? false;

const textsOf = (texts: ReadonlyArray<readonly [name: string, text: string]>): Part => ({
  ...NOTHING_FETCHED,
  files: texts.map(([name]) => name),
  texts: new Map(texts.map(([name, text]) => [name, `${text}\n`]))
});

const descriptionOf = (session: FetchSession, { description }: SourceFacts): Part =>
  description === null || isLater(session) ? NOTHING_FETCHED : textsOf([[DESCRIPTION_FILE, description]]);

/** A frame from early in the video, where the source shows no picture of its own. */
const frameOf = (session: FetchSession, durationSeconds: number | null) =>
  session.ffmpeg
    .convert(
      session.place.folder,
      [VIDEO_FILE],
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
      // A video shorter than its header says has no frame there, which ffmpeg does not call a failure.
      Effect.map((converted) => converted && existsSync(join(session.place.folder, THUMBNAIL_FILE))),
      Effect.orElseSucceed(() => false)
    );

const thumbnailOr = Effect.fnUntraced(function* (
  session: FetchSession,
  thumbnail: Part,
  media: MediaPart,
  expected: boolean
) {
  if (thumbnail.files.length > 0) return thumbnail;
  if (media.files.includes(VIDEO_FILE) && (yield* frameOf(session, media.measuredDurationSeconds))) {
    return { ...NOTHING_FETCHED, files: [THUMBNAIL_FILE] };
  }
  return expected ? { ...NOTHING_FETCHED, warnings: [NO_THUMBNAIL] } : NOTHING_FETCHED;
});

/** What one fetch came to. */
export interface FetchedParts extends MediaPart {
  /** The transcript is not in the language that was asked for. */
  readonly languageMissing: boolean;
  /** As of ports/Downloader. */
  readonly streamDurationSeconds: number | null;
  readonly wholePage?: WholePage | null;
}

const fetchVideo = Effect.fnUntraced(function* (
  session: FetchSession,
  facts: SourceFacts,
  source: VideoSource
): Effect.fn.Return<FetchedParts, DownloadFailed> {
  const [media, subtitles, comments, picture, beside, streamDurationSeconds] = yield* Effect.all(
    [
      fetchMedia(session, source),
      fetchSubtitles(session, source),
      fetchComments(session, facts.hasComments ? facts.webpageUrl : null),
      isLater(session) ? Effect.succeed(NOTHING_FETCHED) : fetchThumbnail(session, source.thumbnails),
      fetchBeside(session, source),
      findStreamDuration(session, facts, source)
    ],
    { concurrency: "unbounded" }
  );
  const { measuredDurationSeconds } = media;
  const { languageMissing } = subtitles;
  const found = { measuredDurationSeconds, streamDurationSeconds, languageMissing };
  if (isLater(session)) return { ...joinParts([media, beside.videos, subtitles, comments]), ...found };
  const thumbnail = yield* thumbnailOr(session, picture, media, source.thumbnails.length > 0);
  return {
    ...joinParts([
      media,
      beside.videos,
      subtitles,
      comments,
      thumbnail,
      descriptionOf(session, facts),
      beside.photos
    ]),
    ...found
  };
});

const unavailableBut = (session: FetchSession, offered: ReadonlyArray<string>): Part => ({
  ...NOTHING_FETCHED,
  unavailable: session.request.wants.filter((modality) => !offered.includes(modality))
});

const fetchPhotos = Effect.fnUntraced(function* (
  session: FetchSession,
  facts: SourceFacts,
  source: PhotosSource
): Effect.fn.Return<Part, DownloadFailed> {
  if (isLater(session)) {
    const later = yield* fetchComments(session, facts.hasComments ? source.commentsUrl : null);
    return joinParts([unavailableBut(session, ["comments"]), later]);
  }
  const [slides, comments] = yield* Effect.all(
    [
      fetchSlides(session, source.images),
      fetchComments(session, facts.hasComments ? source.commentsUrl : null)
    ],
    { concurrency: "unbounded" }
  );
  const { folder } = session.place;
  yield* Effect.promise(() => copyFile(join(folder, slides.files[0] ?? ""), join(folder, THUMBNAIL_FILE)));
  const thumbnail = { ...NOTHING_FETCHED, files: [THUMBNAIL_FILE] };
  return joinParts([
    unavailableBut(session, ["comments"]),
    comments,
    thumbnail,
    descriptionOf(session, facts),
    slides
  ]);
});

const fetchWebpage = Effect.fnUntraced(function* (
  session: FetchSession,
  facts: SourceFacts,
  { page }: WebpageSource
): Effect.fn.Return<Part> {
  const pictures = page.thumbnail === null || isLater(session) ? [] : [page.thumbnail];
  const picture = yield* fetchThumbnail(session, pictures);
  const hasPicture = picture.files.length > 0;
  const texts = [
    [TRANSCRIPT_FILE, page.pageCount === null ? page.text : `${page.text}\n${PAGE_END}`],
    [PAGE_MARKDOWN_FILE, withPicture(page.markdown, page.thumbnail, hasPicture ? THUMBNAIL_FILE : null)]
  ] as const;
  // The Markdown of no text is not a file; the text always is one.
  const transcript = wants(session, "transcript")
    ? textsOf(texts.filter(([name, text]) => name === TRANSCRIPT_FILE || text !== ""))
    : NOTHING_FETCHED;
  const missing = pictures.length > 0 && !hasPicture;
  const thumbnail = missing ? { ...picture, warnings: [NO_THUMBNAIL] } : picture;
  return joinParts([
    unavailableBut(session, ["transcript"]),
    transcript,
    thumbnail,
    descriptionOf(session, facts)
  ]);
});

export const fetchSource = (
  session: FetchSession,
  { facts, source }: Inspection
): Effect.Effect<FetchedParts, DownloadFailed> => {
  const still = (part: Part): FetchedParts => ({
    ...part,
    measuredDurationSeconds: null,
    streamDurationSeconds: null,
    languageMissing: false
  });
  switch (source._tag) {
    case "Video":
      return fetchVideo(session, facts, source);
    case "Photos":
      return Effect.map(fetchPhotos(session, facts, source), still);
    case "Webpage":
      return Effect.map(fetchWebpage(session, facts, source), (part) => ({
        ...still(part),
        wholePage: source.page.wholePage
      }));
  }
};
