/**
 * Every setting of the server: its variable, unit, default and what a wrong one is answered with
 * (contract 8). Reads nothing but the environment it is given; touches no file.
 */
import { resolve } from "node:path";
import * as Redacted from "effect/Redacted";
import * as Result from "effect/Result";
import { ARTIFACTS_URL_EXPECTED, type ArtifactsLocation, parseArtifactsUrl } from "./ArtifactsLocation.ts";
import { shellWords } from "./shellWords.ts";

export type Role = "all" | "api" | "worker";
export type LogLevel = "trace" | "debug" | "info" | "warn" | "error" | "none";

export interface Settings {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Base of artifact URLs, without a slash at its end; null is http://HOST:PORT. */
  readonly publicUrl: string | null;
  /** Absolute. Embedded database, artifacts, work files. */
  readonly dataDir: string;
  /** Null is the embedded PostgreSQL under `dataDir`. */
  readonly databaseUrl: Redacted.Redacted | null;
  readonly artifacts: ArtifactsLocation;
  /** Of the bucket; both or neither. */
  readonly awsAccessKeyId: Redacted.Redacted | null;
  readonly awsSecretAccessKey: Redacted.Redacted | null;
  /** Of temporary credentials. */
  readonly awsSessionToken: Redacted.Redacted | null;
  readonly role: Role;
  /** Runs at once in this process. */
  readonly workers: number;
  /** Null is the one kept in `dataDir`, made at the first start. */
  readonly adminToken: Redacted.Redacted | null;
  readonly openAiApiKey: Redacted.Redacted | null;
  readonly llmBaseUrl: string | null;
  /** Null while no language model is configured. */
  readonly llmModel: string | null;
  readonly llmTranscriptionModel: string;
  /** What the model reads at once, in tokens. */
  readonly llmContextTokens: number;
  /** `host[:port]` or CIDR that may be reached although not public. */
  readonly egressAllow: ReadonlyArray<string>;
  /** Paths of the programs; null is found on PATH. */
  readonly ytDlp: string | null;
  readonly ffmpeg: string | null;
  readonly galleryDl: string | null;
  /** As above; "off" is none. */
  readonly chromium: string | null;
  readonly cookiesFile: string | null;
  /** May hold a password. */
  readonly upstreamProxy: Redacted.Redacted | null;
  readonly ytDlpArgs: ReadonlyArray<string>;
  readonly maxDownloadBytes: number;
  readonly runTimeoutSeconds: number;
  readonly retentionDays: number;
  /** Extractions of one account that may wait for a slot. */
  readonly maxQueuedExtractions: number;
  /** Kept of one source, the newest. */
  readonly maxComments: number;
  readonly corsOrigins: ReadonlyArray<string>;
  readonly logLevel: LogLevel;
  readonly otlpEndpoint: string | null;
  /** Sent with every request to the collector. */
  readonly otlpHeaders: Redacted.Redacted<Readonly<Record<string, string>>> | null;
}

