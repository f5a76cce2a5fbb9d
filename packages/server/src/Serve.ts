/**
 * The life cycle of a server: opens ports, starts the engine and the worker, listens, and shuts down in
 * reverse order.
 */
import * as NodeModule from "node:module";
import { Accounts } from "@winnow/core/engine/accounts/Accounts";
import { EngineSettings } from "@winnow/core/engine/EngineSettings";
import { SignIn } from "@winnow/core/engine/accounts/SignIn";
import { SignInMethods, type SignInMethod } from "@winnow/core/ports/SignInMethod";
import * as Console from "effect/Console";
import type * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as HttpRouter from "effect/http/HttpRouter";
import * as Layer from "effect/Layer";
import * as References from "effect/References";
import * as App from "./App.ts";
import { originOf, unknownSettings, unknownSettingText, type Settings } from "./settings/Config.ts";
import * as DataDir from "./DataDir.ts";
import * as HttpListener from "./http/HttpListener.ts";
import * as EventStreams from "./http/limits/EventStreams.ts";
import { signInUrl } from "./routes/sign-in/SignInHttp.ts";
import * as WorkerState from "./routes/system/WorkerState.ts";
import { lazily } from "./lazily.ts";
import { winnowOn } from "./programName.ts";
import * as PlanFile from "./settings/PlanFile.ts";
import type { Ports } from "./Ports.ts";
import { STAND_IN_DETAIL, STAND_IN_MODEL } from "./settings/ModelSettings.ts";
import { told } from "./settings/SettingRow.ts";
import { engineFields, SETTINGS } from "./settings/SettingsTable.ts";
import { StartFailed } from "./settings/StartFailed.ts";
import { findWebFiles, NO_WEB_APP, WEB_APP_REMEDY } from "./web/WebFiles.ts";

/** Credits of the account created at the first start, in addition to the bonus of the first top-up. */
const FIRST_ACCOUNT_CREDITS = 10_000;

/** The engine's settings. */
export const engineSettings = (settings: Settings, publicUrl = originOf(settings.host, settings.port)) =>
  Layer.effect(
    EngineSettings,
    Effect.map(EngineSettings, (defaults) => ({
      ...defaults,
      ...engineFields(settings),
      publicUrl
    }))
  );

const lazyFreeSpace = lazily(() => import("./adapters/artifacts.ts"), "freeSpace");

/** For a process that executes runs and stores local files. */
export const freeSpace = ({ artifactsUrl: location, dataDir, role }: Settings): Layer.Layer<never> =>
  role === "api"
    ? Layer.empty
    : lazyFreeSpace(dataDir, location._tag === "Directory" ? location.directory : null);

/**
 * Starts the engine, and the worker if the role has one, until the scope closes; returns the services of the
 * API.
 */
export const startEngine = Effect.fnUntraced(function* <E>(
  settings: Settings,
  ports: Layer.Layer<Ports, E>,
  publicUrl: string,
  disks = freeSpace(settings)
) {
  const services = yield* App.engine.pipe(
    Layer.provideMerge([
      ports,
      engineSettings(settings, publicUrl),
      disks,
      WorkerState.layer(settings.role === "api")
    ]),
    Layer.build
  );
  if (settings.role !== "api") {
    yield* Layer.build(App.worker(settings.workers)).pipe(Effect.provideContext(services));
  }
  return services;
});

/**
 * The first account's secrets are shown on a terminal only: elsewhere, standard output is usually stored, for
 * example in the journal. Then the key is in a file, and a sign-in link is one command away.
 */
const firstAccountLines = Effect.fnUntraced(function* (
  { dataDir }: Settings,
  publicUrl: string,
  { id, key }: { readonly id: string; readonly key: string }
) {
  const isTerminal = process.stdout.isTTY === true;
  const shownKey = isTerminal
    ? `  API key (shown only once): ${key}`
    : `  API key (mode 0600):       ${DataDir.writeFirstKey(dataDir, key)}`;
  if (findWebFiles() === null) return [shownKey];
  const webApp = `  Web app:                   ${publicUrl}/app/`;
  if (!isTerminal)
    return [shownKey, webApp, `  Sign in:                   ${winnowOn(dataDir)} account sign-in ${id}`];
  const link = yield* Effect.orDie((yield* SignIn).createLink(id));
  return [shownKey, webApp, `  Sign in (once, 15 min):    ${signInUrl(publicUrl, link.token)}`];
});

