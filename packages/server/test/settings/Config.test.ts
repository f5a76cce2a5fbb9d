import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { assert, describe, it } from "@effect/vitest";
import { readSourceUrl } from "@winnow/core/domain/url/ReadSourceUrl";
import { ENGINE_DEFAULTS, EngineSettings } from "@winnow/core/engine/EngineSettings";
import * as Effect from "effect/Effect";
import * as Redacted from "effect/Redacted";
import * as Result from "effect/Result";
import {
  meantSetting,
  originOf,
  readSettings,
  settingsHelp,
  unknownSettings,
  unknownSettingText
} from "../../src/settings/Config.ts";
import { localSettings } from "@winnow/cli/localServer";
import { engineSettings } from "../../src/Serve.ts";
import { localModelOf } from "../../src/settings/ModelSettings.ts";
import type { Setting } from "../../src/settings/SettingRow.ts";
import { SETTING_NAMES, SETTING_ROWS, SETTINGS } from "../../src/settings/SettingsTable.ts";

const settingsOf = (env: Record<string, string>) => Result.getOrThrow(readSettings(env));

const messageOf = (env: Record<string, string>) => {
  const read = readSettings(env);
  assert(Result.isFailure(read));
  return read.failure.message;
};

describe("settings", () => {
  it("an empty environment gives the defaults of the contract", () => {
    const settings = settingsOf({});
    assert.strictEqual(settings.host, "127.0.0.1");
    assert.strictEqual(settings.port, 8787);
    assert.strictEqual(settings.role, "all");
    assert.strictEqual(settings.workers, 4);
    assert.strictEqual(settings.maxDownloadBytes, 4 * 2 ** 30);
    assert.strictEqual(settings.runTimeoutSeconds, 1800);
    assert.strictEqual(settings.retentionDays, 30);
    assert.strictEqual(settings.maxQueuedExtractions, 1000);
    assert.strictEqual(settings.maxComments, 500);
    assert.strictEqual(settings.databaseUrl, null);
    assert.strictEqual(settings.logLevel, "info");
    assert.isTrue(settings.dataDir.endsWith("/.winnow"));
    assert.deepStrictEqual(settings.artifactsUrl, {
      _tag: "Directory",
      directory: `${settings.dataDir}/artifacts`
    });
  });

  it("that are wrong are told of all at once, each on a line of its own", () => {
    const message = messageOf({ WINNOW_PORT: "70000", WINNOW_ROLE: "boss", WINNOW_WORKERS: "0" });
    const lines = message.split("\n");
    assert.lengthOf(lines, 3);
    for (const [index, name] of ["WINNOW_PORT", "WINNOW_ROLE", "WINNOW_WORKERS"].entries())
      assert.include(lines.join(" "), name, String(index));
    const beside = messageOf({ WINNOW_SIGN_IN_HEADER: "x-user", WINNOW_LLM_MODEL: "gpt" });
    assert.include(beside, "WINNOW_TRUSTED_PROXIES");
    assert.include(beside, "WINNOW_LLM_BASE_URL");
  });

  it("of a private server refuse plans and the sale of credits", () => {
    assert.strictEqual(settingsOf({ WINNOW_PRIVATE: "on" }).private, "on");
    assert.include(
      messageOf({ WINNOW_PRIVATE: "on", WINNOW_PLANS: "plans.json" }),
      "WINNOW_PLANS must not be set"
    );
    assert.include(
      messageOf({ WINNOW_PRIVATE: "on", STRIPE_SECRET_KEY: "sk_1", STRIPE_WEBHOOK_SECRET: "whsec_1" }),
      "STRIPE_SECRET_KEY must not be set"
    );
  });

  it("an empty variable counts as unset", () => {
    assert.strictEqual(settingsOf({ WINNOW_PORT: " ", WINNOW_ROLE: "" }).port, 8787);
  });

  it.each([
    ["WINNOW_PORT", "70000"],
    ["WINNOW_PORT", "80x"],
    ["WINNOW_PORT", "-1"],
    ["WINNOW_ROLE", "boss"],
    ["WINNOW_WORKERS", "0"],
    ["WINNOW_WORKERS", "1.5"],
    ["WINNOW_PUBLIC_URL", "example.com"],
    ["WINNOW_PUBLIC_URL", "ftp://example.com"],
    ["WINNOW_MAX_DOWNLOAD_BYTES", "4GiB"],
    ["WINNOW_RUN_TIMEOUT_SECONDS", "0"],
    ["WINNOW_RETENTION_DAYS", "forever"],
    ["WINNOW_MAX_QUEUED_EXTRACTIONS", "-1"],
    ["WINNOW_MAX_COMMENTS", "all"],
    ["WINNOW_CORS_ORIGINS", "https://app.example/path"],
    ["WINNOW_SAMPLE_URLS", "https://a.example/talk,talk"],
    ["WINNOW_SAMPLE_URLS", "ftp://a.example/talk"],
    ["WINNOW_LOG_LEVEL", "loud"],
    ["WINNOW_PUBLIC_URL", "https://example.com/#a"],
    ["WINNOW_LLM_BASE_URL", "localhost"],
    ["WINNOW_LLM_CONTEXT_TOKENS", "100"],
    ["WINNOW_LLM_TIMEOUT_SECONDS", "0"],
    ["WINNOW_LLM_CONCURRENCY", "none"],
    ["WINNOW_LLM_MAX_TOKENS_PER_RUN", "0"],
    ["WINNOW_LLM_REFUNDED_TOKENS_PER_DAY", "many"],
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318"],
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "http://collector:4318/#a"]
  ])("a bad %s (%s) is answered with its name, its value and what would be right", (name, text) => {
    const message = messageOf({ [name]: text });
    assert.include(message, `${name} is "${text}", but must be `);
    assert.isTrue(message.endsWith("."));
  });

  it.each([
    ["WINNOW_DATABASE_URL", "mysql://root:hunter2@db/x"],
    ["WINNOW_UPSTREAM_PROXY", "ftp://user:hunter2@proxy"],
    ["WINNOW_UPSTREAM_PROXY", "socks4://user:hunter2@proxy"],
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "https://user:hunter2@collector"],
    ["WINNOW_PUBLIC_URL", "https://user:hunter2@winnow.example"],
    ["WINNOW_PUBLIC_URL", "https://winnow.example/?a=hunter2"],
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "http://collector:4318/?token=hunter2"],
    ["WINNOW_LLM_BASE_URL", "https://llm.example/v1?api-key=hunter2"],
    ["WINNOW_ADMIN_TOKEN", "hunter2 with spaces"],
    ["WINNOW_ARTIFACTS_URL", "s3://key:hunter2@bucket/prefix"],
    ["AWS_SECRET_ACCESS_KEY", "hunter2 with spaces"],
    ["OPENAI_API_KEY", "hunter2 with spaces"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "hunter2"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "authorization=hunter2%"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "authorization=hunter2%0d%0aX: y"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "author ization=hunter2"]
  ])("the value of a bad %s is not repeated: it may be a secret", (name, text) => {
    const message = messageOf({ [name]: text });
    assert.include(message, name);
    assert.notInclude(message, "hunter2");
  });

  it("secrets are redacted wherever settings are printed", () => {
    const given = {
      WINNOW_DATABASE_URL: "postgres://u:hunter2@db/x",
      WINNOW_DATABASE_DIRECT_URL: "postgres://u:hunter2@db/x",
      WINNOW_ARTIFACTS_URL: "s3://bucket", // with credentials in it, it is refused
      WINNOW_ADMIN_TOKEN: "hunter2",
      OPENAI_API_KEY: "hunter2",
      WINNOW_SPEECH_API_KEY: "hunter2",
      AWS_ACCESS_KEY_ID: "hunter2",
      AWS_SECRET_ACCESS_KEY: "hunter2",
      AWS_SESSION_TOKEN: "hunter2",
      STRIPE_SECRET_KEY: "hunter2",
      STRIPE_WEBHOOK_SECRET: "hunter2",
      WINNOW_OIDC_CLIENT_SECRET: "hunter2",
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=hunter2",
      WINNOW_UPSTREAM_PROXY: "http://u:hunter2@proxy:3128"
    };
    const secrets = Object.values(SETTINGS).filter((row: Setting) => row.secret === true);
    assert.sameMembers(
      Object.keys(given),
      secrets.map(({ name }) => name)
    );
    const settings = settingsOf(given);
    assert.notInclude(JSON.stringify(settings), "hunter2");
    assert.strictEqual(Redacted.value(settings.databaseUrl!), "postgres://u:hunter2@db/x");
  });

  it("lists and options are split", () => {
    const settings = settingsOf({
      WINNOW_EGRESS_ALLOW: "127.0.0.1:9000, 10.0.0.0/8,,",
      WINNOW_YTDLP_ARGS: `--extractor-args "youtube:player client=web" -4`,
      WINNOW_CORS_ORIGINS: "https://a.example,http://localhost:3000"
    });
    assert.deepStrictEqual(settings.egressAllow, ["127.0.0.1:9000", "10.0.0.0/8"]);
    assert.deepStrictEqual(settings.ytdlpArgs, ["--extractor-args", "youtube:player client=web", "-4"]);
    assert.deepStrictEqual(settings.corsOrigins, ["https://a.example", "http://localhost:3000"]);
  });

  it("the base of artifact URLs has no trailing slash", () => {
    assert.strictEqual(
      settingsOf({ WINNOW_PUBLIC_URL: "https://w.example/x/" }).publicUrl,
      "https://w.example/x"
    );
  });

  it("a file: URL names the artifact folder", () => {
    const { artifactsUrl: artifacts } = settingsOf({ WINNOW_ARTIFACTS_URL: "file:///srv/a%20b" });
    assert.deepStrictEqual(artifacts, { _tag: "Directory", directory: "/srv/a b" });
  });

  const KEYS = { AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "secret" };

  it.each([
    ["s3://b-1.x", { bucket: "b-1.x", prefix: "", endpoint: null, region: "us-east-1" }],
    [
      "s3://bucket/a/b_c/?region=eu-west-1",
      { bucket: "bucket", prefix: "a/b_c", endpoint: null, region: "eu-west-1" }
    ],
    [
      "s3://bucket/p?endpoint=http://10.0.0.2:9000/&region=auto",
      { bucket: "bucket", prefix: "p", endpoint: "http://10.0.0.2:9000", region: "auto" }
    ]
  ])("%s names a bucket", (text, expected) => {
    const { artifactsUrl: artifacts } = settingsOf({ WINNOW_ARTIFACTS_URL: text, ...KEYS });
    assert.deepStrictEqual(artifacts, { _tag: "Bucket", ...expected });
  });

  it.each([
    "/var/artifacts",
    "file://elsewhere/srv",
    "s3:bucket",
    "s3://",
    "s3://Bucket",
    "s3://a..b",
    "s3://bucket:9000",
    "s3://key:secret@bucket",
    "s3://bucket/a//b",
    "s3://bucket/.hidden",
    "s3://bucket/a%20b",
    "s3://bucket#x",
    "s3://bucket?endpoint=10.0.0.2:9000",
    "s3://bucket?endpoint=ftp://10.0.0.2",
    "s3://bucket?endpoint=https://key:secret@host",
    "s3://bucket?endpoint=https://host?x=1",
    "s3://bucket?endpoint=",
    "s3://bucket?region=eu%20west",
    "s3://bucket?regoin=eu-west-1",
    "s3://bucket?region=a&region=b",
    "https://bucket.s3.amazonaws.com"
  ])("%s is not a place for artifacts", (text) => {
    const message = messageOf({ WINNOW_ARTIFACTS_URL: text, ...KEYS });
    assert.include(message, "WINNOW_ARTIFACTS_URL is set to something else, but must be a file: URL");
    assert.notInclude(message, "secret");
  });

  it.each(["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"])("a bucket without %s is refused", (name) => {
    const env = { WINNOW_ARTIFACTS_URL: "s3://bucket", ...KEYS, [name]: "" };
    assert.strictEqual(messageOf(env), `${name} must be set, because WINNOW_ARTIFACTS_URL names a bucket.`);
  });

  it("a language model server needs a model name, OpenAI has a default, and a name alone is an error", () => {
    const server = { WINNOW_LLM_BASE_URL: "http://127.0.0.1:8000/v1" };
    assert.isNull(settingsOf({}).llmModel);
    assert.isNotNull(settingsOf({ OPENAI_API_KEY: "sk-x" }).llmModel);
    assert.strictEqual(settingsOf({ ...server, WINNOW_LLM_MODEL: "qwen" }).llmModel, "qwen");
    assert.include(messageOf(server), "WINNOW_LLM_MODEL must be set");
    assert.include(messageOf({ WINNOW_LLM_MODEL: "qwen" }), "neither OPENAI_API_KEY nor WINNOW_LLM_BASE_URL");
  });

  it("the kind of the language model's server is one of the presets", () => {
    assert.isNull(settingsOf({}).llmPreset);
    assert.strictEqual(settingsOf({ WINNOW_LLM_PRESET: "Ollama" }).llmPreset, "ollama");
    assert.include(
      messageOf({ WINNOW_LLM_PRESET: "gpt" }),
      "one of openai, openrouter, vllm, ollama, llamacpp, lmstudio, gemini, other"
    );
  });

  it("an unknown variable that looks like a setting is reported, with the one that was meant", () => {
    const env = { WINNOW_PROT: "1", WINNOW_PORT: "1", WINNOW_URL: "http://a", WINNOW_API_KEY: "k", PATH: "" };
    assert.deepStrictEqual(unknownSettings(env), ["WINNOW_PROT"]);
    for (const [unknown, meant] of [
      ["WINNOW_PROT", "WINNOW_PORT"],
      ["WINNOW_DATADIR", "WINNOW_DATA_DIR"],
      ["WINNOW_WORKER", "WINNOW_WORKERS"],
      ["WINNOW_URI", "WINNOW_URL"],
      ["WINNOW_COLOUR", null]
    ] as const) {
      assert.strictEqual(meantSetting(unknown), meant);
    }
    assert.strictEqual(
      unknownSettingText("WINNOW_PROT"),
      "WINNOW_PROT is not a known setting; did you mean WINNOW_PORT?"
    );
  });

  it("help has the purpose and the default of every setting, without Markdown", () => {
    const help = settingsHelp();
    assert.include(help, "  WINNOW_PORT (8787)\n      port to listen on; 0 chooses a free one\n");
    assert.include(help, "  WINNOW_CHROMIUM (found on PATH)\n");
    assert.include(help, "JSON file of routes: proxies");
    assert.notMatch(help, /`|\]\(|\(how\)/u);
  });

  it("a speech model on this machine needs no server, and a language model's server is none for it", () => {
    for (const name of ["local", "local:whisper-base", "local:/srv/models/own"]) {
      assert.strictEqual(settingsOf({ WINNOW_SPEECH_MODEL: name }).speechModel, name);
      const beside = { WINNOW_SPEECH_MODEL: name, WINNOW_LLM_BASE_URL: "http://127.0.0.1:1/v1" };
      assert.include(messageOf(beside), "WINNOW_LLM_MODEL must be set");
    }
    assert.include(messageOf({ WINNOW_SPEECH_MODEL: "locally" }), "which server has it");
    assert.strictEqual(localModelOf("local"), "");
    assert.strictEqual(localModelOf("local:a:b"), "a:b");
    assert.isNull(localModelOf("locally"));
    assert.isNull(localModelOf(null));
  });

  it("every setting of the contract exists", () => {
    const names = `WINNOW_HOST WINNOW_PORT WINNOW_PUBLIC_URL WINNOW_DATA_DIR WINNOW_DATABASE_URL
      WINNOW_ARTIFACTS_URL WINNOW_ROLE WINNOW_WORKERS WINNOW_ADMIN_TOKEN OPENAI_API_KEY WINNOW_LLM_BASE_URL
      WINNOW_LLM_PRESET WINNOW_LLM_MODEL WINNOW_LLM_TRANSCRIPTION_MODEL WINNOW_LLM_CONTEXT_TOKENS WINNOW_LLM_TIMEOUT_SECONDS WINNOW_LLM_CONCURRENCY WINNOW_LLM_MAX_TOKENS_PER_RUN WINNOW_LLM_REFUNDED_TOKENS_PER_DAY WINNOW_EGRESS_ALLOW WINNOW_YTDLP WINNOW_PROGRAM_UPDATES WINNOW_FFMPEG WINNOW_GALLERY_DL WINNOW_TESSERACT WINNOW_CHROMIUM WINNOW_ROUTES WINNOW_COOKIES_FILE
      WINNOW_UPSTREAM_PROXY WINNOW_YTDLP_ARGS WINNOW_MAX_DOWNLOAD_BYTES WINNOW_RUN_TIMEOUT_SECONDS
      WINNOW_RETENTION_DAYS WINNOW_MAX_QUEUED_EXTRACTIONS WINNOW_MAX_COMMENTS WINNOW_CORS_ORIGINS WINNOW_SAMPLE_URLS WINNOW_LOG_LEVEL OTEL_EXPORTER_OTLP_ENDPOINT
      OTEL_EXPORTER_OTLP_HEADERS
      AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN`;
    assert.includeMembers([...SETTING_NAMES], names.split(/\s+/u));
  });

  it("headers for the collector are parsed as in OpenTelemetry", () => {
    const { otelExporterOtlpHeaders } = settingsOf({
      OTEL_EXPORTER_OTLP_HEADERS: "Authorization=Bearer%20a%3Db%2Cc, x-tenant = 7,x-empty=,"
    });
    assert.deepStrictEqual(
      otelExporterOtlpHeaders === null ? null : Redacted.value(otelExporterOtlpHeaders),
      {
        authorization: "Bearer a=b,c",
        "x-tenant": "7",
        "x-empty": ""
      }
    );
    assert.notInclude(String(otelExporterOtlpHeaders), "Bearer");
  });

  it("an IPv6 address is bracketed in the server's URL", () => {
    assert.strictEqual(originOf("::1", 80), "http://[::1]:80");
    assert.strictEqual(originOf("127.0.0.1", 80), "http://127.0.0.1:80");
  });
});

/** Names in the patterns that `binding` finds: destructured as or from settings. */
const namesBound = (sources: string, binding: RegExp): ReadonlyArray<string> =>
  [...sources.matchAll(binding)].flatMap(([, names = ""]) =>
    names.split(",").map((each) => each.replace(/:.*/su, "").trim())
  );

const sourcesOf = (packageName: string): string => {
  const folder = fileURLToPath(new URL(`../../../${packageName}/src`, import.meta.url));
  return globSync("**/*.ts", { cwd: folder })
    .map((file) => readFileSync(join(folder, file), "utf8"))
    .join("\n");
};

const SERVER_SOURCES = sourcesOf("server");

describe("the table of settings", () => {
  it("has no setting that nothing reads", () => {
    const members = new Set([
      ...[...SERVER_SOURCES.matchAll(/\bsettings\.(\w+)/gu)].map(([, name = ""]) => name),
      ...namesBound(SERVER_SOURCES, /\{([^{}]*)\}\s*(?::\s*(?:Settings\b|Pick<Settings\b)|=\s*settings\b)/gu)
    ]);
    assert.deepStrictEqual(
      SETTING_ROWS.filter(([name, { engine }]) => engine === undefined && !members.has(name)),
      []
    );
  });

  it("sets no field of the engine that nothing reads", () => {
    const sources = SERVER_SOURCES + sourcesOf("core");
    const fields = namesBound(sources, /\{([^{}]*)\}\s*=\s*yield\*\s*EngineSettings\b/gu);
    const mapped = namesBound(sources, /\bEngineSettings,\s*\(\{([^{}]*)\}\)/gu);
    assert.sameMembers([...new Set([...fields, ...mapped])], Object.keys(ENGINE_DEFAULTS));
  });
});

describe("settings of the engine", () => {
  it("each set another field, and together all but the address and the patience of a process", () => {
    const settings = settingsOf({});
    const set = SETTING_ROWS.flatMap(([key, row]) => Object.keys(row.engine?.(settings[key]) ?? {}));
    assert.sameMembers([...set, "publicUrl", "inspectTimeoutMs"], Object.keys(ENGINE_DEFAULTS));
  });

  it.effect("are those of the environment", () =>
    Effect.gen(function* () {
      const settings = settingsOf({
        WINNOW_RUN_TIMEOUT_SECONDS: "7",
        WINNOW_RETENTION_DAYS: "2",
        WINNOW_MAX_QUEUED_EXTRACTIONS: "0",
        WINNOW_SAMPLE_URLS: "https://a.example/1, https://a.example/2,https://a.example/3,https://a.example/4"
      });
      const engine = yield* Effect.provide(EngineSettings, engineSettings(settings));
      assert.deepInclude(engine, {
        runTimeoutMs: 7_000,
        deliveryRetentionDays: 2,
        sampleUrls: ["https://a.example/1", "https://a.example/2", "https://a.example/3"],
        publicUrl: "http://127.0.0.1:8787"
      });
    })
  );

  it("suggest three public pages, unless others or none are given", () => {
    const { sampleUrls } = settingsOf({});
    assert.lengthOf(sampleUrls, 3);
    assert.isTrue(sampleUrls.every((url) => readSourceUrl(url).ok));
    assert.deepStrictEqual(settingsOf({ WINNOW_SAMPLE_URLS: "none" }).sampleUrls, []);
  });

  it.effect("a command gives a source more time than a request, with otherwise equal settings", () =>
    Effect.gen(function* () {
      const settings = settingsOf({ WINNOW_RUN_TIMEOUT_SECONDS: "7" });
      const engine = yield* Effect.provide(EngineSettings, localSettings(settings));
      assert.deepInclude(engine, { runTimeoutMs: 7_000, inspectTimeoutMs: 25_000 });
    })
  );
});
