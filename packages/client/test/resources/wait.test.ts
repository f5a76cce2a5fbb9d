import { assert, describe, it } from "vitest";
import { isRetryableStatus, retryAfterSeconds, retryDelayMs } from "../../src/core/retry.ts";
import { Pacer } from "../../src/resources/wait.ts";

describe("the pacer", () => {
  it("does not delay the first reads of a process", () => {
    const pacer = new Pacer();
    const waits = Array.from({ length: 11 }, () => pacer.reserve(5));
    assert.deepStrictEqual(waits, [...Array.from({ length: 10 }, () => 0), 1_250]);
  });

  for (const waits of [1, 3, 10, 40]) {
    it(`keeps ${waits} waits within 60 reads in any minute`, () => {
      const pacer = new Pacer();
      const reads: Array<number> = [];
      const clocks = Array.from({ length: waits }, () => 0);
      while (Math.min(...clocks) < 600_000) {
        const next = clocks.indexOf(Math.min(...clocks));
        const nowMs = clocks[next] ?? 0;
        const readMs = nowMs + pacer.reserve(nowMs);
        reads.push(readMs);
        clocks[next] = readMs + 300;
      }
      for (const [index, startMs] of reads.entries()) {
        const inMinute = reads.slice(index).filter((readMs) => readMs < startMs + 60_000).length;
        assert.isAtMost(inMinute, 60);
      }
    });
  }
});

describe("retries", () => {
  it("happen only for 408, 429 and server errors", () => {
    const retried = [200, 304, 400, 401, 402, 404, 408, 409, 422, 429, 500, 502, 503].filter(
      isRetryableStatus
    );
    assert.deepStrictEqual(retried, [408, 429, 500, 502, 503]);
  });

  it("double from half a second and stop growing at eight", () => {
    assert.deepStrictEqual(
      [0, 1, 2, 9].map((attempt) => retryDelayMs(attempt, null, 0)),
      [500, 1_000, 2_000, 8_000]
    );
    assert.strictEqual(retryDelayMs(0, null, 1), 375);
  });

  it("honour Retry-After as seconds and as a date", () => {
    assert.strictEqual(retryAfterSeconds("7"), 7);
    assert.strictEqual(retryAfterSeconds("Thu, 01 Jan 1970 00:01:00 GMT", 10_000), 50);
    assert.strictEqual(retryAfterSeconds(" 1.5 "), 1.5);
    for (const date of ["Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"])
      assert.strictEqual(retryAfterSeconds(date, Date.UTC(1994, 10, 6, 8, 49)), 37, date);
  });

  it("ignore a Retry-After that is neither, and back off as without it", () => {
    const malformed = [
      "-3",
      "+3",
      "0x1F",
      "1e3",
      "Infinity",
      "NaN",
      "",
      " ",
      "3 s",
      "3, 5",
      "1_0",
      ".5",
      "5."
    ];
    const noDates = ["soon", "2026-11-28", "2026-11-28T10:00:00Z", "Nov 6 1994", "Sunday", "Sun, 99:99:99"];
    for (const header of [...malformed, ...noDates, null]) {
      const seconds = retryAfterSeconds(header);
      assert.isNull(seconds, String(header));
      assert.isAtLeast(retryDelayMs(1, seconds, 1), 500);
    }
  });
});
