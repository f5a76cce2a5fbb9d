/** Arbitrary domain values in the ranges that occur. */
import * as Arbitrary from "effect/Arbitrary";
import * as Schema from "effect/Schema";
import { canonical, Modality } from "../../src/domain/source/Modality.ts";
import { MAX_DURATION_SECONDS, SourceKind, type PricedFacts } from "../../src/domain/source/SourceFacts.ts";

export const intBetween = (minimum: number, maximum: number): Arbitrary.Arbitrary<number> =>
  Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum, maximum })));

/** One of the values; duplicates add weight. */
export const oneOf = <const A>(values: ReadonlyArray<A>): Arbitrary.Arbitrary<A> =>
  Arbitrary.map(intBetween(0, values.length - 1), (index) => values[index] as A);

const DurationMs = intBetween(0, MAX_DURATION_SECONDS * 1_000);

/** Durations that are unknown one time in five. */
export const Facts: Arbitrary.Arbitrary<PricedFacts> = Arbitrary.map(
  Arbitrary.all({
    kind: Arbitrary.schema(SourceKind),
    known: intBetween(0, 4),
    durationMs: DurationMs,
    imageCount: intBetween(0, 40)
  }),
  ({ kind, known, durationMs, imageCount }) => ({
    kind,
    durationMs: kind === "video" && known > 0 && durationMs > 0 ? durationMs : null,
    imageCount: kind === "photos" ? imageCount : 0
  })
);

export const Modalities = Arbitrary.map(
  Arbitrary.array(Arbitrary.schema(Modality), { maxLength: 6 }),
  (modalities) => canonical(modalities)
);

export const Selection = Arbitrary.all({
  mode: Arbitrary.schema(Schema.Literals(["ai", "download"])),
  modalities: Modalities
});

/** What was quoted, and what a run then found and could not have. */
export const Settled = {
  facts: Facts,
  found: Facts,
  measuredMs: intBetween(1, 7_200_000),
  selection: Selection,
  unavailable: Modalities
};
