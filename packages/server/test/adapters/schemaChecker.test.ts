import { assert, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Result from "effect/Result";
import { vi } from "vitest";
import { schemaChecker } from "../../src/adapters/schemaChecker.ts";
import { readSettings } from "../../src/settings/Config.ts";

it.effect("a server that requires a sandbox does not start without one, and names the setting", () =>
  Effect.gen(function* () {
    yield* Effect.acquireRelease(
      Effect.sync(() => vi.stubEnv("PATH", "/nowhere")),
      () => Effect.sync(() => vi.unstubAllEnvs())
    );
    const checker = schemaChecker(Result.getOrThrow(readSettings({ WINNOW_SANDBOX: "required" })));
    const { message } = yield* Effect.flip(Layer.build(checker));
    assert.match(message, /^WINNOW_SANDBOX: .*bubblewrap was not found/u);
  })
);
