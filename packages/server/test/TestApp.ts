/**
 * The whole API on a real socket, with ports in memory and a downloader that opens no connection.
 */
import { connect } from "node:net";
import * as NodeServices from "@effect/platform-node/NodeServices";
import { TASK_WALL_MS } from "@winnow/isolation/worker/WorkerPool";
import { Accounts } from "@winnow/core/engine/accounts/Accounts";
import { EngineSettings } from "@winnow/core/engine/EngineSettings";
import { Extractions } from "@winnow/core/engine/extractions/Extractions";
import * as MemoryArtifacts from "@winnow/core/memory/MemoryArtifacts";
import * as MemoryJobQueue from "@winnow/core/memory/MemoryJobQueue";
import * as MemoryRateLimits from "@winnow/core/memory/MemoryRateLimits";
import * as MemoryRunFeed from "@winnow/core/memory/MemoryRunFeed";
import * as MemorySchemaLibrary from "@winnow/core/memory/MemorySchemaLibrary";
import * as MemorySessions from "@winnow/core/memory/MemorySessions";
import * as MemoryStore from "@winnow/core/memory/MemoryStore";
import * as NoAnalyst from "@winnow/core/memory/NoAnalyst";
import { isTerminal } from "@winnow/core/domain/run/Transition";
import type { Analyst } from "@winnow/core/ports/Analyst";
import type { Downloader } from "@winnow/core/ports/Downloader";
import type { ArtifactStore } from "@winnow/core/ports/ArtifactStore";
import { makeReadWithKey, RateLimits } from "@winnow/core/ports/RateLimits";
import type { SchemaChecker } from "@winnow/core/ports/SchemaChecker";
import type { CreditPack } from "@winnow/core/domain/money/CreditPack";
import { CheckoutService, type Checkout } from "@winnow/core/ports/Checkout";
import { SignInMethods, type SignInMethod } from "@winnow/core/ports/SignInMethod";
import { Store } from "@winnow/core/ports/Store";
import type { WebhookTransport } from "@winnow/core/ports/WebhookTransport";
import * as FakeSchemaChecker from "@winnow/testing/fakes/FakeSchemaChecker";
import * as FakeDownloader from "@winnow/testing/fakes/FakeDownloader";
import * as FakeWebhookTransport from "@winnow/testing/fakes/FakeWebhookTransport";
import { sampleFacts } from "@winnow/testing/samples/samples";
import * as Clock from "effect/Clock";
import * as Context from "effect/Context";
import * as Duration from "effect/Duration";
import * as Effect from "effect/Effect";
import * as HttpRouter from "effect/http/HttpRouter";
import * as HttpServer from "effect/http/HttpServer";
import * as Layer from "effect/Layer";
import * as Logger from "effect/Logger";
import * as Option from "effect/Option";
import * as Redacted from "effect/Redacted";
import * as App from "../src/App.ts";
import * as HttpListener from "../src/http/HttpListener.ts";
import * as EventStreams from "../src/http/limits/EventStreams.ts";
import { PING_TIMEOUT_MS } from "../src/routes/system/HealthHttp.ts";
import { DATABASE_TIMEOUT_MS } from "../src/routes/system/MetricsText.ts";
import * as WorkerState from "../src/routes/system/WorkerState.ts";
import type { WebFiles } from "../src/web/WebFiles.ts";
import { makeCall } from "./ApiCall.ts";
import { assertRawAnswer } from "./Contract.ts";
import { lookUntil } from "./lookUntil.ts";

export const ADMIN_TOKEN = "admin-token-of-the-test";
/** Maximum cost of a tool call that sets no limit. */
export const MCP_MAX_CREDITS = 500;
export const PUBLIC_URL = "https://winnow.example";

const at = (path: string) => `https://example.com/${path}`;

/** The URLs that the fake downloader finds. */
export const VIDEO = at("video");
export const ARTICLE = at("article");
export const CAROUSEL = at("carousel");
export const ODD_FILES = at("odd-files");
export const PRIVATE = at("private");
export const SLOW_HOST = at("slow-host");
export const AWAY = at("away");
export const STUCK = at("stuck");
export const BROKEN = at("broken");

const facts = sampleFacts({ durationSeconds: 213, hasComments: true, webpageUrl: VIDEO });

