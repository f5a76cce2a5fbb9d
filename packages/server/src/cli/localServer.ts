/**
 * A server in this process for one command, without a listener: ports as of localEngine, and the client of an account
 * with unlimited credits.
 */
import { TOP_UP_CREDITS_MAX } from "@winnow/core/domain/money/TopUp";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Logger from "effect/Logger";
import { openInstance } from "../embed/Instance.ts";
import type { Settings } from "../settings/Config.ts";
import { CliFailed } from "./Inputs.ts";
import { localServices } from "./localEngine.ts";

/** For the scope. */
export const localClient = Effect.fnUntraced(function* (settings: Settings) {
  const loggers = Layer.succeed(Logger.CurrentLoggers, yield* Logger.CurrentLoggers);
  const { admin } = yield* openInstance({
    settings: { ...settings, role: "all" },
    plans: null,
    basePath: null,
    layers: [yield* localServices(settings), loggers],
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
