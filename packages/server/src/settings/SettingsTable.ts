/**
 * Every setting of the server as one table: variable, default, meaning, what its value must be, and whether it is
 * a secret. The type of all settings, the options of createWinnow, the help of `winnow serve` and
 * docs/reference/settings.md come from it: a new setting is a new row, and the place that uses it. What the engine
 * gets of a setting stands in its row. Tests: Config.test.ts, SettingError.test.ts.
 */
import { resolve } from "node:path";
import { ENGINE_DEFAULTS, type EngineSettingsShape } from "@winnow/core/engine/EngineSettings";
import {
  anyText,
  BASE_URL_EXPECTED,
  baseUrl,
  headerList,
  list,
  oneOf,
  origins,
  secretUrl,
  shellWords,
  sourceUrls,
  token,
  whole
} from "./SettingValue.ts";
import { BILLING_SETTINGS } from "./BillingSettings.ts";
import { MODEL_SETTINGS } from "./ModelSettings.ts";
import { type Setting, setting, SettingMessage } from "./SettingRow.ts";
import { SIGN_IN_SETTINGS } from "./SignInSettings.ts";
import { STORAGE_SETTINGS } from "./StorageSettings.ts";

export type { Setting };

const GIB = 1_073_741_824;

/** As many as stand in one line of the web app. */
const SAMPLES_MAX = 3;

/** That everybody can open: a video of 19 seconds with captions, an article, and a page with a picture. */
const SAMPLES = [
  "https://www.youtube.com/watch?v=jNQXAc9IVRw",
  "https://en.wikipedia.org/wiki/Sourdough",
  "https://apod.nasa.gov/apod/ap150714.html"
];

const ON_PATH = "found on PATH";

