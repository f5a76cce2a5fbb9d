/**
 * The complete server inside another program: it opens no port, prints nothing, reads no environment variables unless
 * they are passed, and shares nothing with other instances.
 */
import { join } from "node:path";
import type { Winnow } from "@winnow/client";
import type { AdminClient } from "@winnow/client/admin";
import { readPlans, type PlansGiven } from "@winnow/core/domain/money/Plan";
import * as Cause from "effect/Cause";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Result from "effect/Result";
import * as Layer from "effect/Layer";
import * as Scope from "effect/Scope";
import { unknownSettings } from "../settings/Config.ts";
import { unusableRoutes } from "../unusableRoutes.ts";
import type { SessionsOf } from "../http/authentication/webSession.ts";
import { StartFailed } from "../settings/StartFailed.ts";
import { openInstance, type GivenLayer, type InstanceOptions } from "./Instance.ts";
import type { LogEntry } from "./LogEntry.ts";
import { portLayer, type PromisePorts } from "./promisePorts.ts";
import { SettingError, settingError, settingsOf } from "./SettingError.ts";
import type { WinnowSettings } from "../settings/SettingsTable.ts";

export interface WinnowOptions extends Omit<WinnowSettings, "plans"> {
  /** Plans by name, with limits and prices; or the path of a JSON file of plans. */
  readonly plans?: PlansGiven | string | undefined;
  /** Environment variables for absent settings: pass `process.env` to use them as `winnow serve` does. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /**
   * Replace the adapters that the settings would choose, which are then neither loaded nor started. Later
   * layers override earlier ones. Clock, loggers and tracer can be replaced too.
   */
  readonly layers?: GivenLayer | ReadonlyArray<GivenLayer> | undefined;
  /** The same for some ports, as plain promises; they override `layers`. */
  readonly ports?: PromisePorts | undefined;
  /**
   * Your own sign-in, which replaces Winnow's links and cookies: returns the account of a browser request
   * without an API key, or null if nobody is signed in.
   */
  readonly sessions?: SessionsOf | undefined;
  /** Your sign-in page, to which the web app sends signed-out users. A path or an http(s) URL. */
  readonly signInUrl?: string | undefined;
  /** Path at which `fetch` is mounted, if requests still contain it. Default: the path of `publicUrl`. */
  readonly basePath?: string | undefined;
  /** Receives every log line; without it, nothing is printed. */
  readonly logger?: ((entry: LogEntry) => void) | undefined;
}

export interface EmbeddedWinnow extends AsyncDisposable {
  /** Never rejects. Bound, so it can be passed as a function. */
  readonly fetch: (request: Request) => Promise<Response>;
  /**
   * The client of an account, on this server without a network: what `new Winnow` of `@winnow/client` does over one. It
   * needs no API key, has no rate limits and retries nothing.
   */
  readonly client: (accountId: string) => Winnow;
  /** The operator's client: accounts, credits, API keys, sign-in links and health. */
  readonly admin: AdminClient;
  /**
   * Like SIGTERM: ends waits, accepts no further requests, waits up to 8 s for those in flight, requeues runs, closes the
   * ports. Repeated calls return the same promise.
   */
  readonly close: () => Promise<void>;
}

/** Rejects `//host`, which names another host, and other schemes, such as `javascript:`. */
const SIGN_IN_URL = /^(?:https?:\/\/|\/(?![/\\]))[\x21-\x7e]*$/u;

/** "/tools/winnow", or nothing. */
const BASE_PATH = /^(?:\/[^/?#]+)*$/u;

const must = (isRight: boolean, option: string, be: string): void => {
  if (!isRight) throw new SettingError(`${option} must be ${be}.`, option);
};

const checkedPlans = (plans: unknown): PlansGiven =>
  Result.getOrThrowWith(readPlans(plans), (message) => new SettingError(message, "plans"));

const readOptions = (options: WinnowOptions): InstanceOptions => {
  const { env, layers = [], ports = {}, sessions, signInUrl, basePath, logger, plans, ...given } = options;
  const allLayers = Array.isArray(layers) ? (layers as ReadonlyArray<GivenLayer>) : [layers as GivenLayer];
  must(
    basePath === undefined || BASE_PATH.test(basePath),
    "basePath",
    "a path like `/winnow`, without a slash at its end"
  );
  must(allLayers.every(Layer.isLayer), "layers", "a layer of effect, or a list of them");
  must(sessions == null || typeof sessions === "function", "sessions", "a function of the request");
  must(
    signInUrl == null || SIGN_IN_URL.test(signInUrl),
    "signInUrl",
    "a path like `/login`, or an http or https URL"
  );
  const settings = settingsOf(typeof plans === "string" ? { ...given, plans } : given, env);
  must(
    settings.signInHeader === null,
    "signInHeader",
    "omitted: fetch does not reveal the address a request came from. Read the header in `sessions`"
  );
  must(logger == null || typeof logger === "function", "logger", "a function of the entry");
  return {
    settings,
    plans: plans == null || typeof plans === "string" ? null : checkedPlans(plans),
    basePath: basePath ?? null,
    layers: [...allLayers, portLayer(ports, join(settings.dataDir, "work"))],
    sessions: sessions ?? null,
    signInUrl: signInUrl ?? null,
    logger: logger ?? null,
    unknown: unknownSettings(env ?? {})
  };
};

const startError = (cause: Cause.Cause<unknown>): unknown => {
  const error = Cause.squash(cause);
  return error instanceof StartFailed ? settingError(error.why) : error;
};

/** Rejects with {@link SettingError} if a setting is invalid or its service does not start. */
export const createWinnow = async (options: WinnowOptions = {}): Promise<EmbeddedWinnow> => {
  const instance = readOptions(options);
  const why = await unusableRoutes(instance.settings);
  if (why !== null) throw settingError(why);
  const scope = Scope.makeUnsafe();
  const opened = await Effect.runPromiseExit(
    Effect.provideService(openInstance(instance), Scope.Scope, scope)
  );
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= Effect.runPromise(Scope.close(scope, Exit.void)));
  if (Exit.isFailure(opened)) {
    await close();
    throw startError(opened.cause);
  }
  const { fetch, admin } = opened.value;
  return {
    fetch,
    client: (accountId) => admin.client(accountId),
    admin,
    close,
    [Symbol.asyncDispose]: close
  };
};
