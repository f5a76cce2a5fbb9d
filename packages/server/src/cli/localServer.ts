/**
 * A server in this process for one command, without a listener: in-memory money and queue, the real downloader, and the
 * client of an account with unlimited credits.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TOP_UP_CREDITS_MAX } from "@winnow/core/domain/money/TopUp";
import { EngineSettings } from "@winnow/core/engine/EngineSettings";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Logger from "effect/Logger";
import * as References from "effect/References";
import { openInstance } from "../embed/Instance.ts";
import { localPorts } from "../main.ts";
import { engineSettings } from "../Serve.ts";
import type { Settings } from "../settings/Config.ts";
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

/** For the scope; missing programs and similar problems are reported in plain English. */
export const localClient = Effect.fnUntraced(function* (settings: Settings) {
  const logs = Layer.mergeAll(
    Layer.succeed(Logger.CurrentLoggers, yield* Logger.CurrentLoggers),
    Layer.succeed(References.MinimumLogLevel, yield* References.MinimumLogLevel)
  );
  const { admin } = yield* openInstance({
    settings: { ...settings, role: "all" },
    plans: null,
    basePath: null,
    layers: [localPorts(settings, yield* workFolder), localSettings(settings), logs],
    sessions: null,
    signInUrl: null,
    logger: null,
    unknown: []
  }).pipe(Effect.mapError((error) => new CliFailed({ message: (error as Error).message })));
  const accountId = yield* Effect.promise(async () => {
    const { id } = await admin.accounts.create({ name: "local" });
    await admin.topUps.create(id, { credits: TOP_UP_CREDITS_MAX });
    return id;
  });
  return { accountId, client: admin.client(accountId) };
});
