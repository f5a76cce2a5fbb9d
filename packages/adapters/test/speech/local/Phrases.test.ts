import { assert, describe, it } from "@effect/vitest";
import * as fc from "fast-check";
import { makePhrases, type Spoken, SPOKEN_SAMPLES_MAX } from "../../../src/speech/local/Phrases.ts";

const SECOND = 16_000;

/** Phrases of the given lengths, each after a pause; both in quarters of a second. */
const phrasesOf = (
  shapes: ReadonlyArray<{ readonly pause: number; readonly length: number }>
): ReadonlyArray<Spoken> => {
  let at = 0;
  return shapes.map(({ length, pause }, index) => {
    const start = at + (pause * SECOND) / 4;
    const samples = new Float32Array((length * SECOND) / 4).fill((index + 1) / 100);
    at = start + samples.length;
    return { start, samples };
  });
};

const heard = (phrases: ReadonlyArray<Spoken>, pauseSeconds: number): ReadonlyArray<Spoken> => {
  const { add, end } = makePhrases(pauseSeconds * SECOND);
  return [...phrases.flatMap(add), ...end()];
};

describe("phrases for a model", () => {
  it("are joined while they fit into half a minute and no long pause is between them", () => {
    const phrases = phrasesOf([
      { pause: 4, length: 8 },
      { pause: 2, length: 8 },
      { pause: 40, length: 8 }
    ]);
    const places = heard(phrases, 2).map(({ samples, start }) => [start / SECOND, samples.length / SECOND]);
    assert.deepStrictEqual(places, [
      [1, 4.5],
      [15.5, 2]
    ]);
    assert.deepStrictEqual(heard(phrases, 0), phrases);
  });

  it("lose and move no sample, and are never longer than a model hears", () => {
    const shape = fc.record({
      pause: fc.integer({ min: 1, max: 20 }),
      length: fc.integer({ min: 1, max: 160 })
    });
    fc.assert(
      fc.property(fc.array(shape, { maxLength: 8 }), fc.constantFrom(0, 2), (shapes, pauseSeconds) => {
        const phrases = phrasesOf(shapes);
        const whole = new Float32Array(
          phrases.reduce((end, each) => Math.max(end, each.start + each.samples.length), 0)
        );
        for (const { samples, start } of phrases) whole.set(samples, start);
        const again = new Float32Array(whole.length);
        let before = 0;
        for (const { samples, start } of heard(phrases, pauseSeconds)) {
          assert.isAtMost(samples.length, SPOKEN_SAMPLES_MAX);
          assert.isAtLeast(start, before);
          again.set(samples, start);
          before = start + samples.length;
        }
        assert.isTrue(Buffer.from(again.buffer).equals(Buffer.from(whole.buffer)));
      }),
      { numRuns: 40 }
    );
  });
});