const sources = {
  [VIDEO]: { facts },
  [ARTICLE]: { facts: sampleFacts({ kind: "webpage", durationSeconds: null, webpageUrl: ARTICLE }) },
  [CAROUSEL]: {
    facts: sampleFacts({ kind: "photos", durationSeconds: null, imageCount: 3, webpageUrl: CAROUSEL })
  },
  [ODD_FILES]: { facts, files: { "page.html": "<script>alert(1)</script>", "video.mp4": "0123456789" } },
  [PRIVATE]: FakeDownloader.refuses("private"),
  [SLOW_HOST]: FakeDownloader.refuses("timeout"),
  [AWAY]: FakeDownloader.refuses("unreachable"),
  [STUCK]: { facts, beforeFetch: Effect.never },
  [BROKEN]: { facts, beforeInspect: Effect.die(new Error("secret of the inside")) }
};

/** Store, queue, schemas and sessions in memory. */
const storage = MemorySchemaLibrary.layer.pipe(
  Layer.provideMerge(MemoryStore.layer),
  Layer.provideMerge(MemoryJobQueue.layer),
  Layer.merge(MemorySessions.layer)
);

/** Ports and settings of an app; by default the sources above, ports in memory, and no model. */
export interface TestAppOptions {
  readonly rateLimits?: Layer.Layer<RateLimits, never, Store>;
  readonly storage?: typeof storage;
  readonly artifacts?: Layer.Layer<ArtifactStore>;
  readonly analyst?: Layer.Layer<Analyst>;
  readonly schemaChecker?: Layer.Layer<SchemaChecker>;
  readonly downloader?: Layer.Layer<Downloader>;
  readonly webhooks?: Layer.Layer<WebhookTransport>;
  /** Added to the sources of the fake downloader. */
  readonly sources?: Parameters<typeof FakeDownloader.layer>[0];
  /** What the fake downloader lists. */
  readonly listings?: Parameters<typeof FakeDownloader.layer>[1];
  readonly webFiles?: WebFiles;
  readonly signIn?: ReadonlyArray<SignInMethod>;
  readonly isSignUpOpen?: boolean;
  readonly checkout?: Checkout;
  readonly creditPacks?: ReadonlyArray<CreditPack>;
  readonly mcpMaxCredits?: number;
}

const portsOf = (options: TestAppOptions) =>
  Layer.mergeAll(
    options.storage ?? storage,
    options.artifacts ?? MemoryArtifacts.layer.pipe(Layer.provide(NodeServices.layer)),
    options.downloader ?? FakeDownloader.layer({ ...sources, ...options.sources }, options.listings),
    options.analyst ?? NoAnalyst.layer,
    options.schemaChecker ?? FakeSchemaChecker.layer(),
    options.webhooks ?? FakeWebhookTransport.layer,
    MemoryRunFeed.layer
  );

export interface TestAccount {
  readonly id: string;
  readonly key: string;
}

/** Sends raw bytes, for requests no HTTP client would send; returns the whole response. */
const makeRaw =
  (port: number) =>
  (request: string): Effect.Effect<string> =>
    Effect.callback<string>((resume) => {
      let answer = "";
      const socket = connect(port, "127.0.0.1", () => socket.write(request));
      socket.setEncoding("latin1");
      socket.on("data", (chunk: string) => (answer += chunk));
      socket.on("close", () => resume(Effect.succeed(answer)));
      socket.on("error", () => undefined);
      return Effect.sync(() => socket.destroy());
    }).pipe(Effect.tap((answer) => Effect.sync(() => assertRawAnswer(answer))));

/** Rate limits in memory stay in one window: a test that ran past the end of a minute would see two. */
export const LIMITS_NOW_MS = Date.UTC(2026, 0, 1, 12, 0, 45);

/** Rate limits with a clock that the test sets. */
export const clocked = <R>(
  limits: Layer.Layer<RateLimits, never, R>,
  nowMs: () => number = () => LIMITS_NOW_MS
) =>
  Layer.effect(
    RateLimits,
    Effect.gen(function* () {
      const { consume, readWithKey } = yield* RateLimits;
      // Everything else, such as sleeping, uses the real clock.
      const clock: Clock.Clock = Object.assign(Object.create(yield* Clock.Clock), {
        currentTimeMillis: Effect.sync(nowMs),
        currentTimeMillisUnsafe: nowMs
      });
      const by = Effect.provideService(Clock.Clock, clock);
      return RateLimits.of({
        consume: (accountId, limit) => by(consume(accountId, limit)),
        readWithKey: (keyHash, limit, extractionId) => by(readWithKey(keyHash, limit, extractionId))
      });
    })
  ).pipe(Layer.provide(limits));

const pinned = clocked(MemoryRateLimits.layer);