const announceFirstAccount = Effect.fnUntraced(function* (settings: Settings, publicUrl: string) {
  if (settings.databaseUrl !== null || DataDir.hasFirstAccount(settings.dataDir)) return;
  const accounts = yield* Accounts;
  const { id } = yield* accounts.create("first account");
  const balance = yield* Effect.orDie(accounts.topUp(id, FIRST_ACCOUNT_CREDITS));
  const { key } = yield* Effect.orDie(accounts.createApiKey(id, "first key"));
  const lines = yield* firstAccountLines(settings, publicUrl, { id, key });
  DataDir.markFirstAccount(settings.dataDir, id);
  yield* Console.log(
    [
      "",
      `First start: account ${id} was created${settings.private === "on" ? "" : `, with ${balance} credits`}.`,
      ...lines,
      `  API description:           ${publicUrl}/v1/openapi.json`,
      ""
    ].join("\n")
  );
});

/** Null if the tools are disabled. */
export const mcpMaxCreditsOf = ({ mcp, mcpMaxCredits }: Settings): number | null =>
  mcp === "on" ? mcpMaxCredits : null;

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException | undefined)?.code ?? "failed";

const ensureAdminToken = (dataDir: string) =>
  Effect.try({
    try: () => DataDir.ensureAdminToken(dataDir),
    catch: (error) =>
      new StartFailed(
        codeOf(error) === "ENOSPC"
          ? told`The disk of ${SETTINGS.dataDir} "${dataDir}" is full (ENOSPC). Free up space, or set another ${SETTINGS.dataDir}.`
          : told`The admin token in ${SETTINGS.dataDir} "${dataDir}" cannot be read or written (${codeOf(error)}).`
      )
  });

/** A process that only executes runs has no API and needs no token. */
const routesOf = Effect.fnUntraced(function* (settings: Settings, publicUrl: string) {
  if (settings.role === "worker") return App.workerApi;
  const adminToken = settings.adminToken ?? (yield* ensureAdminToken(settings.dataDir));
  const webFiles = findWebFiles();
  if (webFiles === null) {
    yield* Effect.logWarning(`The web app is ${NO_WEB_APP}. To add it: ${WEB_APP_REMEDY}, then start again.`);
  }
  return App.api({
    adminToken,
    publicUrl,
    corsOrigins: settings.corsOrigins,
    webFiles,
    mcpMaxCredits: mcpMaxCreditsOf(settings)
  });
});

const listening = Effect.fnUntraced(function* (
  settings: Settings,
  address: { readonly port: number | HttpListener.ReservedPort; readonly publicUrl: string },
  services: Context.Context<App.Services>
) {
  const server = HttpRouter.serve(yield* routesOf(settings, address.publicUrl), {
    routerConfig: App.ROUTER_CONFIG,
    disableLogger: true,
    disableListenLog: true
  }).pipe(Layer.provide(HttpListener.layer(settings.host, address.port)));
  const streams = yield* EventStreams.make;
  yield* Layer.build(server).pipe(
    Effect.provideService(EventStreams.EventStreams, streams),
    Effect.provideContext(services)
  );
  // Ends streams before the listener closes, because it waits for open responses and streams never end by
  // themselves.
  yield* Effect.addFinalizer(() => streams.end);
});

export const prepareDataDir = ({ dataDir }: Settings): Effect.Effect<void, StartFailed> =>
  Effect.try({
    try: () => {
      DataDir.makeDataDir(dataDir);
      DataDir.checkWritable(dataDir);
    },
    catch: (error) =>
      new StartFailed(
        told`${SETTINGS.dataDir} is "${dataDir}", but must be a writable directory (${codeOf(error)}).`
      )
  });