export const SETTINGS = {
  host: setting({
    name: "WINNOW_HOST",
    kind: anyText,
    expected: "a host name or address to listen on",
    default: "127.0.0.1",
    meaning: "address to listen on; `createWinnow` does not listen"
  }),
  port: setting({
    name: "WINNOW_PORT",
    ...whole("a port", 0, 65_535),
    default: 8_787,
    meaning: "port to listen on; 0 chooses a free one"
  }),
  /** Without a trailing slash. */
  publicUrl: setting({
    name: "WINNOW_PUBLIC_URL",
    kind: baseUrl,
    expected: BASE_URL_EXPECTED,
    default: null,
    defaultText: "`http://HOST:PORT`",
    meaning: "base of artifact and sign-in URLs; web sessions are bound to its origin"
  }),
  /** Absolute. */
  dataDir: setting({
    name: "WINNOW_DATA_DIR",
    kind: { parse: (text: string) => resolve(text) },
    expected: "a directory",
    default: () => resolve(".winnow"),
    defaultText: "`.winnow`",
    meaning: "embedded database, artifacts, work files; created when needed"
  }),
  ...STORAGE_SETTINGS,
  role: setting({
    name: "WINNOW_ROLE",
    ...oneOf("all", "api", "worker"),
    default: "all",
    meaning: "`api` executes no runs, `worker` serves no API"
  }),
  workers: setting({
    name: "WINNOW_WORKERS",
    ...whole("a whole number of runs", 1, 64),
    default: 4,
    meaning: "concurrent runs in this process"
  }),
  adminToken: setting({
    name: "WINNOW_ADMIN_TOKEN",
    kind: token,
    expected: "printable characters without spaces",
    default: null,
    defaultText: "made at the first start, in `DATA_DIR/admin-token` (mode 0600)",
    meaning: "bearer token for `/admin`, which `createWinnow` disables without one",
    secret: true
  }),
  ...MODEL_SETTINGS,
  egressAllow: setting({
    name: "WINNOW_EGRESS_ALLOW",
    kind: list,
    expected: "a comma-separated list of host[:port] or CIDR blocks",
    default: [],
    meaning: "non-public `host[:port]` or CIDR blocks that may be reached, comma-separated"
  }),
  ytdlp: setting({
    name: "WINNOW_YTDLP",
    kind: anyText,
    expected: "the path of yt-dlp",
    default: null,
    defaultText: "the newer of `DATA_DIR/programs` and PATH",
    meaning: "path of yt-dlp"
  }),
  programUpdates: setting({
    name: "WINNOW_PROGRAM_UPDATES",
    ...oneOf("off", "notify", "auto"),
    default: "notify",
    meaning:
      "new releases of yt-dlp: `notify` reports one, `auto` installs it once it is three days old, `off` does not look; not with `WINNOW_YTDLP`"
  }),
  ffmpeg: setting({
    name: "WINNOW_FFMPEG",
    kind: anyText,
    expected: "the path of ffmpeg",
    default: null,
    defaultText: ON_PATH,
    meaning: "path of ffmpeg, with ffprobe in the same folder"
  }),
  galleryDl: setting({
    name: "WINNOW_GALLERY_DL",
    kind: anyText,
    expected: "the path of gallery-dl",
    default: null,
    defaultText: "the one installed with yt-dlp, else found on PATH",
    meaning: "path of gallery-dl"
  }),
  tesseract: setting({
    name: "WINNOW_TESSERACT",
    kind: anyText,
    expected: "the path of tesseract, or `off`",
    default: null,
    defaultText: ON_PATH,
    meaning: "path of tesseract, which reads slides and scanned pages in each installed language, or `off`"
  }),
  chromium: setting({
    name: "WINNOW_CHROMIUM",
    kind: anyText,
    expected: "the path of Chromium, or `off`",
    default: null,
    defaultText: ON_PATH,
    meaning: "path of Chromium, which renders pages built by scripts, or `off`"
  }),
  sandbox: setting({
    name: "WINNOW_SANDBOX",
    ...oneOf("auto", "required", "off"),
    default: "auto",
    meaning:
      "bubblewrap sandbox for programs: `auto` (a warning if it does not work), `required` (no start without it), `off`"
  }),
  cookiesFile: setting({
    name: "WINNOW_COOKIES_FILE",
    kind: anyText,
    expected: "the path of a Netscape cookie file",
    default: null,
    meaning: "path of a Netscape cookie file for the downloaders"
  }),
  routes: setting({
    name: "WINNOW_ROUTES",
    kind: anyText,
    expected: "the path of a JSON file of routes",
    default: null,
    meaning:
      "path of a JSON file of [routes](../operations.md#routes): proxies and cookies by host; reread on SIGHUP"
  }),
  upstreamProxy: setting({
    name: "WINNOW_UPSTREAM_PROXY",
    kind: secretUrl("http:", "https:", "socks5:"),
    expected: "an http://, https:// or socks5:// URL",
    default: null,
    meaning: "`http://…`, `https://…` or `socks5://…` proxy for all connections of the egress guard",
    secret: true
  }),
  ytdlpArgs: setting({
    name: "WINNOW_YTDLP_ARGS",
    kind: shellWords,
    expected: "options of yt-dlp",
    default: [],
    meaning: "extra yt-dlp options, but none that run programs, read files, or change output or proxy"
  }),
  maxDownloadBytes: setting({
    name: "WINNOW_MAX_DOWNLOAD_BYTES",
    ...whole("a whole number of bytes", 1, Number.MAX_SAFE_INTEGER),
    default: 4 * GIB,
    defaultText: "4 GiB",
    meaning: "maximum bytes that one run may download"
  }),
  runTimeoutSeconds: setting({
    name: "WINNOW_RUN_TIMEOUT_SECONDS",
    ...whole("a whole number of seconds", 1, 86_400),
    default: ENGINE_DEFAULTS.runTimeoutMs / 1_000,
    meaning: "maximum duration of one run",
    engine: (seconds) => ({ runTimeoutMs: seconds * 1_000 })
  }),
  retentionDays: setting({
    name: "WINNOW_RETENTION_DAYS",
    ...whole("a whole number of days", 1, 3_650),
    default: ENGINE_DEFAULTS.deliveryRetentionDays,
    meaning: "days that extractions, their files and webhook deliveries are kept",
    engine: (retentionDays) => ({ deliveryRetentionDays: retentionDays })
  }),
  minFreeBytes: setting({
    name: "WINNOW_MIN_FREE_BYTES",
    ...whole("a whole number of bytes", 0, Number.MAX_SAFE_INTEGER),
    default: ENGINE_DEFAULTS.minFreeBytes,
    defaultText: "1 GiB",
    meaning:
      "free space on the disks of data folder and artifacts below which runs wait and `/readyz` says why",
    engine: (minFreeBytes) => ({ minFreeBytes })
  }),
  maxQueuedExtractions: setting({
    name: "WINNOW_MAX_QUEUED_EXTRACTIONS",
    ...whole("a whole number of extractions of one account", 0, 1_000_000),
    default: 1_000,
    meaning: "extractions of one account that may wait; more are refused with 429 `queue_full`"
  }),
  maxComments: setting({
    name: "WINNOW_MAX_COMMENTS",
    ...whole("a whole number of comments of one source", 1, 10_000),
    default: 500,
    meaning: "maximum comments kept per source, the newest"
  }),
  ...SIGN_IN_SETTINGS,
  ...BILLING_SETTINGS,
  sampleUrls: setting({
    name: "WINNOW_SAMPLE_URLS",
    kind: sourceUrls,
    expected: "`none`, or a comma-separated list of http(s) URLs of videos, photo posts or pages",
    default: SAMPLES,
    defaultText: "a short video, an article and a page with a picture",
    meaning:
      "URLs that the web app suggests to try, comma-separated, the first three of them; `none` for none",
    engine: (urls) => ({ sampleUrls: urls.slice(0, SAMPLES_MAX) })
  }),
  corsOrigins: setting({
    name: "WINNOW_CORS_ORIGINS",
    kind: origins,
    expected: "a comma-separated list of origins like https://app.example",
    default: [],
    meaning: "origins whose pages may call the API from a browser, comma-separated"
  }),
  mcp: setting({
    name: "WINNOW_MCP",
    ...oneOf("on", "off"),
    default: "on",
    meaning: "`off` disables `/mcp`, the tools for [agents](../agents.md)"
  }),
  mcpMaxCredits: setting({
    name: "WINNOW_MCP_MAX_CREDITS",
    ...whole("a whole number of credits", 0, 1_000_000_000),
    default: 500,
    meaning:
      "most credits that one call of `extract` or `extract_batch` may cost; a call can lower it, not raise it"
  }),
  logLevel: setting({
    name: "WINNOW_LOG_LEVEL",
    ...oneOf("trace", "debug", "info", "warn", "error", "none"),
    default: "info",
    meaning: "minimum log level; JSON lines unless standard error is a terminal"
  }),
  otelExporterOtlpEndpoint: setting({
    name: "OTEL_EXPORTER_OTLP_ENDPOINT",
    kind: baseUrl,
    expected: BASE_URL_EXPECTED,
    default: null,
    meaning: "base URL of an OpenTelemetry collector; traces go to its `/v1/traces`"
  }),
  otelExporterOtlpHeaders: setting({
    name: "OTEL_EXPORTER_OTLP_HEADERS",
    kind: headerList,
    expected: "a comma-separated list of name=value, the values percent-encoded",
    default: null,
    meaning: "`name=value,…` headers for the collector, such as a key; values percent-encoded",
    secret: true
  })
};

