/** Recorded answers of the programs, and what becomes of them. */
import { assert, describe, it } from "@effect/vitest";
import { readFileSync } from "node:fs";
import * as Effect from "effect/Effect";
import { testedLock } from "../../../src/programs/python/DownloaderEnvironment.ts";
import { PLATFORM_FACTS } from "./platformFacts.ts";
import { recordedInspector, recording } from "./recordedAnswers.ts";
import { DOCS, isRight, reasonsBy, sectionOf } from "./reasons.ts";

const RIGHT_SHARE_MIN = 0.95;

describe("the recorded answers", () => {
  it("are of the yt-dlp of the lock file", () => {
    assert.strictEqual(recording.version, testedLock().version);
  });
});

describe.each(Object.entries(PLATFORM_FACTS))("on %s", (_, rows) => {
  it.live.each(rows)("%s", ([, url, told]) =>
    Effect.gen(function* () {
      const inspect = yield* recordedInspector;
      if (typeof told === "string") assert.strictEqual((yield* Effect.flip(inspect(url))).reason, told);
      else assert.deepInclude((yield* inspect(url)).facts, told);
    }).pipe(Effect.scoped)
  );
});

describe("the reasons of refusals", () => {
  it.live("are right for nearly all platforms and situations, and are those in the docs", () =>
    Effect.gen(function* () {
      const reasons = yield* reasonsBy(yield* recordedInspector);
      const right = [...reasons.values()].flatMap((each) =>
        each.flatMap((reason, index) => (reason === null ? [] : [isRight(reason, index)]))
      );
      assert.isAtLeast(right.length, 60);
      assert.isAtLeast(right.filter(Boolean).length / right.length, RIGHT_SHARE_MIN);
      assert.include(readFileSync(DOCS, "utf8"), sectionOf(recording.version, reasons));
    }).pipe(Effect.scoped)
  );
});
