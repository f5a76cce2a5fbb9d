/**
 * A server in this process for one command, without a listener: in-memory money and queue, the real downloader, and the
 * client of an account with unlimited credits. Tests: winnow.test.ts, the server's Config.test.ts.
 */
import { DEFAULT_LIMITS } from "@winnow/adapters/sources/DownloadLimits";
import { TOP_UP_CREDITS_MAX } from "@winnow/core/domain/money/Payment";
import { EngineSettings } from "@winnow/core/engine/EngineSettings";
import { ownedFolder } from "@winnow/isolation/runtime/OwnedFolder";
import { openInstance } from "@winnow/server/embed/Instance";
import { localPorts } from "@winnow/server/main";
import { engineSettings } from "@winnow/server/Serve";
import type { Settings } from "@winnow/server/settings/Config";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Logger from "effect/Logger";
import * as References from "effect/References";
import { CliFailed } from "./Inputs.ts";

/**
 * The time limit of an inspection is that of the downloader. No HTTP request waits for it, and it includes the start of
 * the downloader: on a slow machine, a server's limit of 10 s would expire before the source is contacted.
 */
export const localSettings = (settings: Settings): Layer.Layer<never> =>
  Layer.effect(
    EngineSettings,
    Effect.map(EngineSettings, (engine) => ({ ...engine, inspectTimeoutMs: DEFAULT_LIMITS.inspectTimeoutMs }))
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
    layers: [localPorts(settings, yield* ownedFolder("winnow-command")), localSettings(settings), logs],
    sessions: null,
    signInUrl: null,
    logger: null,
    unknown: []
  }).pipe(Effect.mapError((error) => new CliFailed((error as Error).message)));
  const accountId = yield* Effect.promise(async () => {
    const { id } = await admin.accounts.create({ name: "local" });
    await admin.topUps.create(id, { credits: TOP_UP_CREDITS_MAX });
    return id;
  });
  return { accountId, client: admin.client(accountId) };
});
