/**
 * An engine in this process for one command: in-memory money and queue, the real downloader, and an account with
 * unlimited credits.
 */
import { type Failure, remedyOf } from "@winnow/core/domain/source/Failure";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TOP_UP_CREDITS_MAX } from "@winnow/core/domain/money/TopUp";
import { Accounts } from "@winnow/core/engine/accounts/Accounts";
import { EngineSettings } from "@winnow/core/engine/EngineSettings";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as App from "../App.ts";
import type { Settings } from "../settings/Config.ts";
import { engineSettings } from "../Serve.ts";
import { CliFailed } from "./Inputs.ts";

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

/** Ports and settings of an engine for the scope. */
export const localServices = Effect.fnUntraced(function* (settings: Settings) {
  const { localPorts } = yield* Effect.promise(() => import("../main.ts"));
  return Layer.merge(localPorts(settings, yield* workFolder), localSettings(settings));
});

/** Builds the engine for the scope; missing programs and similar problems are reported in plain English. */
export const localEngine = Effect.fnUntraced(function* (settings: Settings) {
  const services = yield* localServices(settings);
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
  readonly details?: Readonly<Record<string, unknown>>;
}

/** For who runs this program and may decide so. */
const ALLOWING =
  "To allow hosts of your own network, list them in WINNOW_EGRESS_ALLOW, such as wiki.example:8080.";

/** A refusal of the engine as an error for people. */
export const cliFailedOf = (refusal: EngineRefusal): CliFailed => {
  const message =
    refusal.message === undefined || refusal.message === "" ? `Refused: ${refusal._tag}.` : refusal.message;
  const isPrivate = refusal.details?.["reason"] === "host_not_public";
  return new CliFailed({ message: isPrivate ? `${message} ${ALLOWING}` : message });
};

/** What went wrong and what to do, for who runs this program. */
export const failureText = (failure: Failure | null): string => {
  if (failure === null) return "The run failed.";
  const { hint } = remedyOf(failure);
  return `${failure.message} ${failure.reason === "blocked_address" ? ALLOWING : hint}`;
};
