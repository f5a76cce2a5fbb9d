/**
 * Fetches thumbnail.jpg, the slides of photo posts, and further media of posts with a video through the guard. Images
 * are always re-encoded as JPEG, so that nothing of the original file but its pixels is kept. Tests: outcomes/pages.test.ts.
 */
import { Failed } from "@winnow/core/domain/source/Failed";
import {
  slideFile,
  THUMBNAIL_FILE,
  furtherVideoFile,
  VIDEO_FILE
} from "@winnow/core/domain/result/ArtifactName";
import type { InspectedFetch } from "@winnow/core/ports/Downloader";
import * as Effect from "effect/Effect";
import { failed } from "../failures/classify.ts";
import {
  type FetchContext,
  EMPTY_PART,
  fetchBody,
  type Part,
  joinParts,
  isRequested
} from "./FetchContext.ts";
import { type NotAnImage, PIXELS_MAX } from "../../programs/images/Pictures.ts";
import { keepFile, moveKept } from "@winnow/isolation/process/RunFiles";
import { makeSubfolder } from "@winnow/isolation/process/RunFolder";
import { fetchMedia } from "./fetchMedia.ts";
import type { PackageMissing } from "../../runtime/OptionalPackage.ts";
import type { VideoSource } from "../inspect/Inspection.ts";
import type { InspectorServices } from "../inspect/InspectionContext.ts";
import type { Info } from "../yt-dlp/InfoDict.ts";

const FETCHES_AT_ONCE = 4;

/** Maximum candidates for a thumbnail before a frame of the video is used. */
export const THUMBNAILS_TRIED_MAX = 3;

/** Image servers of platforms require the post as referrer. */
const headersFor = (referer: string) => ({
  accept: "image/avif,image/webp,image/*;q=0.8,*/*;q=0.5",
  referer
});

export type ImageContext = Pick<InspectorServices, "egress" | "limits" | "pictures"> & {
  readonly request: Pick<InspectedFetch, "url">;
};

const unreadPicture = new Failed({
  reason: "not_extractable",
  message: `The picture is damaged, has more than ${PIXELS_MAX / 1_000_000} million pixels, or is in no known format.`,
  hint: "Use a whole or a smaller picture, in JPEG or PNG."
});

/** The only way of bytes of an image into this server: through the guard, then into a process of their own. */
export const fetchImage = Effect.fnUntraced(function* <A>(
  context: ImageContext,
  url: string,
  convert: (bytes: Uint8Array) => Effect.Effect<A, NotAnImage | PackageMissing>
): Effect.fn.Return<A, Failed> {
  const maxBytes = context.limits.imageMaxBytes;
  const body = yield* fetchBody(context, url, { maxBytes, headers: headersFor(context.request.url) });
  return yield* convert(body).pipe(
    Effect.mapError(({ _tag }) =>
      _tag === "PackageMissing"
        ? failed("internal", "This server is not set up to convert images.")
        : unreadPicture
    )
  );
});

/** Longer sides are scaled down: no reader of slides, human or model, uses more. */
const SLIDE_JPEG = { sideMaxPixels: 4_096, quality: 88 };

const fetchJpeg = (context: FetchContext, url: string, name: string) =>
  fetchImage(context, url, (bytes) =>
    Effect.flatMap(context.pictures.makeJpeg(bytes, SLIDE_JPEG), (jpeg) =>
      keepFile(context.place.folder, name, jpeg)
    )
  );

/** Empty without any picture; the caller decides what to do. */
export const fetchThumbnail = Effect.fn("MediaDownloader.fetchThumbnail")(function* (
  context: FetchContext,
  urls: ReadonlyArray<string>
): Effect.fn.Return<Part> {
  for (const url of urls.slice(0, THUMBNAILS_TRIED_MAX)) {
    const fetched = yield* Effect.isSuccess(fetchJpeg(context, url, THUMBNAIL_FILE));
    if (fetched) return { ...EMPTY_PART, files: [THUMBNAIL_FILE] };
  }
  return EMPTY_PART;
});

