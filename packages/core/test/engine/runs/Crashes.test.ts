// @module-tag long
/** The process crashes at its n-th call of a port, for every n; another one takes over. */
import { assert, describe, it } from "@effect/vitest";
import type * as Duration from "effect/Duration";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Logger from "effect/Logger";
import * as Option from "effect/Option";
import * as TestClock from "effect/testing/TestClock";
import type { Extraction } from "../../../src/domain/run/Extraction.ts";
import { ATTEMPTS_MAX } from "../../../src/domain/run/Settlement.ts";
import { Extractions } from "../../../src/engine/extractions/Extractions.ts";
import { Runs } from "../../../src/engine/runs/Runs.ts";
import { ArtifactStore } from "../../../src/ports/ArtifactStore.ts";
import { DownloadFailed } from "../../../src/ports/Downloader.ts";
import { sampleFacts } from "@winnow/testing/samples/samples";
import type { CrashPoint } from "../CrashingPorts.ts";
import { crashAtEachCall, runTwice } from "../crashAtEachCall.ts";
import { ARTICLE, assertLaws, ports, SOURCES, VIDEO } from "../World.ts";

const BROKEN = "https://example.com/broken";

const sources = {
  ...SOURCES,
  [BROKEN]: {
    facts: sampleFacts(),
    beforeFetch: Effect.fail(new DownloadFailed({ reason: "removed", message: "Gone." }))
  }
};

/** One that completes, one that fails, and one that waits for a slot. */
const BODIES = [
  { url: VIDEO, parts: ["transcript", "comments"] },
  { url: BROKEN, parts: [] },
  { url: ARTICLE }
];

/** The client submits with keys, and repeats requests without a response; the worker executes the runs. */
const submitAndWork = (accountId: string, lifetime: Duration.Input) =>
  Effect.scoped(
    Effect.gen(function* () {
      const extractions = yield* Extractions;
      const runs = yield* Runs;
      yield* runs.work(2);
      for (const [index, body] of BODIES.entries()) {
        yield* Effect.exit(extractions.submit(accountId, body, `key ${index}`));
      }
      yield* TestClock.adjust(lifetime);
    })
  );

const assertServed = Effect.fnUntraced(function* ({ id, result }: Extraction) {
  const artifacts = yield* ArtifactStore;
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
    const isOwner = result?.artifactOwner.attempt === attempt;
    for (const name of ["transcript.txt", "thumbnail.jpg"]) {
      const size = yield* artifacts.size({ extractionId: id, attempt, name });
      assert.strictEqual(Option.isSome(size), isOwner, `${name} of attempt ${attempt}`);
    }
  }
});

/** Runs until the n-th call, then again to the end; returns the number of calls of the process that crashes. */
const crashAndFinish = Effect.fnUntraced(function* (lastCall: number, crashPoint: CrashPoint) {
  const { accountId, calls } = yield* runTwice(submitAndWork, lastCall, crashPoint);
  const { account, extractions } = yield* assertLaws(accountId);
  assert.strictEqual(extractions.length, BODIES.length, "an extraction was lost or made twice");
  const byUrl = new Map(extractions.map((extraction) => [extraction.request.url, extraction]));
  assert.deepStrictEqual(
    BODIES.map(({ url }) => byUrl.get(url)?.status),
    ["complete", "failed", "complete"]
  );
  // 1,000 and the bonus, minus the video's transcript (60) and the article (50).
  assert.strictEqual(account.balance, 2_000 - 60 - 50);
  yield* Effect.forEach(extractions, assertServed);
  return calls;
});

const isolated = (lastCall: number, crashPoint: CrashPoint) =>
  Effect.provide(crashAndFinish(lastCall, crashPoint), [Layer.fresh(ports({ sources })), Logger.layer([])], {
    local: true
  });

describe("a process that dies", () => {
  it.effect.each(["before", "after"] as const)(
    "%s any of its calls takes effect loses no run, charges none twice and serves no dead attempt",
    (crashPoint) => crashAtEachCall(crashPoint, 40, isolated)
  );
});