/** One sentence for the operator: which setting, what is wrong, what would be right. */
export interface BadSetting {
  readonly name: string;
  readonly message: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Takes the text of a variable; null says that it is not one. */
type Parse<A> = (text: string) => A | null;

interface Setting<A> {
  readonly name: string;
  /** Completes "must be ...". */
  readonly expected: string;
  readonly parse: Parse<A>;
  /** Secrets are not repeated in the message. */
  readonly secret?: boolean;
}

const GIB = 1_073_741_824;

const whole =
  (minimum: number, maximum: number): Parse<number> =>
  (text) => {
    const value = Number(text);
    return /^\d+$/u.test(text) && value >= minimum && value <= maximum ? value : null;
  };

const oneOf =
  <const A extends string>(...values: ReadonlyArray<A>): Parse<A> =>
  (text) =>
    values.find((value) => value === text.toLowerCase()) ?? null;

const url =
  (...protocols: ReadonlyArray<string>): Parse<string> =>
  (text) =>
    URL.canParse(text) && protocols.includes(new URL(text).protocol) ? text.replace(/\/+$/u, "") : null;

/** A URL that paths are put behind: nothing but scheme, host and path. */
const baseUrl: Parse<string> = (text) => {
  if (url("http:", "https:")(text) === null) return null;
  const { username, password, search, hash } = new URL(text);
  return [username, password, search, hash].every((part) => part === "") ? text.replace(/\/+$/u, "") : null;
};

const secretUrl =
  (...protocols: ReadonlyArray<string>): Parse<Redacted.Redacted> =>
  (text) =>
    url(...protocols)(text) === null ? null : Redacted.make(text);

const list: Parse<ReadonlyArray<string>> = (text) =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");

const origins: Parse<ReadonlyArray<string>> = (text) => {
  const items = list(text) ?? [];
  return items.every((item) => URL.canParse(item) && new URL(item).origin === item) ? items : null;
};

const token: Parse<Redacted.Redacted> = (text) => (/^[\x21-\x7e]+$/u.test(text) ? Redacted.make(text) : null);

/** `name=value,name=value`, values percent-encoded (OpenTelemetry, "OTLP exporter": the form of W3C Baggage). */
const headerList: Parse<Redacted.Redacted<Readonly<Record<string, string>>>> = (text) => {
  const headers: Record<string, string> = {};
  for (const item of list(text) ?? []) {
    const [, name, encoded] = /^([\w!#$%&'*+.^`|~-]+)\s*=\s*([\x21-\x2b\x2d-\x7e ]*)$/u.exec(item) ?? [];
    if (name === undefined || encoded === undefined || /%(?![\da-f]{2})/iu.test(encoded)) return null;
    const value = encoded.replaceAll(/%([\da-f]{2})/giu, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16))
    );
    if (/[^\t\x20-\xff]/u.test(value)) return null;
    headers[name.toLowerCase()] = value;
  }
  return Redacted.make(headers);
};
const anyText: Parse<string> = (text) => text;

const setting = <A>(name: string, expected: string, parse: Parse<A>, secret = false): Setting<A> => ({
  name,
  expected,
  parse,
  secret
});

const BASE_URL_EXPECTED = "an http or https URL without a user name, a password or a query";

const SETTINGS = {
  host: setting("WINNOW_HOST", "a host name or address to listen on", anyText),
  port: setting("WINNOW_PORT", "a port from 0 to 65535", whole(0, 65_535)),
  publicUrl: setting("WINNOW_PUBLIC_URL", BASE_URL_EXPECTED, baseUrl),
  dataDir: setting("WINNOW_DATA_DIR", "a directory", anyText),
  databaseUrl: setting(
    "WINNOW_DATABASE_URL",
    "a postgres:// URL, or unset for the embedded database",
    secretUrl("postgres:", "postgresql:"),
    true
  ),
  // Secret, because somebody will write the credentials into it.
  artifacts: setting("WINNOW_ARTIFACTS_URL", ARTIFACTS_URL_EXPECTED, parseArtifactsUrl, true),
  awsAccessKeyId: setting("AWS_ACCESS_KEY_ID", "the id of a key to the bucket", token, true),
  awsSecretAccessKey: setting("AWS_SECRET_ACCESS_KEY", "the secret of that key", token, true),
  awsSessionToken: setting("AWS_SESSION_TOKEN", "the token of temporary credentials", token, true),
  role: setting("WINNOW_ROLE", "`all`, `api` or `worker`", oneOf("all", "api", "worker")),
  workers: setting("WINNOW_WORKERS", "a whole number of runs from 1 to 64", whole(1, 64)),
  adminToken: setting("WINNOW_ADMIN_TOKEN", "printable characters without spaces", token, true),
  openAiApiKey: setting("OPENAI_API_KEY", "printable characters without spaces", token, true),
  llmBaseUrl: setting("WINNOW_LLM_BASE_URL", BASE_URL_EXPECTED, baseUrl),
  llmModel: setting("WINNOW_LLM_MODEL", "the name of a model", anyText),
  llmTranscriptionModel: setting("WINNOW_LLM_TRANSCRIPTION_MODEL", "the name of a model", anyText),
  llmContextTokens: setting(
    "WINNOW_LLM_CONTEXT_TOKENS",
    "a whole number of tokens from 4000 to 10000000",
    whole(4_000, 10_000_000)
  ),
  egressAllow: setting("WINNOW_EGRESS_ALLOW", "a comma list of host[:port] or CIDR", list),
  ytDlp: setting("WINNOW_YTDLP", "the path of yt-dlp", anyText),
  ffmpeg: setting("WINNOW_FFMPEG", "the path of ffmpeg", anyText),
  galleryDl: setting("WINNOW_GALLERY_DL", "the path of gallery-dl", anyText),
  chromium: setting("WINNOW_CHROMIUM", "the path of Chromium, or `off`", anyText),
  cookiesFile: setting("WINNOW_COOKIES_FILE", "the path of a Netscape cookie file", anyText),
  upstreamProxy: setting("WINNOW_UPSTREAM_PROXY", "an http:// URL", secretUrl("http:"), true),
  ytDlpArgs: setting("WINNOW_YTDLP_ARGS", "options of yt-dlp", shellWords),
  maxDownloadBytes: setting(
    "WINNOW_MAX_DOWNLOAD_BYTES",
    "a whole number of bytes",
    whole(1, Number.MAX_SAFE_INTEGER)
  ),
  runTimeoutSeconds: setting(
    "WINNOW_RUN_TIMEOUT_SECONDS",
    "a whole number of seconds from 1 to 86400",
    whole(1, 86_400)
  ),
  retentionDays: setting("WINNOW_RETENTION_DAYS", "a whole number of days from 1 to 3650", whole(1, 3_650)),
  maxQueuedExtractions: setting(
    "WINNOW_MAX_QUEUED_EXTRACTIONS",
    "a whole number of extractions of one account from 0 to 1000000",
    whole(0, 1_000_000)
  ),
  maxComments: setting(
    "WINNOW_MAX_COMMENTS",
    "a whole number of comments of one source from 1 to 10000",
    whole(1, 10_000)
  ),
  corsOrigins: setting("WINNOW_CORS_ORIGINS", "a comma list of origins like https://app.example", origins),
  logLevel: setting(
    "WINNOW_LOG_LEVEL",
    "`trace`, `debug`, `info`, `warn`, `error` or `none`",
    oneOf("trace", "debug", "info", "warn", "error", "none")
  ),
  otlpEndpoint: setting("OTEL_EXPORTER_OTLP_ENDPOINT", BASE_URL_EXPECTED, baseUrl),
  otlpHeaders: setting(
    "OTEL_EXPORTER_OTLP_HEADERS",
    "a comma list of name=value, the values percent-encoded",
    headerList,
    true
  )
} satisfies { readonly [K in keyof Settings]: Setting<Settings[K]> };

/** Names of all settings; another variable that starts with WINNOW_ is a typo. */
export const SETTING_NAMES: ReadonlyArray<string> = Object.values(SETTINGS).map(({ name }) => name);

/** One line a setting, for help texts. */
export const settingsHelp = (): string =>
  Object.values(SETTINGS)
    .map(({ name, expected }) => `  ${name.padEnd(28)} ${expected.replaceAll("`", "")}`)
    .join("\n");

/** Variables that look like settings and are none. */
export const unknownSettings = (env: Environment): ReadonlyArray<string> =>
  Object.keys(env).filter((name) => name.startsWith("WINNOW_") && !SETTING_NAMES.includes(name));

const reject = ({ name, expected, secret }: Setting<unknown>, text: string): BadSetting => ({
  name,
  // What holds an @ may hold a password, what has a query a key.
  message: `${name} ${secret === true || /[?@]/u.test(text) ? "is set to something else" : `is "${text}"`}, but must be ${expected}.`
});

const defaults = (dataDir: string): Settings => ({
  host: "127.0.0.1",
  port: 8_787,
  publicUrl: null,
  dataDir,
  databaseUrl: null,
  artifacts: { _tag: "Directory", directory: resolve(dataDir, "artifacts") },
  awsAccessKeyId: null,
  awsSecretAccessKey: null,
  awsSessionToken: null,
  role: "all",
  workers: 4,
  adminToken: null,
  openAiApiKey: null,
  llmBaseUrl: null,
  llmModel: null,
  llmTranscriptionModel: "whisper-1",
  llmContextTokens: 128_000,
  egressAllow: [],
  ytDlp: null,
  ffmpeg: null,
  galleryDl: null,
  chromium: null,
  cookiesFile: null,
  upstreamProxy: null,
  ytDlpArgs: [],
  maxDownloadBytes: 4 * GIB,
  runTimeoutSeconds: 1_800,
  retentionDays: 30,
  maxQueuedExtractions: 1_000,
  maxComments: 500,
  corsOrigins: [],
  logLevel: "info",
  otlpEndpoint: null,
  otlpHeaders: null
});

/** A bucket needs the key to it. */
const missingKey = ({ artifacts, awsAccessKeyId, awsSecretAccessKey }: Settings): BadSetting | null => {
  if (artifacts._tag === "Directory" || (awsAccessKeyId !== null && awsSecretAccessKey !== null)) return null;
  const { name } = awsAccessKeyId === null ? SETTINGS.awsAccessKeyId : SETTINGS.awsSecretAccessKey;
  return { name, message: `${name} must be set, because WINNOW_ARTIFACTS_URL names a bucket.` };
};

/** Of OpenAI's own server, where a key is all that was given. */
const OPENAI_MODEL = "gpt-5.4-mini";

/** A model is of some server, and a server of one's own has no model that could be guessed. */
const withModel = (settings: Settings): Result.Result<Settings, BadSetting> => {
  const { openAiApiKey, llmBaseUrl, llmModel } = settings;
  const { name } = SETTINGS.llmModel;
  if (openAiApiKey === null && llmBaseUrl === null) {
    const message = `${name} is set, but neither OPENAI_API_KEY nor WINNOW_LLM_BASE_URL says whose model it is.`;
    return llmModel === null ? Result.succeed(settings) : Result.fail({ name, message });
  }
  if (llmModel !== null) return Result.succeed(settings);
  if (llmBaseUrl === null) return Result.succeed({ ...settings, llmModel: OPENAI_MODEL });
  const message = `${name} must be set, because WINNOW_LLM_BASE_URL names a server of your own.`;
  return Result.fail({ name, message });
};

/** Reads all settings; an empty variable counts as unset. Fails with the first bad one. */
export const readSettings = (env: Environment): Result.Result<Settings, BadSetting> => {
  const textOf = (name: string): string | undefined => env[name]?.trim() || undefined;
  const found: Record<string, unknown> = {};
  for (const [key, row] of Object.entries<Setting<unknown>>(SETTINGS)) {
    const text = textOf(row.name);
    if (text === undefined) continue;
    const value = row.parse(text);
    if (value === null) return Result.fail(reject(row, text));
    found[key] = value;
  }
  const dataDir = resolve(textOf(SETTINGS.dataDir.name) ?? ".winnow");
  const settings = { ...defaults(dataDir), ...found, dataDir } as Settings;
  const missing = missingKey(settings);
  return missing === null ? withModel(settings) : Result.fail(missing);
};

/** `http://HOST:PORT`, with brackets around an IPv6 address. */
export const originOf = (host: string, port: number): string =>
  `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
