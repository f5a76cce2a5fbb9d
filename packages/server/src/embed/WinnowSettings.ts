/**
 * The settings of the environment (docs/operations.md) as an object: each under its name without `WINNOW_`, in
 * camelCase. What is absent, undefined or an empty text has its default.
 */

export interface WinnowSettings {
  /** With `port` the default of `publicUrl`; nothing is listened on. */
  readonly host?: string | undefined;
  readonly port?: number | string | undefined;
  /** Base of artifact URLs: where `fetch` is mounted, as callers see it. */
  readonly publicUrl?: string | undefined;
  /** Embedded database, artifacts, work files; `.winnow` by default, made when something needs it. */
  readonly dataDir?: string | undefined;
  /** `postgres://...`; absent is the embedded PostgreSQL under `dataDir`. */
  readonly databaseUrl?: string | undefined;
  /** `file:...` or `s3://bucket/prefix?endpoint=...&region=...`; a folder in `dataDir` by default. */
  readonly artifactsUrl?: string | undefined;
  readonly awsAccessKeyId?: string | undefined;
  readonly awsSecretAccessKey?: string | undefined;
  readonly awsSessionToken?: string | undefined;
  /** `all` by default: `api` carries out no runs here, `worker` serves no API. */
  readonly role?: "all" | "api" | "worker" | undefined;
  /** Runs at once in this process; 4 by default. */
  readonly workers?: number | string | undefined;
  /** Bearer token of /admin; absent closes /admin, for there is `engine`. */
  readonly adminToken?: string | undefined;
  readonly openaiApiKey?: string | undefined;
  readonly llmBaseUrl?: string | undefined;
  readonly llmModel?: string | undefined;
  readonly llmTranscriptionModel?: string | undefined;
  readonly llmContextTokens?: number | string | undefined;
  /** `host[:port]` or CIDR that may be reached although not public. */
  readonly egressAllow?: string | ReadonlyArray<string> | undefined;
  readonly ytdlp?: string | undefined;
  readonly ffmpeg?: string | undefined;
  readonly galleryDl?: string | undefined;
  readonly chromium?: string | undefined;
  readonly cookiesFile?: string | undefined;
  readonly upstreamProxy?: string | undefined;
  readonly ytdlpArgs?: string | undefined;
  readonly maxDownloadBytes?: number | string | undefined;
  readonly runTimeoutSeconds?: number | string | undefined;
  readonly retentionDays?: number | string | undefined;
  /** Of one account; 1000 by default. */
  readonly maxQueuedExtractions?: number | string | undefined;
  /** Of one source, the newest; 500 by default. */
  readonly maxComments?: number | string | undefined;
  readonly corsOrigins?: string | ReadonlyArray<string> | undefined;
  /** What `logger` is told; `info` by default. */
  readonly logLevel?: "trace" | "debug" | "info" | "warn" | "error" | "none" | undefined;
  readonly otelExporterOtlpEndpoint?: string | undefined;
  readonly otelExporterOtlpHeaders?: string | undefined;
}
