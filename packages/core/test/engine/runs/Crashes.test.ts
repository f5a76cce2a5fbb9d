// @module-tag long
/** The process crashes at its n-th call of a port, for every n; another one takes over. */
import { assert, describe, it } from "@effect/vitest";
import type * as Duration from "effect/Duration";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Logger from "effect/Logger";
import * as Option from "effect/Option";
import * as TestClock from "effect/testing/TestClock";
import { Failed } from "../../../src/domain/source/Failed.ts";
import type { Extraction } from "../../../src/domain/run/Extraction.ts";
import { ATTEMPTS_MAX } from "../../../src/domain/result/Settlement.ts";
import { Extractions } from "../../../src/engine/extractions/Extractions.ts";
import { Worker } from "../../../src/engine/runs/Worker.ts";
import { ArtifactStore } from "../../../src/ports/ArtifactStore.ts";
import { SchemaLibrary } from "../../../src/ports/SchemaLibrary.ts";
import * as FakeAnalyst from "@winnow/testing/fakes/FakeAnalyst";
import { sampleFacts } from "@winnow/testing/samples/samples";
import { crashAtEachCall, runTwice } from "../crashAtEachCall.ts";
import { ARTICLE, assertLaws, ports, SOURCES, VIDEO, type WorldOptions } from "../World.ts";

/** The client submits with keys, and repeats requests without a response; the worker executes the runs. */
const submitAndWork = (bodies: ReadonlyArray<unknown>) => (accountId: string, lifetime: Duration.Input) =>
  Effect.scoped(
    Effect.gen(function* () {
      const extractions = yield* Extractions;
      const worker = yield* Worker;
      yield* worker.work(2);
      for (const [index, body] of bodies.entries()) {
        yield* Effect.exit(extractions.submit(accountId, body, `key ${index}`));
      }
      yield* TestClock.adjust(lifetime);
    })
  );

/** Runs until a call, for each call, then again to the end, and checks what is left. */
const crashes = <E>(
  bodies: ReadonlyArray<unknown>,
  options: WorldOptions,
  check: (
    accountId: string,
    left: Effect.Success<ReturnType<typeof assertLaws>>
  ) => Effect.Effect<void, E, ArtifactStore | SchemaLibrary>
) =>
  Effect.fnUntraced(function* (lastCall: number, crashPoint: "before" | "after") {
    const world = Layer.merge(Layer.fresh(ports(options)), Logger.layer([]));
    return yield* Effect.gen(function* () {
      const { accountId, calls } = yield* runTwice(submitAndWork(bodies), lastCall, crashPoint);
      yield* check(accountId, yield* assertLaws(accountId));
      return calls;
    }).pipe(Effect.provide(world, { local: true }));
  });

const BROKEN = "https://example.com/broken";

const sources = {
  ...SOURCES,
  [BROKEN]: {
    facts: sampleFacts(),
    beforeFetch: Effect.fail(new Failed({ reason: "removed", message: "Gone." }))
  }
};

/** One that completes, one that fails, and one that waits for a slot. */
const BODIES = [
  { url: VIDEO, parts: ["transcript", "comments"] },
  { url: BROKEN, parts: [] },
  { url: ARTICLE }
];

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

const plainRuns = crashes(
  BODIES,
  { sources },
  Effect.fnUntraced(function* (_accountId, { account, extractions }) {
    assert.strictEqual(extractions.length, BODIES.length, "an extraction was lost or made twice");
    const byUrl = new Map(extractions.map((extraction) => [extraction.request.url, extraction]));
    assert.deepStrictEqual(
      BODIES.map(({ url }) => byUrl.get(url)?.status),
      ["complete", "failed", "complete"]
    );
    // 1,000 and the bonus, minus the video's transcript (60) and the article (50).
    assert.strictEqual(account.balance, 2_000 - 60 - 50);
    yield* Effect.forEach(extractions, assertServed);
  })
);

const isEnough = (kind: string, inputs: ReadonlyArray<string>): boolean =>
  kind === "webpage" || inputs.includes("audio");

/** Finds more with audio, so that auto mode continues to the next rung. */
const analyst = FakeAnalyst.layer(
  ({ facts, inputs }) =>
    Effect.succeed({
      outcome: "ok",
      verdictReason: null,
      extraction: { words: isEnough(facts.kind, inputs) ? "content of" : "unknown" },
      confidence: isEnough(facts.kind, inputs) ? 1 : 0
    }),
  () =>
    Effect.succeed({
      name: "Words",
      fields: [{ path: "words", type: "string", description: "", required: true, isArray: false }]
    })
);

const SCHEMA = { type: "object", required: ["words"], properties: { words: { type: "string" } } };

/** A run with a generated schema, and one that uses several rungs. */
const AI_BODIES = [
  { url: ARTICLE, schemaId: "auto" },
  { url: VIDEO, schema: SCHEMA, inputs: ["transcript", "audio"], auto: true, maxSpendCredits: 1_000 }
];

/** The article is the second page of a document. */
const PLACE = { page: 2, heading: "Chaff" };
const paged = {
  ...SOURCES,
  [ARTICLE]: {
    ...SOURCES[ARTICLE],
    sections: [{ ...PLACE, text: "content of transcript.txt", markdown: [] }]
  }
};

const aiRuns = crashes(
  AI_BODIES,
  { analyst, sources: paged },
  Effect.fnUntraced(function* (accountId, { account, extractions }) {
    assert.deepStrictEqual(
      extractions.map(({ status, result }) => [status, result?.outcome, result?.extraction]),
      AI_BODIES.map(() => ["complete", "ok", { words: "content of" }])
    );
    const article = extractions.find(({ request }) => request.url === ARTICLE)?.result;
    assert.deepStrictEqual(article?.evidence?.["/words"], [
      { source: "page", quote: "content of", ...PLACE }
    ]);
    const library = yield* SchemaLibrary;
    const saved = yield* library.list(accountId, { after: null, limit: 10 });
    const ids = extractions.flatMap(({ result }) => result?.schemaId ?? []);
    assert.deepStrictEqual(
      saved.map(({ id }) => id),
      ids
    );
    assert.lengthOf(ids, 1);
    // 1,000 and the bonus; 100 for the article; 50 + 10 + 4.26 + 106.5 + 213 for the video.
    assert.strictEqual(account.balance, 2_000 - 100 - 423);
  })
);

describe("a process that dies", () => {
  it.effect.each(["before", "after"] as const)(
    "%s any of its calls takes effect loses no run, charges none twice and serves no dead attempt",
    (crashPoint) => crashAtEachCall(crashPoint, 40, plainRuns)
  );

  it.effect.each(["before", "after"] as const)(
    "%s any of its calls takes effect during AI runs saves one schema, pays once and loses no answer",
    (crashPoint) => crashAtEachCall(crashPoint, 30, aiRuns)
  );
});
