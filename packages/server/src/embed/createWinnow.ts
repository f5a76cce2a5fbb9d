/**
 * The whole server inside of another program (contract 10, "Embedding"): it listens on nothing, prints
 * nothing, takes no setting from the environment unless given one, and shares nothing with a second
 * instance beside it.
 */
import { readPlans, type PlansGiven } from "@winnow/core/domain/Plan";
import * as Cause from "effect/Cause";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Result from "effect/Result";
import * as Layer from "effect/Layer";
import * as Scope from "effect/Scope";
import { unknownSettings } from "../Config.ts";
import type { SessionsOf } from "../http/OwnSignIn.ts";
import { StartFailed } from "../StartFailed.ts";
import { accountCalls } from "./accountCalls.ts";
import type { Engine } from "./Engine.ts";
import { extractionCalls } from "./extractionCalls.ts";
import { fileCalls } from "./fileCalls.ts";
import { openInstance, type GivenLayer, type InstanceOptions } from "./Instance.ts";
import { schemaCalls, webhookCalls } from "./libraryCalls.ts";
import type { LogEntry } from "./LogEntry.ts";
import { SettingError } from "./SettingError.ts";
import { settingError, settingsOf } from "./settingsOf.ts";
import type { WinnowSettings } from "../SettingsTable.ts";

export interface WinnowOptions extends Omit<WinnowSettings, "plans"> {
  /** What accounts may do and what runs cost them, by the plan's name; or the path of a JSON file of them. */
  readonly plans?: PlansGiven | string | undefined;
  /** Read where a setting is absent: give it `process.env` and it counts as under `winnow serve`. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /**
   * Stand in the place of what the settings would choose, which is then neither loaded nor started. The later
   * of two counts. Clock, loggers and tracer may be among them.
   */
  readonly layers?: GivenLayer | ReadonlyArray<GivenLayer> | undefined;
  /**
   * Your sign-in, in the place of Winnow's links and cookies: the account of a browser's request that came
   * without an API key, null when nobody is signed in.
   */
  readonly sessions?: SessionsOf | undefined;
  /** Where your sign-in is: the web app leads there whoever is signed out. A path or an http(s) URL. */
  readonly signInUrl?: string | undefined;
  /** Where `fetch` is mounted when requests still have that path; that of `publicUrl` by default. */
  readonly basePath?: string | undefined;
  /** Told every log line; nothing is printed without it. */
  readonly logger?: ((entry: LogEntry) => void) | undefined;
}

export interface EmbeddedWinnow extends AsyncDisposable {
  /** Never rejects. Bound: it may be passed on by itself. */
  readonly fetch: (request: Request) => Promise<Response>;
  readonly engine: Engine;
  /**
   * As SIGTERM does: takes no more requests, gives those under way 8 s, hands back runs, closes the ports. The
   * same promise however often it is called.
   */
  readonly close: () => Promise<void>;
}

/** `//host` is not a path; javascript: is not an address. */
const SIGN_IN_URL = /^(?:https?:\/\/|\/(?![/\\]))[\x21-\x7e]*$/u;

const BASE_PATH = /^(?:\/[^/?#]+)*$/u;

const must = (isRight: boolean, option: string, be: string): void => {
  if (!isRight) throw new SettingError(`${option} must be ${be}.`, option);
};

const checkedPlans = (plans: unknown): PlansGiven =>
  Result.getOrThrowWith(readPlans(plans), (message) => new SettingError(message, "plans"));

const readOptions = (options: WinnowOptions): InstanceOptions => {
  const { env, layers = [], sessions, signInUrl, basePath, logger, plans, ...given } = options;
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
    "left out: fetch does not tell the address that a request came from. Read the header in `sessions`"
  );
  must(logger == null || typeof logger === "function", "logger", "a function of the entry");
  return {
    settings,
    plans: plans == null || typeof plans === "string" ? null : checkedPlans(plans),
    basePath: basePath ?? null,
    layers: allLayers,
    sessions: sessions ?? null,
    signInUrl: signInUrl ?? null,
    logger: logger ?? null,
    unknown: unknownSettings(env ?? {})
  };
};

const startError = (cause: Cause.Cause<unknown>): unknown => {
  const error = Cause.squash(cause);
  return error instanceof StartFailed ? settingError(error.message) : error;
};

/** Rejects with {@link SettingError} when a setting is wrong or what it names does not start. */
export const createWinnow = async (options: WinnowOptions = {}): Promise<EmbeddedWinnow> => {
  const instance = readOptions(options);
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
  const { handler, calls } = opened.value;
  return {
    fetch: handler,
    engine: {
      ...extractionCalls(calls),
      ...fileCalls(calls),
      accounts: accountCalls(calls),
      schemas: schemaCalls(calls),
      webhooks: webhookCalls(calls)
    },
    close,
    [Symbol.asyncDispose]: close
  };
};
