/**
 * What a post holds beside its first video: further videos and photos. One that cannot be had costs the run nothing
 * but a warning.
 */
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { furtherVideoFile, slideFile, VIDEO_FILE } from "@winnow/core/domain/ArtifactName";
import * as Effect from "effect/Effect";
import { makeRunFolder } from "../programs/RunFolder.ts";
import { fetchSlides } from "./fetchImages.ts";
import { fetchMedia } from "./fetchMedia.ts";
import { type FetchSession, joinParts, NOTHING_FETCHED, type Part, wants } from "./FetchSession.ts";
import type { VideoSource } from "./Inspection.ts";
import type { Info } from "./yt-dlp/InfoDict.ts";

/** Further videos that are downloaded at once, each with its sound. */
const VIDEOS_AT_ONCE = 2;

const lost = (name: string): Part => ({ ...NOTHING_FETCHED, warnings: [`${name} could not be fetched.`] });

/** In a folder of its own within that of the run, for all are made under the same names. */
const fetchFurther = Effect.fnUntraced(function* (
  session: FetchSession,
  source: VideoSource,
  info: Info,
  name: string
): Effect.fn.Return<Part> {
  return yield* Effect.scoped(
    Effect.gen(function* () {
      const folder = yield* makeRunFolder(session.place.folder);
      const { meter } = session;
      const part = yield* fetchMedia(
        {
          ...session,
          request: { ...session.request, wants: ["video"] },
          place: { ...session.place, folder },
          meter: { ...meter, update: (file, progress) => meter.update(`${name} ${file}`, progress) }
        },
        { ...source, info }
      );
      if (!part.files.includes(VIDEO_FILE)) return lost(name);
      yield* Effect.promise(() => rename(join(folder, VIDEO_FILE), join(session.place.folder, name)));
      return { ...NOTHING_FETCHED, files: [name] };
    })
  ).pipe(Effect.orElseSucceed(() => lost(name)));
});

const fetchVideos = (session: FetchSession, source: VideoSource) =>
  wants(session, "video")
    ? Effect.forEach(
        source.beside.videos,
        (info, index) => fetchFurther(session, source, info, furtherVideoFile(index + 2)),
        { concurrency: VIDEOS_AT_ONCE }
      )
    : Effect.succeed([]);

/** Photos come with every run, as the slides of a photo post do. */
const fetchPhotos = (session: FetchSession, images: ReadonlyArray<string>): Effect.Effect<Part> =>
  images.length === 0 || session.request.wantsOnly === true
    ? Effect.succeed(NOTHING_FETCHED)
    : fetchSlides(session, images).pipe(
        Effect.orElseSucceed(() =>
          joinParts(images.map((_, index) => lost(slideFile(index + 1, images.length))))
        )
      );

export const fetchBeside = Effect.fn("MediaDownloader.fetchBeside")(function* (
  session: FetchSession,
  source: VideoSource
): Effect.fn.Return<{ readonly videos: Part; readonly photos: Part }> {
  const [videos, photos] = yield* Effect.all(
    [fetchVideos(session, source), fetchPhotos(session, source.beside.images)],
    { concurrency: 2 }
  );
  return { videos: joinParts(videos), photos };
});
