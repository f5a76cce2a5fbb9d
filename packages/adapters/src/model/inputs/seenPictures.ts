/** The images of a run for a model: frames and thumbnail of a video, slides of a photo post. */
import { isSlideFile, THUMBNAIL_FILE } from "@winnow/core/domain/result/ArtifactName";
import type { Material } from "@winnow/core/ports/Analyst";
import type { FetchedFile } from "@winnow/core/ports/Downloader";
import * as Effect from "effect/Effect";
import { FRAME_SIDE_PIXELS } from "./extractFrames.ts";
import type { MediaItem } from "./PreparedInputs.ts";
import { MediaReader } from "./MediaReader.ts";
import { timeMark } from "./renderTexts.ts";
import { imageTokens } from "../client/TokenEstimate.ts";

/** Frames of a video: for an hour, one in two minutes plus scene changes. */
export const FRAMES_MAX = 32;

/** Maximum side length of a slide, at which its text stays readable. */
const SLIDE_SIDE_PIXELS = 1_024;

/** Slides scaled concurrently; each takes some MB of memory. */
const RESIZED_AT_ONCE = 4;

const pictureItem = (
  jpeg: Uint8Array,
  label: string,
  sidePixels: number,
  startSeconds: number | null
): MediaItem => {
  const base64 = Buffer.from(jpeg).toString("base64");
  return {
    _tag: "Media",
    part: { _tag: "Image", label, mediaType: "image/jpeg", base64 },
    startSeconds,
    tokens: imageTokens(sidePixels),
    mediaBytes: base64.length
  };
};

type PictureSource = Pick<Material, "accountId" | "media">;

const thumbnail = Effect.fnUntraced(function* ({ accountId, media }: PictureSource) {
  const file = media.find(({ name }) => name === THUMBNAIL_FILE);
  if (file === undefined) return [];
  const reader = yield* MediaReader;
  return yield* reader.picture(accountId, file, FRAME_SIDE_PIXELS).pipe(
    Effect.map((jpeg) => [pictureItem(jpeg, "thumbnail of the video", FRAME_SIDE_PIXELS, null)]),
    Effect.orElseSucceed(() => [])
  );
});

/** Null if no image of the video could be read. The thumbnail is read too and not charged. */
export const seeVideo = Effect.fn("OpenAiAnalyst.seeVideo")(function* (
  video: FetchedFile,
  source: PictureSource
) {
  const reader = yield* MediaReader;
  const frames = yield* Effect.orElseSucceed(reader.frames(video, FRAMES_MAX), () => []);
  if (frames.length === 0) return null;
  return [
    ...(yield* thumbnail(source)),
    ...frames.map(({ jpeg, atSeconds }) =>
      pictureItem(jpeg, `frame of the video at ${timeMark(atSeconds)}`, FRAME_SIDE_PIXELS, atSeconds)
    )
  ];
});

/** In order; `unread` counts those that could not be read. */
export const seeSlides = Effect.fn("OpenAiAnalyst.seeSlides")(function* ({
  accountId,
  media
}: PictureSource) {
  const reader = yield* MediaReader;
  const slides = media.filter(({ name }) => isSlideFile(name));
  const items = yield* Effect.forEach(
    slides,
    (slide, index) =>
      reader.picture(accountId, slide, SLIDE_SIDE_PIXELS).pipe(
        Effect.map((jpeg) =>
          pictureItem(jpeg, `slide ${index + 1} of ${slides.length}`, SLIDE_SIDE_PIXELS, null)
        ),
        Effect.orElseSucceed(() => null)
      ),
    { concurrency: RESIZED_AT_ONCE }
  );
  const read = items.filter((item) => item !== null);
  return { items: read, unread: slides.length - read.length };
});
