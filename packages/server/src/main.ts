/**
 * The only file that names adapters: which technology stands behind each port.
 */
import { join } from "node:path";
import * as FileArtifacts from "@winnow/adapters/artifacts/files/FileArtifacts";
import * as S3Artifacts from "@winnow/adapters/artifacts/s3/S3Artifacts";
import * as MediaDownloader from "@winnow/adapters/download/MediaDownloader";
import { findTools, type ToolSettings } from "@winnow/adapters/download/Tools";
import { Egress } from "@winnow/adapters/egress/Egress";
import { PageReader } from "@winnow/adapters/page/PageReader";
import * as PgBossQueue from "@winnow/adapters/pg-boss/PgBossQueue";
import * as EmbeddedPostgres from "@winnow/adapters/postgres/EmbeddedPostgres";
import * as Migrations from "@winnow/adapters/postgres/Migrations";
import * as PgConnection from "@winnow/adapters/postgres/PgConnection";
import * as PgRateLimits from "@winnow/adapters/postgres/PgRateLimits";
import * as PgSchemaLibrary from "@winnow/adapters/postgres/PgSchemaLibrary";
import * as PgSessions from "@winnow/adapters/postgres/PgSessions";
import * as PgStore from "@winnow/adapters/postgres/PgStore";
import * as MemoryJobQueue from "@winnow/core/memory/MemoryJobQueue";
import * as MemoryRateLimits from "@winnow/core/memory/MemoryRateLimits";
import * as MemorySchemaLibrary from "@winnow/core/memory/MemorySchemaLibrary";
import * as MemorySessions from "@winnow/core/memory/MemorySessions";
import * as MemoryStore from "@winnow/core/memory/MemoryStore";
import * as NoAnalyst from "@winnow/core/memory/NoAnalyst";
import type { ArtifactStore } from "@winnow/core/ports/ArtifactStore";
import type { Downloader } from "@winnow/core/ports/Downloader";
import type { JobQueue } from "@winnow/core/ports/JobQueue";
import type { RateLimits } from "@winnow/core/ports/RateLimits";
import type { SchemaLibrary } from "@winnow/core/ports/SchemaLibrary";
import type { Sessions } from "@winnow/core/ports/Sessions";
import { Store } from "@winnow/core/ports/Store";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Redacted from "effect/Redacted";
import type { Settings } from "./Config.ts";
import * as Serve from "./Serve.ts";
import { StartFailed } from "./StartFailed.ts";

const MILLISECONDS = 1_000;

/** Stands in the place of a layer that could not be built. */
const notStarted = <Services>(message: string): Layer.Layer<Services, StartFailed> =>
  Layer.effectContext<Services, StartFailed, never>(Effect.fail(new StartFailed({ message })));

const toolSettings = (settings: Settings): ToolSettings => ({
  ytDlp: settings.ytDlp ?? undefined,
  ffmpeg: settings.ffmpeg ?? undefined,
  galleryDl: settings.galleryDl ?? undefined
});

/** The programs that `winnow doctor` reports. */
export const findPrograms = (settings: Settings) => findTools(toolSettings(settings));

const egress = (settings: Settings) =>
  Egress.layer({
    allow: settings.egressAllow,
    ...(settings.upstreamProxy === null ? {} : { upstreamProxy: Redacted.value(settings.upstreamProxy) })
  }).pipe(
    Layer.catchTag("InvalidEgressSetting", ({ setting, message }) =>
      notStarted<Egress>(
        `${setting === "allow" ? "WINNOW_EGRESS_ALLOW" : "WINNOW_UPSTREAM_PROXY"}: ${message}.`
      )
    )
  );

const downloader = (settings: Settings, workDir: string) =>
  MediaDownloader.layer({
    workDir,
    tools: toolSettings(settings),
    ytDlpArgs: settings.ytDlpArgs,
    cookiesFile: settings.cookiesFile,
    limits: {
      maxDownloadBytes: settings.maxDownloadBytes,
      fetchTimeoutMs: settings.runTimeoutSeconds * MILLISECONDS
    }
  }).pipe(
    Layer.catchTag("ToolsMissing", ({ message }) => notStarted<Downloader>(message)),
    Layer.catchTag("YtDlpArgsRefused", ({ message }) =>
      notStarted<Downloader>(`WINNOW_YTDLP_ARGS: ${message}`)
    ),
    Layer.provide([egress(settings), PageReader.layer])
  );

