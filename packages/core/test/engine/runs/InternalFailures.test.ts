/** For any internal failure, the log has one line at level ERROR with the extraction's id and the cause. */
import { assert, describe, it } from "@effect/vitest";
import * as Cause from "effect/Cause";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as Layer from "effect/Layer";
import * as Logger from "effect/Logger";
import * as References from "effect/References";
import * as TestClock from "effect/testing/TestClock";
import { Failed } from "../../../src/domain/source/Failed.ts";
import { ATTEMPTS_MAX, decideStart } from "../../../src/domain/result/Settlement.ts";
import { Analyst } from "../../../src/ports/Analyst.ts";
import { ArtifactStore } from "../../../src/ports/ArtifactStore.ts";
import { Downloader } from "../../../src/ports/Downloader.ts";
import { Store } from "../../../src/ports/Store.ts";
import { Unavailable } from "../../../src/ports/Unavailable.ts";
import * as FakeAnalyst from "@winnow/testing/fakes/FakeAnalyst";
import { assertLaws, engine, execute, openAccount, ports, read, submit, VIDEO } from "../World.ts";

interface ErrorLine {
  readonly text: string;
  readonly extractionId: unknown;
}

/** Lines at level ERROR, with their causes as text. */
const errorLines = () => {
  const lines: Array<ErrorLine> = [];
  const logger = Logger.make<unknown, void>(({ cause, fiber, logLevel, message }) => {
    if (logLevel !== "Error") return;
    const parts = Array.isArray(message) ? message : [message];
    const said = parts.map((part) =>
      part instanceof Error ? `${part.message} ${String(part.cause)}` : String(part)
    );
    const { extractionId } = fiber.getRef(References.CurrentLogAnnotations);
    lines.push({ text: `${said.join(" ")} ${Cause.pretty(cause)}`, extractionId });
  });
  return { lines, layer: Logger.layer([logger]) };
};

/** The real port, with these calls replaced by failing ones. */
const broken = (port: any, calls: object): Layer.Layer<any, never, any> =>
  Layer.effect(
    port,
    Effect.map(port, (real: any) => ({ ...real, ...calls }))
  ) as any;

const full = new Unavailable({
  what: "artifacts",
  reason: "full",
  message: "The disk of the working folders is full.",
  retryAfterSeconds: 30,
  cause: new Error("ENOSPC")
});
const away = new Unavailable({
  what: "artifacts",
  reason: "away",
  message: "The bucket is away.",
  retryAfterSeconds: 5,
  cause: new Error("ECONNREFUSED")
});

const AI_BODY = { url: VIDEO, prompt: "What?", schema: { type: "object", minProperties: 1 } };

const dies = (cause: unknown) => () => Effect.die(cause);
const ofSite = new Failed({ reason: "internal", message: "of the site" });

/** Each failure, with a text that its logged cause contains. */
const WAYS: ReadonlyArray<
  readonly [name: string, said: string, Layer.Layer<any, never, any>, body?: object]
> = [
  [
    "an extractor that crashes",
    "of the extractor",
    broken(Downloader, { fetch: dies(new Error("of the extractor")) })
  ],
  ["an extractor lost in its site", "of the site", broken(Downloader, { fetch: () => Effect.fail(ofSite) })],
  [
    "a model that crashes",
    "of the model",
    broken(Analyst, { analyse: dies(new Error("of the model")) }),
    AI_BODY
  ],
  ["a bucket that breaks", "of the bucket", broken(ArtifactStore, { put: dies(new Error("of the bucket")) })],
  ["a bucket that is away", "ECONNREFUSED", broken(ArtifactStore, { put: dies(away) })],
  ["a disk that is full under the download", "ENOSPC", broken(Downloader, { fetch: dies(full) })],
  ["a disk that is full under the storing", "ENOSPC", broken(ArtifactStore, { put: dies(full) })]
];

/** Longer than all retries of storing. */
const ATTEMPT_MS = 400_000;
const STEP_MS = 5_000;

/** Executes attempts while the clock runs, until the run has ended. */
const executeRun = Effect.fnUntraced(function* (accountId: string, id: string) {
  for (let attempt = 0; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const fiber = yield* Effect.forkChild(execute({ accountId, id }), { startImmediately: true });
    for (let ms = 0; ms < ATTEMPT_MS && fiber.pollUnsafe() === undefined; ms += STEP_MS) {
      yield* TestClock.adjust(STEP_MS);
    }
    yield* Fiber.await(fiber);
    const found = yield* read(accountId, id);
    if (found.status === "failed") return found;
  }
  return yield* read(accountId, id);
});

const oneLine = (
  faulty: Layer.Layer<any, never, any>,
  body: object,
  run: (accountId: string, id: string) => Effect.Effect<{ status: string; failure: any }, any, any>
): Effect.Effect<ErrorLine> => {
  const { layer, lines } = errorLines();
  return Effect.gen(function* () {
    const accountId = yield* openAccount();
    const { extraction } = yield* submit(accountId, body);
    const failed = yield* run(accountId, extraction.id);
    assert.strictEqual(failed.status, "failed");
    assert.strictEqual(failed.failure?.reason, "internal");
    assert.lengthOf(lines, 1, JSON.stringify(lines));
    assert.strictEqual(lines[0]!.extractionId, extraction.id);
    yield* assertLaws(accountId);
    return lines[0]!;
  }).pipe(
    Effect.provide(
      Layer.provideMerge(engine(), Layer.provideMerge(faulty, ports({ analyst: FakeAnalyst.layer() })))
    ),
    Effect.provide(layer)
  ) as Effect.Effect<ErrorLine>;
};

describe("a run that fails internally logs one line at level ERROR, with its id and the cause, by", () => {
  it.effect.each(WAYS)("%s", ([, said, faulty, body = { url: VIDEO }]) =>
    Effect.map(oneLine(faulty, body, executeRun), ({ text }) => assert.include(text, said))
  );

  it.effect("workers that die again and again", () => {
    const unheard = broken(Store, {});
    const dying = (accountId: string, id: string) =>
      Effect.gen(function* () {
        const store = yield* Store;
        for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
          yield* store.transact(accountId, decideStart(id, 0));
        }
        yield* execute({ accountId, id });
        return yield* read(accountId, id);
      });
    return Effect.map(oneLine(unheard, { url: VIDEO }, dying), ({ text }) =>
      assert.include(text, "interrupted")
    );
  });
});
