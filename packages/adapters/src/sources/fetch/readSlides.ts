/** `slides.txt`: the words on the slides of a photo post, as far as tesseract is sure of them. Tests: MediaDownloader.test.ts. */
import { slideNumber, SLIDES_TEXT_FILE } from "@winnow/core/domain/result/ArtifactName";
import * as Effect from "effect/Effect";
import { join } from "node:path";
import { EMPTY_PART, type FetchContext, joinParts, type Part, textsOf } from "./FetchContext.ts";

/** Time limit of all slides of a post: 200 slides take about that on two processors. */
const READ_ALL_TIMEOUT = "90 seconds";

/** Slides read at once, as far as it is the account's turn. */
const READ_AT_ONCE = 4;

/** Fetched slides and, if any words are sure, their text. One that cannot be read has none. */
export const withWords = Effect.fn("MediaDownloader.readSlides")(function* (
  { place: { folder }, tesseract }: FetchContext,
  slides: Part
): Effect.fn.Return<Part> {
  if (tesseract === null) return slides;
  const words = new Map<string, string>();
  yield* Effect.forEach(
    slides.files,
    (name) =>
      tesseract.read(folder, join(folder.path, name)).pipe(
        Effect.orElseSucceed(() => ""),
        Effect.map((text) => void words.set(name, text))
      ),
    { concurrency: READ_AT_ONCE, discard: true }
  ).pipe(Effect.timeoutOption(READ_ALL_TIMEOUT));
  const read = slides.files.flatMap((name) => {
    const text = words.get(name) ?? "";
    return text === "" ? [] : [{ slide: slideNumber(name), text, markdown: [] }];
  });
  const blocks = read.map(({ slide, text }) => `[${slide}] ${text}`);
  const unread = slides.files.length - words.size;
  return joinParts([
    slides,
    read.length === 0 ? EMPTY_PART : textsOf([[SLIDES_TEXT_FILE, blocks.join("\n\n")]], read),
    unread === 0 ? EMPTY_PART : { ...EMPTY_PART, warnings: [`The words on ${unread} slides were not read.`] }
  ]);
});
