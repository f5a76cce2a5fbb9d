/** The pictures of a run as parts of a question, scaled: frames, thumbnail, slides of a post. Tests: prepareInputs.test.ts. */
import * as Effect from "effect/Effect";
import {
  isSlideFile,
  slideNumber,
  THUMBNAIL_FILE,
  VIDEO_FILE
} from "@winnow/core/domain/result/ArtifactName";
import { timeMark } from "@winnow/core/domain/transcript/Transcript";
import type { Material } from "@winnow/core/ports/Analyst";
import type { MediaItem } from "../inputs/InputItems.ts";
import { imageTokens } from "../provider/TokenCount.ts";
import { FRAME_SIDE_PIXELS, MediaReader } from "./MediaReader.ts";

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
  startSeconds: number | null = null
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

/** None unless the video is selected and frames could be read. The thumbnail is read with them and not charged. */
export const videoPictures = Effect.fn("OpenAiAnalyst.videoPictures")(function* ({
  inputs,
  media,
  range
}: Material) {
  const named = (name: string) => media.find((file) => file.name === name);
  const [video, thumbnail] = [named(VIDEO_FILE), named(THUMBNAIL_FILE)];
  if (!inputs.includes("video") || video === undefined) return [];
  const reader = yield* MediaReader;
  const frames = yield* Effect.orElseSucceed(reader.frames(video, FRAMES_MAX), () => []);
  if (frames.length === 0) return [];
  const pictures = frames.map((frame) => {
    const atSeconds = (range?.startSec ?? 0) + frame.atSeconds;
    return pictureItem(
      frame.jpeg,
      `frame of the video at ${timeMark(atSeconds)}`,
      FRAME_SIDE_PIXELS,
      atSeconds
    );
  });
  if (thumbnail === undefined) return pictures;
  return yield* reader.picture(thumbnail, FRAME_SIDE_PIXELS).pipe(
    Effect.map((jpeg) => [pictureItem(jpeg, "thumbnail of the video", FRAME_SIDE_PIXELS), ...pictures]),
    Effect.orElseSucceed(() => pictures)
  );
});

export const slidesOf = ({ facts, media }: Material): Material["media"] =>
  facts.kind === "photos" ? media.filter(({ name }) => isSlideFile(name)) : [];

/** In order, those that could be read. */
export const slidePictures = Effect.fn("OpenAiAnalyst.slidePictures")(function* (material: Material) {
  const reader = yield* MediaReader;
  const slides = slidesOf(material);
  const count = Math.max(material.facts.imageCount, slides.length);
  const pictures = yield* Effect.forEach(
    slides,
    (slide) =>
      reader.picture(slide, SLIDE_SIDE_PIXELS).pipe(
        Effect.map((jpeg) => [
          pictureItem(jpeg, `slide ${slideNumber(slide.name)} of ${count}`, SLIDE_SIDE_PIXELS)
        ]),
        Effect.orElseSucceed(() => [])
      ),
    { concurrency: RESIZED_AT_ONCE }
  );
  return pictures.flat();
});
