/**
 * The adapter of each port. Adapters are imported only here and in adapters/; each is loaded on demand, so
 * what is replaced or not configured costs nothing.
 */
import { join } from "node:path";
import * as MemoryDatabase from "@winnow/core/memory/MemoryDatabase";
import * as NoAnalyst from "@winnow/core/memory/NoAnalyst";
import { Analyst } from "@winnow/core/ports/Analyst";
import { ArtifactStore } from "@winnow/core/ports/ArtifactStore";
import { Downloader } from "@winnow/core/ports/Downloader";
import { JobQueue } from "@winnow/core/ports/JobQueue";
import { SchemaChecker } from "@winnow/core/ports/SchemaChecker";
import { Store } from "@winnow/core/ports/Store";
import { WebhookTransport } from "@winnow/core/ports/WebhookTransport";
import type { SignInMethod } from "@winnow/core/ports/SignInMethod";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import * as Schedule from "effect/Schedule";
import type { Settings } from "./settings/Config.ts";
import { lazily } from "./lazily.ts";
import type { DatabasePorts, Ports } from "./Ports.ts";
import * as Serve from "./Serve.ts";
import { StartFailed } from "./settings/StartFailed.ts";

const downloader = (settings: Settings, workDir: string) =>
  lazily(
    () => import("./adapters/downloader.ts"),
    (module) => module.downloader(settings, workDir)
  );

const webhookTransport = (settings: Settings) =>
  lazily(
    () => import("./adapters/webhookTransport.ts"),
    (module) => module.webhookTransport(settings)
  );

const schemaChecker = (settings: Settings) =>
  lazily(
    () => import("./adapters/schemaChecker.ts"),
    (module) => module.schemaChecker(settings)
  );

/** The configured language model; without one, AI runs are rejected at submit. */
const analyst = (settings: Settings, workDir: string): Layer.Layer<Analyst, StartFailed> => {
  const { llmModel } = settings;
  if (llmModel === null) return NoAnalyst.layer;
  return lazily(
    () => import("./adapters/analyst.ts"),
    (module) => module.analyst(settings, llmModel, workDir)
  );
};

/** The configured speech model; without one, `speech` is rejected at submit. */
const transcriber = (settings: Settings, workDir: string): Layer.Layer<never, StartFailed> => {
  const { speechModel } = settings;
  if (speechModel === null) return Layer.empty;
  return lazily(
    () => import("./adapters/analyst.ts"),
    (module) => module.transcriber(settings, speechModel, workDir)
  );
};

const artifacts = (settings: Settings) =>
  lazily(
    () => import("./adapters/artifacts.ts"),
    (module) => module.artifacts(settings)
  );

/** No credits are sold without a key for a payment service. */
const checkout = (settings: Settings): Layer.Layer<never, StartFailed> => {
  const { stripeSecretKey } = settings;
  return stripeSecretKey === null || settings.role === "worker"
    ? Layer.empty
    : lazily(
        () => import("./adapters/checkout.ts"),
        (module) => module.checkout(settings, stripeSecretKey)
      );
};

const given = <I, S>(tag: Context.Key<I, S>, replaced: Context.Context<never>): Layer.Layer<I> | null =>
  Option.match(Context.getOption(replaced, tag), {
    onNone: () => null,
    onSome: (service) => Layer.succeed(tag, service)
  });

/** A replaced Store must come with all related ports; then no database is opened. */
const database = (
  settings: Settings,
  replaced: Context.Context<never>
): Layer.Layer<DatabasePorts, StartFailed> =>
  given(Store, replaced) === null
    ? lazily(
        () => import("./adapters/database.ts"),
        (module) => module.database(settings, given(JobQueue, replaced))
      )
    : (Layer.empty as Layer.Layer<never> as Layer.Layer<DatabasePorts>);