/** No rate limits, for tests that need many requests at once. */
export const unlimited = Layer.effect(
  RateLimits,
  Effect.gen(function* () {
    const consume: RateLimits["Service"]["consume"] = (_accountId, { perMinute }) =>
      Effect.succeed({
        allowed: true,
        limit: perMinute,
        remaining: perMinute,
        resetAtSeconds: 0,
        retryAfterSeconds: 1
      });
    return RateLimits.of({ consume, readWithKey: yield* makeReadWithKey(consume) });
  })
);

const engineSettings = ({ isSignUpOpen = false, creditPacks = [] }: TestAppOptions) =>
  Layer.effect(
    EngineSettings,
    Effect.map(EngineSettings, (settings) => ({
      ...settings,
      publicUrl: PUBLIC_URL,
      sampleUrls: [ARTICLE],
      isSignUpOpen,
      creditPacks
    }))
  );

/** Time limits that a busy machine would exceed. */
const IMPATIENT_MS = new Set([PING_TIMEOUT_MS, DATABASE_TIMEOUT_MS, TASK_WALL_MS]);

/** The real clock, except that these limits never expire: the speed of the machine is not tested. */
const patientClock = Effect.map(Clock.Clock, (real): Clock.Clock =>
  Object.assign(Object.create(real), {
    sleep: (duration: Duration.Duration) =>
      IMPATIENT_MS.has(Duration.toMillis(duration)) ? Effect.never : real.sleep(duration)
  })
);

const makeTestApp = Effect.fnUntraced(function* (options: TestAppOptions) {
  const rateLimits = options.rateLimits ?? pinned;
  const selling = Layer.succeed(CheckoutService, options.checkout ?? null);
  const services = yield* Layer.build(
    App.engine.pipe(
      Layer.provideMerge([
        Layer.provideMerge(rateLimits, portsOf(options)),
        engineSettings(options),
        WorkerState.layer(false),
        selling
      ])
    )
  );
  yield* Layer.build(App.worker(4)).pipe(Effect.provideContext(services));
  const routes = App.api({
    adminToken: Redacted.make(ADMIN_TOKEN),
    publicUrl: PUBLIC_URL,
    corsOrigins: ["https://app.example"],
    webFiles: options.webFiles ?? null,
    mcpMaxCredits: options.mcpMaxCredits ?? MCP_MAX_CREDITS
  });
  const server = HttpRouter.serve(routes, {
    routerConfig: App.ROUTER_CONFIG,
    disableLogger: true,
    disableListenLog: true
  }).pipe(Layer.provideMerge(HttpListener.layer("127.0.0.1", 0, { closeIdleIntervalMs: 20 })));
  const streams = yield* EventStreams.make;
  const { address } = yield* Layer.build(server).pipe(
    Effect.map(Context.get(HttpServer.HttpServer)),
    Effect.provideService(EventStreams.EventStreams, streams),
    Effect.provideService(SignInMethods, options.signIn ?? []),
    Effect.provideContext(services)
  );
  if (!("port" in address)) return yield* Effect.die(new Error("no TCP address"));
  const { port } = address;
  yield* Effect.addFinalizer(() => streams.end);

  const accounts = Context.get(services, Accounts);
  const store = Context.get(services, Store);
  const url = `http://127.0.0.1:${port}`;
  const call = makeCall(url);

  const account = Effect.fnUntraced(function* (credits: number) {
    const { id } = yield* accounts.create("test");
    if (credits > 0) yield* Effect.orDie(accounts.topUp(id, credits));
    const { key } = yield* Effect.orDie(accounts.createApiKey(id, "test"));
    return { id, key } satisfies TestAccount;
  });

  /** Submits an extraction, waits until it has ended, and returns its id. */
  const finished = Effect.fnUntraced(function* ({ id, key }: TestAccount, body: unknown) {
    const { json } = yield* call("/v1/extractions", { key, body });
    yield* lookUntil(
      store.getExtraction(id, json.id),
      (row) => Option.isSome(row) && isTerminal(row.value.status)
    );
    return json.id as string;
  });

  const engine = Context.get(services, Extractions);
  return { url, port, call, raw: makeRaw(port), account, finished, accounts, engine, store, streams };
});

export class TestApp extends Context.Service<TestApp, Effect.Success<ReturnType<typeof makeTestApp>>>()(
  "@winnow/server/test/TestApp"
) {
  static readonly layer = TestApp.with({});
  static readonly layerUnlimited = TestApp.with({ rateLimits: unlimited });

  static with(options: TestAppOptions) {
    const made = Effect.flatMap(patientClock, (clock) =>
      Effect.provideService(makeTestApp(options), Clock.Clock, clock)
    );
    return Layer.effect(TestApp, made).pipe(Layer.provide(Logger.layer([])));
  }
}
