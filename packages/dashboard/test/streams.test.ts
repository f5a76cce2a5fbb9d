import { afterEach, assert, beforeEach, describe, it, vi } from "vitest";
import { readLines } from "../src/data/streams.ts";

const SECOND_MS = 1_000;

describe("an answer that arrives line by line", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** How many lines had arrived each time that they were drawn, each after its wait. */
  const drawnAt = async (waitsMs: ReadonlyArray<number>): Promise<ReadonlyArray<number>> => {
    let taken = 0;
    const drawn: Array<number> = [];
    const lines = async function* () {
      for (const waitMs of waitsMs) {
        await new Promise((resolve) => setTimeout(resolve, waitMs));
        yield waitMs;
      }
    };
    const read = readLines(
      lines(),
      () => (taken += 1) > 0,
      () => void drawn.push(taken)
    );
    await vi.runAllTimersAsync();
    await read;
    return drawn;
  };

  it("is drawn whenever the next lines are awaited, and not before its end where it is short", async () => {
    assert.deepStrictEqual(await drawnAt([0, 0, 0]), []);
    assert.deepStrictEqual(await drawnAt([SECOND_MS, SECOND_MS, SECOND_MS]), [1, 2]);
    assert.deepStrictEqual(await drawnAt([0, 0, SECOND_MS]), [2]);
  });
});