type Rows = typeof SETTINGS;

type ValueOf<Row> = Row extends Setting<infer A, infer D, infer _> ? (D extends null ? A | null : A) : never;

type GivenOf<Row> = Row extends Setting<infer _A, infer _D, infer G> ? G : never;

/** All settings, by the keys of the table. */
export type Settings = { readonly [Key in keyof Rows]: ValueOf<Rows[Key]> };

/**
 * The settings as options, each under its variable's name without `WINNOW_`, in camelCase (`galleryDl`);
 * docs/reference/settings.md lists them. Absent, undefined and empty values have their defaults.
 */
export type WinnowSettings = { readonly [Key in keyof Rows]?: GivenOf<Rows[Key]> | undefined };

/** All rows with their common type. */
export const SETTING_ROWS: ReadonlyArray<readonly [key: keyof Settings, row: Setting]> = Object.entries(
  SETTINGS
) as ReadonlyArray<readonly [keyof Settings, Setting]>;

/** The settings of the engine, as its rows say. */
export const engineFields = (settings: Settings): Partial<EngineSettingsShape> =>
  Object.assign({}, ...SETTING_ROWS.map(([key, row]) => row.engine?.(settings[key])));

/** Names of all settings; other variables that start with WINNOW_ are typos. */
export const SETTING_NAMES: ReadonlyArray<string> = SETTING_ROWS.map(([, { name }]) => name);

const ROWS: ReadonlyMap<string, Setting> = new Map(SETTING_ROWS.map(([, row]) => [row.name, row]));

const VARIABLE = new RegExp(String.raw`\b(${SETTING_NAMES.join("|")})\b`, "u");

/** What an adapter says, which knows variables and not this table. */
export const adapterMessage = (text: string): SettingMessage =>
  new SettingMessage(text.split(VARIABLE).map((part) => ROWS.get(part) ?? part));

const OPTIONS: ReadonlyMap<string, keyof Settings> = new Map(
  SETTING_ROWS.map(([key, { name }]) => [name, key])
);

/** The option of createWinnow. */
export const optionOf = ({ name }: Setting): string => OPTIONS.get(name) ?? name;