/** The ports of a server; those in `replaced` override the defaults. */
export const ports = (
  settings: Settings,
  replaced: Context.Context<never> = Context.empty()
): Layer.Layer<Ports, StartFailed> => {
  const workDir = join(settings.dataDir, "work");
  const standing = Layer.mergeAll(
    database(settings, replaced),
    given(ArtifactStore, replaced) ?? artifacts(settings),
    given(Downloader, replaced) ?? downloader(settings, workDir),
    given(WebhookTransport, replaced) ?? webhookTransport(settings),
    given(SchemaChecker, replaced) ?? schemaChecker(settings),
    given(Analyst, replaced) ?? analyst(settings, workDir),
    transcriber(settings, workDir),
    checkout(settings)
  );
  return Layer.effectContext(Effect.map(Layer.build(standing), Context.merge(replaced)));
};

/** The configured sign-in methods; nothing is loaded if there are none. */
export const signInMethods = (settings: Settings): Effect.Effect<ReadonlyArray<SignInMethod>, StartFailed> =>
  settings.role === "worker" || (settings.signInHeader === null && settings.oidcIssuer === null)
    ? Effect.succeed([])
    : Effect.flatMap(
        Effect.promise(() => import("./adapters/signIn.ts")),
        (module) => module.signInMethods(settings)
      );

const awaitServices = (settings: Settings) =>
  Effect.all([
    Effect.flatMap(
      Effect.promise(() => import("./adapters/database.ts")),
      (module) => module.awaitDatabase(settings)
    ),
    Effect.flatMap(
      Effect.promise(() => import("./adapters/artifacts.ts")),
      (module) => module.awaitArtifacts(settings)
    )
  ]);

const requireNeededPackages = (settings: Settings) =>
  Effect.flatMap(
    Effect.promise(() => import("./adapters/neededPackages.ts")),
    (module) => module.requireNeededPackages(settings)
  );

/** A process with only one role needs a database shared with the others. */
const requireSharedDatabase = ({ databaseUrl, role }: Settings): Effect.Effect<void, StartFailed> =>
  role === "all" || databaseUrl !== null
    ? Effect.void
    : Effect.fail(
        new StartFailed({
          message:
            `WINNOW_DATABASE_URL must be set, because WINNOW_ROLE is "${role}": the embedded database ` +
            `belongs to one process. Set it to a PostgreSQL server that all processes use, or do not set ` +
            `WINNOW_ROLE.`
        })
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
      awaitServices(settings),
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
    artifacts({ ...settings, artifacts: { _tag: "Directory", directory: join(folder, "artifacts") } }),
    downloader(settings, join(folder, "work")),
    webhookTransport(settings),
    schemaChecker(settings),
    analyst(settings, join(folder, "work")),
    transcriber(settings, join(folder, "work"))
  );

/** The programs that `winnow doctor` reports. */
export const findPrograms = (settings: Settings) =>
  Effect.flatMap(
    Effect.promise(() => import("./adapters/programs.ts")),
    (module) => module.findPrograms(settings)
  );

/** The optional components that yt-dlp includes or finds. */
export const findYtDlpComponents = (settings: Settings) =>
  Effect.flatMap(
    Effect.promise(() => import("./adapters/programs.ts")),
    (module) => module.findYtDlpComponents(settings)
  );

/** Checks the database connection; returns a description of the database. */
export const pingDatabase = (settings: Settings) =>
  Effect.flatMap(
    Effect.promise(() => import("./adapters/database.ts")),
    (module) => module.pingDatabase(settings)
  );

/** Checks the artifact store; returns its location. */
export const pingArtifacts = (settings: Settings) =>
  Effect.flatMap(
    Effect.promise(() => import("./adapters/artifacts.ts")),
    (module) => module.pingArtifacts(settings)
  );

/** Checks the consistency of stored data, and repairs it if requested and possible. */
export const checkData = (settings: Settings, isRepairing: boolean) =>
  Effect.flatMap(
    Effect.promise(() => import("./adapters/dataCheck.ts")),
    (module) => module.checkData(settings, isRepairing)
  );

export const backup = (settings: Settings, path: string, withArtifacts: boolean) =>
  Effect.flatMap(
    Effect.promise(() => import("./adapters/backup.ts")),
    (module) => module.backup(settings, path, withArtifacts)
  );

export const restore = (settings: Settings, path: string, withArtifacts: boolean) =>
  Effect.flatMap(
    Effect.promise(() => import("./adapters/backup.ts")),
    (module) => module.restore(settings, path, withArtifacts)
  );
