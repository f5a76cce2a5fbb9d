/** Arbitrary model inputs, in sizes that reach every section boundary. */
import * as Arbitrary from "effect/Arbitrary";
import * as Schema from "effect/Schema";
import { type InputText, type TextSegment, TextSource } from "@winnow/core/domain/text/InputText";
import type { LabelledText, MediaItem } from "../../../src/model/inputs/InputItems.ts";

/** Makes a property test use the same samples every time, so that it only fails because of a change. */
export const SEEDED = { arbitrary: { seed: 1 } } as const;

export const intBetween = (minimum: number, maximum: number): Arbitrary.Arbitrary<number> =>
  Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum, maximum })));

export const oneOf = <const A>(values: ReadonlyArray<A>): Arbitrary.Arbitrary<A> =>
  Arbitrary.map(intBetween(0, values.length - 1), (index) => values[index] as A);

const PHRASES = [
  "a",
  "The onion is cut in small pieces.",
  "完全に混ぜてください。",
  "👩‍👩‍👧😀",
  "one\n\ntwo ",
  "x".repeat(300),
  "Salt, pepper; and then? "
] as const;

/** Not empty, up to several thousand characters. */
export const Words: Arbitrary.Arbitrary<string> = Arbitrary.map(
  Arbitrary.all({
    phrases: Arbitrary.array(oneOf(PHRASES), { minLength: 1, maxLength: 6 }),
    times: oneOf([1, 1, 1, 2, 40])
  }),
  ({ phrases, times }) => phrases.join(" ").repeat(times)
);

const Segment: Arbitrary.Arbitrary<TextSegment> = Arbitrary.map(
  Arbitrary.all({ text: Words, start: intBetween(0, 3_600), timed: oneOf([true, false]) }),
  ({ text, start, timed }) => ({
    text,
    startSeconds: timed ? start : null,
    endSeconds: timed ? start + 2 : null,
    author: null
  })
);

const Unlabelled: Arbitrary.Arbitrary<ReadonlyArray<InputText>> = Arbitrary.array(
  Arbitrary.map(
    Arbitrary.all({
      source: Arbitrary.schema(TextSource),
      segments: Arbitrary.array(Segment, { minLength: 1, maxLength: 12 })
    }),
    ({ segments, source }): InputText => ({
      source,
      segments:
        source === "structured"
          ? segments.map((segment, index) => ({ ...segment, pointer: `/structured/${index}` }))
          : source === "slides"
            ? segments.map((segment, index) => ({ ...segment, slide: 1 + (index >> 1) }))
            : segments
    })
  ),
  { maxLength: 5 }
);

export const Texts: Arbitrary.Arbitrary<ReadonlyArray<LabelledText>> = Arbitrary.map(Unlabelled, (texts) =>
  texts.map((text, index) => ({ ...text, label: `text ${index}` }))
);

export const Media: Arbitrary.Arbitrary<ReadonlyArray<MediaItem>> = Arbitrary.array(
  Arbitrary.map(
    Arbitrary.all({
      tokens: intBetween(1, 3_000),
      start: intBetween(0, 3_600),
      timed: oneOf([true, false]),
      number: intBetween(0, 1_000_000)
    }),
    ({ tokens, start, timed, number }): MediaItem => ({
      _tag: "Media",
      part: { _tag: "Image", label: `picture ${number}`, mediaType: "image/jpeg", base64: "AAAA" },
      startSeconds: timed ? start : null,
      tokens,
      mediaBytes: tokens * 10
    })
  ),
  { maxLength: 8 }
);
