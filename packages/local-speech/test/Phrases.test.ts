import { assert, describe, it } from "@effect/vitest";
import * as fc from "fast-check";
import {
  BREATH_SAMPLES,
  makeKeptSound,
  makePhrases,
  type Part,
  PHRASES_SAMPLES_MAX
} from "../src/Phrases.ts";

const SECOND = 16_000;

/** Phrases of the given lengths, each after a pause; both in quarters of a second. */
const phrasesOf = (
  shapes: ReadonlyArray<{ readonly pause: number; readonly length: number }>
): ReadonlyArray<Part> => {
  let at = 0;
  return shapes.map(({ length, pause }) => {
    const start = at + (pause * SECOND) / 4;
    at = start + (length * SECOND) / 4;
    return { start, end: at };
  });
};

const SILENT = { slice: ({ end, start }: Part) => new Float32Array(end - start) };

const heard = (phrases: ReadonlyArray<Part>, joins: boolean): ReadonlyArray<Part> => {
  const { add, end } = makePhrases(SILENT, joins);
  return [...phrases.flatMap(add), ...end()];
};

describe("phrases for a model", () => {
  it("are joined while they fit into half a minute and no long pause is between them", () => {
    const phrases = phrasesOf([
      { pause: 4, length: 8 },
      { pause: 2, length: 8 },
      { pause: 40, length: 8 }
    ]);
    assert.deepStrictEqual(heard(phrases, true), [
      { start: SECOND - BREATH_SAMPLES, end: 5.5 * SECOND + BREATH_SAMPLES },
      { start: 15.5 * SECOND - BREATH_SAMPLES, end: 17.5 * SECOND + BREATH_SAMPLES }
    ]);
    assert.deepStrictEqual(heard(phrases, false), phrases);
  });

  it("need the sound of what is not heard yet, from a breath before it", () => {
    const { add, neededFrom } = makePhrases(SILENT, true);
    assert.strictEqual(neededFrom(), Infinity);
    const [first, second] = phrasesOf([
      { pause: 4, length: 8 },
      { pause: 40, length: 8 }
    ]);
    if (first === undefined || second === undefined) return assert.fail("two phrases");
    add(first);
    assert.strictEqual(neededFrom(), first.start - BREATH_SAMPLES);
    add(second);
    assert.strictEqual(neededFrom(), second.start - BREATH_SAMPLES);
  });

  it("are all heard, nothing twice, and never more than a model hears", () => {
    const shape = fc.record({
      pause: fc.integer({ min: 0, max: 20 }),
      length: fc.integer({ min: 1, max: 260 })
    });
    fc.assert(
      fc.property(fc.array(shape, { maxLength: 8 }), fc.boolean(), (shapes, joins) => {
        const phrases = phrasesOf(shapes);
        const parts = heard(phrases, joins);
        let before = 0;
        for (const { end, start } of parts) {
          assert.isAtLeast(start, before);
          assert.isAtMost(end - start, PHRASES_SAMPLES_MAX + 2 * BREATH_SAMPLES);
          before = end;
        }
        const isHeard = (place: number): boolean =>
          parts.some(({ end, start }) => start <= place && place < end);
        for (const { end, start } of phrases)
          for (let place = start; place < end; place += SECOND / 8) assert.isTrue(isHeard(place), `${place}`);
      }),
      { numRuns: 60 }
    );
  });
});

describe("the sound of a recording", () => {
  it("is kept from where it is needed", () => {
    const sound = makeKeptSound();
    sound.append(Float32Array.of(0, 1, 2, 3));
    sound.dropBefore(2);
    sound.append(Float32Array.of(4, 5));
    assert.deepStrictEqual(sound.slice({ start: 3, end: 5 }), Float32Array.of(3, 4));
    assert.deepStrictEqual(sound.slice({ start: 0, end: 3 }), Float32Array.of(2));
    assert.strictEqual(sound.end(), 6);
    sound.dropBefore(100);
    assert.strictEqual(sound.end(), 6);
    sound.dropBefore(-1);
    assert.lengthOf(sound.slice({ start: 0, end: 9 }), 0);
  });
});
