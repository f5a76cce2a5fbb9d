/** On whose behalf the engine calls its ports. */
import { assert, describe, it } from "@effect/vitest";
import * as FakeAnalyst from "@winnow/testing/fakes/FakeAnalyst";
import * as Cause from "effect/Cause";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Layer from "effect/Layer";
import * as References from "effect/References";
import { Probes } from "../../src/engine/extractions/Probes.ts";
import { Schemas } from "../../src/engine/accounts/Schemas.ts";
import { CurrentRun } from "../../src/ports/CurrentRun.ts";
import { Downloader } from "../../src/ports/Downloader.ts";
import { SchemaChecker } from "../../src/ports/SchemaChecker.ts";
import { openAccount, probe, runToEnd, SOURCES, submit, VIDEO, world } from "./World.ts";

const calls: Array<string> = [];
const called = (port: string) =>
  Effect.gen(function* () {
    const { accountId } = yield* CurrentRun;
    const { by } = yield* References.CurrentLogAnnotations;
    calls.push(`${port} for ${accountId} by ${String(by)}`);
  });

const layer = world({
  sources: { [VIDEO]: { ...SOURCES[VIDEO], beforeInspect: called("inspect"), beforeFetch: called("fetch") } },
  analyst: FakeAnalyst.layer(() =>
    Effect.as(called("analyse"), { outcome: "ok", verdictReason: null, extraction: { a: 1 } } as const)
  ),
  schemaChecker: Layer.succeed(SchemaChecker, {
    check: () => called("check"),
    validate: () => Effect.as(called("validate"), [])
  })
});

const schema = { type: "object", properties: { a: { type: "number" } } };

describe("a port", () => {
  it.effect(
    "is called on behalf of the account whose quote, schema or run it is, and logs as its caller",
    () =>
      Effect.gen(function* () {
        for (const accountId of [yield* openAccount(), yield* openAccount()]) {
          calls.length = 0;
          yield* probe(accountId, { url: VIDEO });
          yield* Probes.use((probes) => probes.thumbnail(accountId, VIDEO));
          yield* submit(accountId, { url: VIDEO, schema });
          yield* Schemas.use((schemas) => schemas.save(accountId, { name: "a", schema }));
          yield* runToEnd(accountId, { url: VIDEO, schema, evidence: "require", force: true });
          const ports = ["inspect", "inspect", "check", "inspect", "check", "check", "inspect"];
          const ofRun = ["inspect", "fetch", "analyse", "validate"];
          assert.deepStrictEqual(
            calls,
            [...ports, ...ofRun].map((port) => `${port} for ${accountId} by a caller`)
          );
        }
      }).pipe(
        Effect.annotateLogs("by", "a caller"),
        Effect.provide(layer),
        Effect.annotateLogs("by", "who made the layer")
      )
  );

  it.effect("that is called outside of all of them dies, and says why", () =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit(Downloader.use((downloader) => downloader.inspect(VIDEO, {})));
      assert.isTrue(Exit.hasDies(exit));
      assert.include(Exit.isFailure(exit) ? Cause.pretty(exit.cause) : "", "outside of a run");
    }).pipe(Effect.provide(layer))
  );
});
