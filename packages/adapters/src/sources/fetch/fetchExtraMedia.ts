/**
 * Fetches the further media of a post: videos and photos besides the first video. A missing one only costs a
 * warning.
 */
import { furtherVideoFile, slideFile, VIDEO_FILE } from "@winnow/core/domain/result/ArtifactName";
import * as Effect from "effect/Effect";
import { moveKept } from "../../programs/process/RunFiles.ts";
import { makeSubfolder } from "../../programs/process/RunFolder.ts";
import { fetchSlides } from "./fetchImages.ts";
import { fetchMedia } from "./fetchMedia.ts";
import { type FetchContext, joinParts, EMPTY_PART, type Part, isRequested } from "./FetchContext.ts";
import type { VideoSource } from "../inspect/Inspection.ts";
import type { Info } from "../yt-dlp/InfoDict.ts";

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

const fetchVideos = (context: FetchContext, source: VideoSource) =>
  isRequested(context, "video")
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
