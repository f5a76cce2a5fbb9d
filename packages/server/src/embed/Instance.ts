/** A server without a listener, running as long as its scope: ports, engine and worker. Tests: createWinnow.test.ts. */
import { AdminClient } from "@winnow/client/admin";
import type { PlansGiven } from "@winnow/core/domain/money/Plan";
import { SignInMethods } from "@winnow/core/ports/SignInMethod";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Logger from "effect/Logger";
import * as Metric from "effect/Metric";
import * as References from "effect/References";
import type * as Scope from "effect/Scope";
import { originOf, unknownSettingText, type Settings } from "../settings/Config.ts";
import * as EventStreams from "../http/limits/EventStreams.ts";
import type { SessionsOf } from "../http/authentication/webSession.ts";
import { basePathOf } from "../http/PublicUrl.ts";
import { LEVELS } from "../Logging.ts";
import { ports, signInMethods } from "../main.ts";
import * as PlanFile from "../settings/PlanFile.ts";
import { DATABASE_PORTS, has, SINGLE_PORTS } from "../Ports.ts";
import { freeSpace, prepareDataDir, startEngine, tracing } from "../Serve.ts";
import { loggerOf, type LogEntry } from "./LogEntry.ts";
import { RequestGate, webHandler, type WebHandler } from "./WebHandler.ts";
import { SettingError } from "./SettingError.ts";

/** Any layer without requirements; which ports it provides is only known once it is built. */
export type GivenLayer = Layer.Layer<never, unknown, never>;

export interface InstanceOptions {
  readonly settings: Settings;
  /** Null if the settings name a file of plans, or there are none. */
  readonly plans: PlansGiven | null;
  readonly basePath: string | null;
  readonly layers: ReadonlyArray<GivenLayer>;
  readonly sessions: SessionsOf | null;
  readonly signInUrl: string | null;
  readonly logger: ((entry: LogEntry) => void) | null;
  /** Variables of the given environment that look like settings but are unknown. */
  readonly unknown: ReadonlyArray<string>;
}

interface Instance {
  readonly fetch: WebHandler["fetch"];
  /** Calls the instance without a network. */
  readonly admin: AdminClient;
}

/** The instance knows its own requests: the token means nothing, here or anywhere else. */
const adminOf = (fetch: typeof globalThis.fetch): AdminClient =>
  new AdminClient({ token: "in-process", baseUrl: "http://localhost", fetch, maxRetries: 0 });

/** Nothing is shared with other instances: loggers, metrics and tracer are the instance's own. */
const surroundings = Effect.fnUntraced(function* ({ settings, plans, logger, layers }: InstanceOptions) {
  const own = yield* Layer.build(
    Layer.mergeAll(
      Logger.layer(logger === null ? [] : [loggerOf(logger)]),
      Layer.succeed(References.MinimumLogLevel, LEVELS[settings.logLevel]),
      Layer.succeed(Metric.MetricRegistry, new Map()),
      PlanFile.layer(settings, plans),
      tracing(settings)
    )
  );
  const [first, ...rest] = layers;
  if (first === undefined) return own;
  const given = yield* Effect.provideContext(Layer.build(Layer.mergeAll(first, ...rest)), own);
  return Context.merge(own, given);
});

/** Ports that share accounts and transactions with the Store must be replaced together. */
const checkStore = (given: Context.Context<never>): Effect.Effect<void, SettingError> => {
  const { Store, WebhookEndpoints, WebhookOutbox } = DATABASE_PORTS;
  const fail = (message: string) => Effect.fail(new SettingError(message, "layers"));
  if (!has(given, Store)) {
    return has(given, WebhookEndpoints) || has(given, WebhookOutbox)
      ? fail("layers has webhooks without a Store: its transactions read the endpoints and fill the outbox.")
      : Effect.void;
  }
  const missing = Object.entries(DATABASE_PORTS).flatMap(([name, port]) => (has(given, port) ? [] : [name]));
  return missing.length === 0
    ? Effect.void
    : fail(
        `layers has a Store but no ${missing.join(", no ")}: they share its accounts, so provide them too ` +
          `(@winnow/core/memory/MemoryDatabase has them all, in memory).`
      );
};

/** The folder of the settings is created only when something is written to it. */
const needsDataDir = (given: Context.Context<never>): boolean =>
  [DATABASE_PORTS.Store, SINGLE_PORTS.Downloader, SINGLE_PORTS.Analyst, SINGLE_PORTS.ArtifactStore].some(
    (port) => !has(given, port)
  );

/** Rejects new requests, ends open streams, and waits for requests in flight. */
const closeOn = (gate: RequestGate, streams: EventStreams.EventStreams["Service"]) =>
  Effect.addFinalizer(() => {
    const closed = gate.close();
    return Effect.andThen(
      streams.end,
      Effect.promise(() => closed)
    );
  });

export const openInstance: (options: InstanceOptions) => Effect.Effect<Instance, unknown, Scope.Scope> =
  Effect.fnUntraced(function* (options) {
    const { settings } = options;
    const around = yield* surroundings(options);
    yield* checkStore(around);
    if (needsDataDir(around)) yield* prepareDataDir(settings);
    const publicUrl = settings.publicUrl ?? originOf(settings.host, settings.port);
    const inside = Effect.gen(function* () {
      for (const name of options.unknown) yield* Effect.logWarning(unknownSettingText(name));
      const disks = needsDataDir(around) ? freeSpace(settings) : Layer.empty;
      const engine = yield* startEngine(settings, ports(settings, around), publicUrl, disks);
      const services = Context.merge(around, engine);
      const given = yield* SignInMethods;
      const signIn = given.length > 0 ? given : yield* signInMethods(settings);
      const streams = yield* EventStreams.make;
      const gate = new RequestGate();
      const { fetch, ownFetch } = yield* webHandler(
        {
          settings,
          publicUrl,
          basePath: options.basePath ?? basePathOf(publicUrl),
          sessions: options.sessions,
          signInUrl: options.signInUrl,
          signIn,
          streams,
          gate
        },
        services
      );
      yield* closeOn(gate, streams);
      return { fetch, admin: adminOf(ownFetch) };
    });
    return yield* Effect.provideContext(inside, around);
  });
