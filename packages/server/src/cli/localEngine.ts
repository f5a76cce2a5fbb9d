/**
 * An engine in this process for one command: in-memory money and queue, the real downloader, and an account with
 * unlimited credits.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TOP_UP_CREDITS_MAX } from "@winnow/core/domain/TopUp";
import { Accounts } from "@winnow/core/engine/Accounts";
import { EngineSettings } from "@winnow/core/engine/EngineSettings";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as App from "../App.ts";
import type { Settings } from "../Config.ts";
import { engineSettings } from "../Serve.ts";
import { CliFailed } from "./CliFailed.ts";

const workFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "winnow-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
);

/**
 * Time limit of an inspection, the same as that of the downloader. No HTTP request waits for it, and it includes the
 * start of the downloader: on a slow machine, a server's limit of 10 s would expire before the source is contacted.
 */
const INSPECT_TIMEOUT_MS = 25_000;

export const localSettings = (settings: Settings): Layer.Layer<never> =>
  Layer.effect(
    EngineSettings,
    Effect.map(EngineSettings, (engine) => ({ ...engine, inspectTimeoutMs: INSPECT_TIMEOUT_MS }))
  ).pipe(Layer.provide(engineSettings(settings)));

/** Builds the engine for the scope; missing programs and similar problems are reported in plain English. */
export const localEngine = Effect.fnUntraced(function* (settings: Settings) {
  const { localPorts } = yield* Effect.promise(() => import("../main.ts"));
  const folder = yield* workFolder;
  const services = Layer.merge(localPorts(settings, folder), localSettings(settings));
  return yield* Layer.build(App.engine.pipe(Layer.provideMerge(services))).pipe(
    Effect.mapError((error) => new CliFailed({ message: error.message }))
  );
});

/** An account with a balance that is never exhausted. */
export const localAccount = Effect.gen(function* () {
  const accounts = yield* Accounts;
  const { id } = yield* accounts.create("local");
  yield* accounts.topUp(id, TOP_UP_CREDITS_MAX);
  return id;
});

interface EngineRefusal {
  readonly _tag: string;
  readonly message?: string;
}

/** A refusal of the engine as an error for people. */
export const cliFailedOf = (refusal: EngineRefusal): CliFailed =>
  new CliFailed({
    message:
      refusal.message === undefined || refusal.message === "" ? `Refused: ${refusal._tag}.` : refusal.message
  });
