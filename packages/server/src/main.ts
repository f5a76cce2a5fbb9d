/**
 * The adapter of each port. Adapters are imported only here and in adapters/; each is loaded on demand, so
 * what is replaced or not configured costs nothing (bench/start.ts). Tests: serve.test.ts, process.test.ts.
 */
import { join } from "node:path";
import * as MemoryDatabase from "@winnow/core/memory/MemoryDatabase";
import * as NoAnalyst from "@winnow/core/memory/NoAnalyst";
import { Analyst } from "@winnow/core/ports/Analyst";
import { ArtifactStore } from "@winnow/core/ports/ArtifactStore";
import { CheckoutService } from "@winnow/core/ports/Checkout";
import { Downloader } from "@winnow/core/ports/Downloader";
import { JobQueue } from "@winnow/core/ports/JobQueue";
import { SchemaChecker } from "@winnow/core/ports/SchemaChecker";
import { Store } from "@winnow/core/ports/Store";
import { Transcriber } from "@winnow/core/ports/Transcriber";
import { WebhookTransport } from "@winnow/core/ports/WebhookTransport";
import type { SignInMethod } from "@winnow/core/ports/SignInMethod";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Schedule from "effect/Schedule";
import { localModelOf } from "./settings/ModelSettings.ts";
import type { Settings } from "./settings/Config.ts";
import { lazily, lazyEffect } from "./lazily.ts";
import { has, type Ports } from "./Ports.ts";
import * as Serve from "./Serve.ts";
import { told } from "./settings/SettingRow.ts";
import { SETTINGS } from "./settings/SettingsTable.ts";
import { StartFailed } from "./settings/StartFailed.ts";

const downloader = lazily(() => import("./adapters/downloader.ts"), "downloader");
const webhookTransport = lazily(() => import("./adapters/network.ts"), "webhookTransport");
const schemaChecker = lazily(() => import("./adapters/schemaChecker.ts"), "schemaChecker");
const artifacts = lazily(() => import("./adapters/artifacts.ts"), "artifacts");
const openAiAnalyst = lazily(() => import("./adapters/analyst.ts"), "analyst");
const openAiTranscriber = lazily(() => import("./adapters/analyst.ts"), "transcriber");
const localTranscriber = lazily(() => import("./adapters/localSpeech.ts"), "transcriber");
const stripe = lazily(() => import("./adapters/accounts.ts"), "checkout");
const postgres = lazily(() => import("./adapters/database.ts"), "database");

/** The configured language model; without one, AI runs are rejected at submit. */
export const analyst = (settings: Settings, workDir: string): Layer.Layer<Analyst, StartFailed> =>
  settings.llmModel === null ? NoAnalyst.layer : openAiAnalyst(settings, settings.llmModel, workDir);

/** The configured speech model; without one, `speech` is rejected at submit. */
export const transcriber = (settings: Settings, workDir: string): Layer.Layer<never, StartFailed> => {
  const { speechModel } = settings;
  if (speechModel === null) return Layer.empty;
  const local = localModelOf(speechModel);
  return local === null
    ? openAiTranscriber(settings, speechModel, workDir)
    : localTranscriber(settings, local, workDir);
};

/** No credits are sold without a key for a payment service. */
const checkout = (settings: Settings): Layer.Layer<never, StartFailed> =>
  settings.stripeSecretKey === null || settings.role === "worker"
    ? Layer.empty
    : stripe(settings, settings.stripeSecretKey);

/** A replaced Store must come with all related ports; then no database is opened. */
const database = (settings: Settings, replaced: Context.Context<never>) =>
  postgres(
    settings,
    has(replaced, JobQueue)
      ? Layer.succeed(JobQueue, Context.get(replaced as Context.Context<JobQueue>, JobQueue))
      : null
  );

/** The ports of a server; those in `replaced` override the defaults, which are then neither loaded nor started. */
export const ports = (
  settings: Settings,
  replaced: Context.Context<never> = Context.empty()
): Layer.Layer<Ports, StartFailed> => {
  const workDir = join(settings.dataDir, "work");
  const defaults = [
    [Store, () => database(settings, replaced)],
    [ArtifactStore, () => artifacts(settings)],
    [Downloader, () => downloader(settings, workDir)],
    [WebhookTransport, () => webhookTransport(settings)],
    [SchemaChecker, () => schemaChecker(settings)],
    [Analyst, () => analyst(settings, workDir)],
    [Transcriber, () => transcriber(settings, workDir)],
    [CheckoutService, () => checkout(settings)]
  ] as const;
  const standing = defaults.flatMap(([port, layerOf]): ReadonlyArray<Layer.Layer<never, StartFailed>> =>
    has(replaced, port) ? [] : [layerOf()]
  );
  return Layer.effectContext(
    Effect.map(
      Layer.build(Layer.mergeAll(Layer.empty, ...standing)),
      (built) => Context.merge(built, replaced) as Context.Context<Ports>
    )
  );
};

const configuredSignIn = lazyEffect(() => import("./adapters/accounts.ts"), "signInMethods");

/** The configured sign-in methods; nothing is loaded if there are none. */
export const signInMethods = (settings: Settings): Effect.Effect<ReadonlyArray<SignInMethod>, StartFailed> =>
  settings.role === "worker" || (settings.signInHeader === null && settings.oidcIssuer === null)
    ? Effect.succeed([])
    : configuredSignIn(settings);

const awaitDatabase = lazyEffect(() => import("./adapters/database.ts"), "awaitDatabase");
const awaitArtifacts = lazyEffect(() => import("./adapters/artifacts.ts"), "awaitArtifacts");
const requireNeededPackages = lazyEffect(
  () => import("./adapters/neededPackages.ts"),
  "requireNeededPackages"
);

/** A process with only one role needs a database shared with the others. */
const requireSharedDatabase = ({ databaseUrl, role }: Settings): Effect.Effect<void, StartFailed> =>
  role === "all" || databaseUrl !== null
    ? Effect.void
    : new StartFailed(
        told`${SETTINGS.databaseUrl} must be set, because ${SETTINGS.role} is "${role}": the embedded database belongs to one process. Set it to a PostgreSQL server that all processes use, or do not set ${SETTINGS.role}.`
      );

/** The pause between two attempts to start. */
const AGAIN = Schedule.spaced("2 seconds");

/** Serves until interrupted. Waits for a database or bucket that is unavailable. */
export const serve = (settings: Settings) =>
  Effect.gen(function* () {
    yield* requireSharedDatabase(settings);
    const ways = yield* signInMethods(settings);
    yield* requireNeededPackages(settings);
    const serving = Effect.andThen(
      Effect.all([awaitDatabase(settings), awaitArtifacts(settings)]),
      Effect.suspend(() => Serve.serve(settings, ports(settings), ways))
    );
    // A service may become unavailable during the start: then the start is retried.
    return yield* Effect.retry(serving, {
      schedule: AGAIN,
      while: (error) => error instanceof StartFailed && error.isAway === true
    });
  });

/** The ports of one command: in memory, except for files it saves. */
export const localPorts = (settings: Settings, folder: string) =>
  Layer.mergeAll(
    MemoryDatabase.layer,
    artifacts({ ...settings, artifactsUrl: { _tag: "Directory", directory: join(folder, "artifacts") } }),
    downloader(settings, join(folder, "work")),
    webhookTransport(settings),
    schemaChecker(settings),
    analyst(settings, join(folder, "work")),
    transcriber(settings, join(folder, "work"))
  );