const reservePort = ({ host }: Settings) =>
  Effect.mapError(HttpListener.reservePort(host), (error) => notListening(originOf(host, 0), error));

const notListening = (origin: string, cause: unknown): StartFailed =>
  new StartFailed(
    codeOf(cause) === "EADDRINUSE"
      ? told`Another program already listens on ${origin}; stop it or choose another port with ${SETTINGS.port}.`
      : told`The server cannot listen on ${origin} (${codeOf(cause)}); choose another address with ${SETTINGS.host} and ${SETTINGS.port}.`
  );

/**
 * Records the server's address for commands on this machine, as long as it runs. A full disk does not prevent
 * serving.
 */
const announceToCommands = ({ dataDir }: Settings, origin: string) =>
  Effect.acquireRelease(
    Effect.try(() => DataDir.writeServerUrl(dataDir, origin)).pipe(
      Effect.catch(({ cause }) =>
        Effect.logWarning(
          `WINNOW_DATA_DIR is not writable (${codeOf(cause)}): commands on this machine need --url.`
        )
      )
    ),
    () => Effect.sync(() => DataDir.removeServerUrl(dataDir))
  );

/** Unknown settings are logged, not rejected: they may be meant for other programs. */
const warnOfSettings = Effect.fnUntraced(function* (settings: Settings) {
  for (const name of unknownSettings(process.env)) yield* Effect.logWarning(unknownSettingText(name));
  if (settings.llmModel === STAND_IN_MODEL) {
    yield* Effect.logWarning(`WINNOW_LLM_MODEL: ${STAND_IN_DETAIL}.`);
  }
  if (settings.role === "worker" && settings.publicUrl === null) {
    yield* Effect.logWarning(
      "WINNOW_PUBLIC_URL is not set: artifact URLs in webhooks will point at this worker, which serves none."
    );
  }
});

const lazyTracing = lazily(() => import("./Tracing.ts"), "layer");

/** Loaded on demand because it slows down the start. Without it, no spans are created. */
export const tracing = ({
  otelExporterOtlpEndpoint,
  otelExporterOtlpHeaders
}: Settings): Layer.Layer<never> =>
  otelExporterOtlpEndpoint === null
    ? Layer.succeed(References.TracerEnabled, false)
    : lazyTracing({ endpoint: otelExporterOtlpEndpoint, headers: otelExporterOtlpHeaders });

/**
 * Serves until interrupted. Every request starts its own trace. When the scope closes it stops listening, releases
 * its runs and closes the ports, in this order.
 */
export const serve = Effect.fnUntraced(
  function* <E>(settings: Settings, ports: Layer.Layer<Ports, E>, signIn: ReadonlyArray<SignInMethod> = []) {
    yield* warnOfSettings(settings);
    yield* prepareDataDir(settings);
    // Reserved while the database starts; otherwise another program could take the port meanwhile.
    const port = settings.port === 0 ? yield* reservePort(settings) : settings.port;
    const origin = originOf(settings.host, typeof port === "number" ? port : port.port);
    const publicUrl = settings.publicUrl ?? origin;
    const services = yield* startEngine(settings, ports, publicUrl);
    yield* listening(settings, { port, publicUrl }, services).pipe(
      Effect.provideService(SignInMethods, signIn),
      Effect.catchTag("ServeError", ({ cause }) => Effect.fail(notListening(origin, cause)))
    );
    if (settings.role !== "worker") {
      yield* announceFirstAccount(settings, publicUrl).pipe(Effect.provideContext(services));
      yield* announceToCommands(settings, origin);
    }
    if (settings.private === "on") {
      yield* Console.log("This server is private: nothing has a price, and requests are not limited.");
    }
    yield* Console.log(`winnow ${settings.role === "worker" ? "worker " : ""}listening on ${origin}`);
    // Node writes the cache only at exit: after a kill, the next start would compile everything again.
    yield* Effect.sync(NodeModule.flushCompileCache);
    return yield* Effect.never;
  },
  Effect.scoped,
  (serving, settings) => Effect.provide(serving, [PlanFile.layer(settings), tracing(settings)])
);