/** Fails with the first slide's reason if no slide can be fetched. */
export const fetchSlides = Effect.fn("MediaDownloader.fetchSlides")(function* (
  context: FetchContext,
  images: ReadonlyArray<string>
): Effect.fn.Return<Part, Failed> {
  const selected = images.slice(0, context.limits.slidesMax);
  const slides = yield* Effect.forEach(
    selected,
    (url, index) => {
      const name = slideFile(index + 1, selected.length);
      return fetchJpeg(context, url, name).pipe(
        Effect.match({
          onFailure: (failure) => ({ name, failure }),
          onSuccess: () => ({ name, failure: null })
        })
      );
    },
    { concurrency: FETCHES_AT_ONCE }
  );
  const missing = slides.filter(({ failure }) => failure !== null);
  if (missing.length === slides.length) return yield* slides[0]?.failure ?? failed("not_extractable");
  return {
    ...EMPTY_PART,
    files: slides.flatMap(({ failure, name }) => (failure === null ? [name] : [])),
    warnings: [
      ...missing.map(({ name }) => `${name} could not be fetched.`),
      ...(selected.length < images.length ? [`Only the first ${selected.length} slides were fetched.`] : [])
    ]
  };
});

// Fetches the further media of a post: videos and photos besides the first video. A missing one only costs a
// warning.

/** Further videos downloaded concurrently, each with its audio. */
const VIDEOS_AT_ONCE = 2;

const missingFile = (name: string): Part => ({ ...EMPTY_PART, warnings: [`${name} could not be fetched.`] });

/** In a subfolder of the run's folder, because all videos use the same file names. */
const fetchFurther = Effect.fnUntraced(function* (
  context: FetchContext,
  source: VideoSource,
  info: Info,
  name: string
): Effect.fn.Return<Part> {
  return yield* Effect.scoped(
    Effect.gen(function* () {
      const folder = yield* makeSubfolder(context.place.folder);
      const { meter } = context;
      const part = yield* fetchMedia(
        {
          ...context,
          request: { ...context.request, wants: ["video"] },
          place: { ...context.place, folder },
          meter: { ...meter, update: (file, progress) => meter.update(`${name} ${file}`, progress) }
        },
        { ...source, info }
      );
      if (!part.files.includes(VIDEO_FILE)) return missingFile(name);
      yield* moveKept(folder, VIDEO_FILE, context.place.folder, name);
      return { ...EMPTY_PART, files: [name] };
    })
  ).pipe(Effect.orElseSucceed(() => missingFile(name)));
});

/** A stretch is one of the first video. */
const fetchVideos = (context: FetchContext, source: VideoSource) =>
  isRequested(context, "video") && context.request.range === undefined
    ? Effect.forEach(
        source.extraMedia.videos,
        (info, index) => fetchFurther(context, source, info, furtherVideoFile(index + 2)),
        { concurrency: VIDEOS_AT_ONCE }
      )
    : Effect.succeed([]);

/** Photos are fetched for every run, like the slides of a photo post. */
const fetchPhotos = (context: FetchContext, images: ReadonlyArray<string>): Effect.Effect<Part> =>
  images.length === 0 || context.request.wantsOnly === true
    ? Effect.succeed(EMPTY_PART)
    : fetchSlides(context, images).pipe(
        Effect.orElseSucceed(() =>
          joinParts(images.map((_, index) => missingFile(slideFile(index + 1, images.length))))
        )
      );

export const fetchExtraMedia = Effect.fn("MediaDownloader.fetchExtraMedia")(function* (
  context: FetchContext,
  source: VideoSource
): Effect.fn.Return<{ readonly videos: Part; readonly photos: Part }> {
  const [videos, photos] = yield* Effect.all(
    [fetchVideos(context, source), fetchPhotos(context, source.extraMedia.images)],
    { concurrency: 2 }
  );
  return { videos: joinParts(videos), photos };
});