/** The database of the settings, or the embedded one for as long as the scope is open. */
const openDatabase = (settings: Settings) =>
  settings.databaseUrl === null
    ? Effect.map(EmbeddedPostgres.start({ dataDir: settings.dataDir }), ({ url }) => url)
    : Effect.succeed(settings.databaseUrl);

type DatabasePorts = Store | Sessions | JobQueue | RateLimits | SchemaLibrary;

/** Why the operator's own database cannot be used, without its address: that holds a password. */
const databaseRefused = (settings: Settings, message: string) =>
  notStarted<DatabasePorts>(
    settings.databaseUrl === null
      ? message
      : `WINNOW_DATABASE_URL: ${message} Check its address, its password and that it runs.`
  );

/** Store, queue and rate limits on PostgreSQL, migrated first. */
const database = (url: Redacted.Redacted) =>
  Layer.mergeAll(PgStore.layer, PgSessions.layer, PgRateLimits.layer, PgSchemaLibrary.layer).pipe(
    Layer.provideMerge(PgBossQueue.layer({ url })),
    Layer.provide(Migrations.layer),
    Layer.provide(PgConnection.layer({ url }))
  );

/** readSettings lets no bucket pass without its keys. */
const NO_KEY = Redacted.make("");

const artifacts = (settings: Settings): Layer.Layer<ArtifactStore, StartFailed> => {
  const { artifacts: location, awsAccessKeyId, awsSecretAccessKey, awsSessionToken } = settings;
  if (location._tag === "Directory") return FileArtifacts.layer(location);
  const credentials = {
    accessKeyId: awsAccessKeyId ?? NO_KEY,
    secretAccessKey: awsSecretAccessKey ?? NO_KEY,
    sessionToken: awsSessionToken
  };
  return S3Artifacts.layer({ location, credentials }).pipe(
    Layer.catchTag("S3ArtifactsRefused", ({ message }) =>
      notStarted<ArtifactStore>(`WINNOW_ARTIFACTS_URL: ${message}`)
    )
  );
};

/** The ports of a server. */
const ports = (settings: Settings) =>
  Layer.mergeAll(
    Layer.unwrap(Effect.map(openDatabase(settings), database)).pipe(
      Layer.catchTag("MigrationFailed", ({ message }) => databaseRefused(settings, message)),
      Layer.catchTag("SqlError", () => databaseRefused(settings, "The database does not answer.")),
      Layer.catchTag("EmbeddedPostgresFailed", ({ message }) => notStarted<DatabasePorts>(message))
    ),
    artifacts(settings),
    downloader(settings, join(settings.dataDir, "work")),
    NoAnalyst.layer
  );

/** Serves until interrupted. */
export const serve = (settings: Settings) => Serve.serve(settings, ports(settings));

/** The ports of one command: nothing outlives it but what it puts elsewhere. */
export const localPorts = (settings: Settings, folder: string) =>
  Layer.mergeAll(
    MemorySchemaLibrary.layer.pipe(
      Layer.provideMerge(MemoryStore.layer),
      Layer.provideMerge(MemoryJobQueue.layer)
    ),
    MemoryRateLimits.layer,
    MemorySessions.layer,
    FileArtifacts.layer({ directory: join(folder, "artifacts") }),
    downloader(settings, join(folder, "work")),
    NoAnalyst.layer
  );

/** Whether the database can be had; answers which one it is. */
export const pingDatabase = (settings: Settings) =>
  Effect.gen(function* () {
    const url = yield* openDatabase(settings);
    const context = yield* Layer.build(database(url));
    yield* Store.pipe(
      Effect.flatMap((store) => store.ping),
      Effect.provideContext(context)
    );
    return settings.databaseUrl === null ? "embedded PostgreSQL" : "PostgreSQL of WINNOW_DATABASE_URL";
  }).pipe(Effect.scoped);
