import { afterEach, assert, beforeEach, describe, it, vi } from "vitest";
import { readLines } from "../src/data/streams.ts";

const SECOND_MS = 1_000;

describe("an answer that arrives line by line", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
  afterEach(() => void vi.useRealTimers());

  /** How many lines had been taken each time that they were drawn. */
  const drawnAt = async (everyMs: number): Promise<ReadonlyArray<number>> => {
    const taken: Array<number> = [];
    const drawn: Array<number> = [];
    const lines = async function* () {
      for (const line of [1, 2, 3]) {
        vi.setSystemTime(Date.now() + everyMs);
        yield line;
      }
    };
    await readLines(
      lines(),
      (line) => taken.push(line) > 0,
      () => drawn.push(taken.length)
    );
    return drawn;
  };

  it("is drawn line by line where that takes time, and in one piece where it does not", async () => {
    assert.deepStrictEqual(await drawnAt(SECOND_MS), [1, 2, 3]);
    assert.deepStrictEqual(await drawnAt(0), []);
  });
});
