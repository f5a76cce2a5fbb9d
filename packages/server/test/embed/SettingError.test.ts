/** Settings as an object follow the rules of the environment variables, under camelCase names. */
import { join } from "node:path";
import { assert, describe, it } from "vitest";
import * as Redacted from "effect/Redacted";

import { SettingError, settingError, settingsOf } from "../../src/embed/SettingError.ts";
import { adapterMessage, SETTINGS, type WinnowSettings } from "../../src/settings/SettingsTable.ts";
import { createWinnow } from "../../src/index.ts";

/** Has every setting, so that a new one is not forgotten. */
const EVERY: { readonly [K in keyof Required<WinnowSettings>]: WinnowSettings[K] } = {
  host: "0.0.0.0",
  port: 9_000,
  publicUrl: "https://app.example/winnow/",
  dataDir: "/tmp",
  databaseUrl: "postgres://user:secret@pooler/winnow",
  databaseDirectUrl: "postgres://user:secret@db/winnow",
  artifactsUrl: "s3://bucket/prefix?endpoint=https://s3.example&region=eu",
  awsAccessKeyId: "id",
  awsSecretAccessKey: "secret",
  awsSessionToken: "token",
  role: "api",
  workers: "2",
  adminToken: "admin",
  openaiApiKey: "key",
  llmBaseUrl: "http://127.0.0.1:1234/v1",
  llmPreset: "other",
  llmModel: "model",
  llmTranscriptionModel: "whisper",
  speechModel: "whisper",
  modelsDir: "/var/lib/models",
  speechThreads: 2,
  speechBaseUrl: "http://127.0.0.1:2345/v1",
  speechApiKey: "key",
  llmContextTokens: 8_000,
  llmTimeoutSeconds: 180,
  llmConcurrency: 2,
  llmMaxTokensPerRun: 100_000,
  llmRefundedTokensPerDay: 200_000,
  egressAllow: ["127.0.0.1:80", "10.0.0.0/8"],
  ytdlp: process.execPath,
  programUpdates: "notify",
  ffmpeg: process.execPath,
  galleryDl: process.execPath,
  tesseract: process.execPath,
  chromium: process.execPath,
  cookiesFile: "/dev/null",
  routes: "/etc/winnow/routes.json",
  sandbox: "auto",
  upstreamProxy: "http://proxy.example:3128",
  ytdlpArgs: "--sleep-requests 1",
  maxDownloadBytes: 1_000,
  minFreeBytes: 1_000,
  runTimeoutSeconds: 60,
  retentionDays: 1,
  maxQueuedExtractions: 10,
  private: "off",
  plans: "/etc/winnow/plans.json",
  maxComments: 50,
  signInHeader: "X-Forwarded-Email",
  trustedProxies: "10.0.0.0/8, ::1",
  oidcIssuer: "https://login.example/realm/",
  oidcClientId: "winnow",
  oidcClientSecret: "secret",
  signUp: "open",
  stripeSecretKey: "sk_test_1",
  stripeWebhookSecret: "whsec_1",
  creditPacks: ["50000", "1000000=90"],
  topUpNote: "Write to sales@example.com.",
  sampleUrls: ["https://a.example/talk"],
  corsOrigins: ["https://a.example", "https://b.example"],
  mcp: "off",
  mcpMaxCredits: "200",
  logLevel: "warn",
  otelExporterOtlpEndpoint: "http://collector.example:4318",
  otelExporterOtlpHeaders: "a=b"
};

const camelCase = (variable: string): string =>
  variable
    .replace(/^WINNOW_/u, "")
    .toLowerCase()
    .replaceAll(/_([a-z])/gu, (_, letter: string) => letter.toUpperCase());

const refusal = (run: () => unknown): SettingError => {
  try {
    run();
  } catch (error) {
    assert.instanceOf(error, SettingError);
    return error;
  }
  return assert.fail("it was accepted");
};

describe("settingsOf", () => {
  it("knows every setting of the environment by its name in camelCase", () => {
    assert.deepStrictEqual(Object.keys(EVERY).toSorted(), Object.keys(SETTINGS).toSorted());
    for (const [option, { name }] of Object.entries(SETTINGS)) assert.strictEqual(option, camelCase(name));
  });

  it("accepts strings, numbers and lists", () => {
    const { cookiesFile: _, routes: __, ...usable } = EVERY;
    const settings = settingsOf(usable);
    assert.strictEqual(settings.port, 9_000);
    assert.strictEqual(settings.workers, 2);
    assert.strictEqual(settings.publicUrl, "https://app.example/winnow");
    assert.deepStrictEqual(settings.egressAllow, ["127.0.0.1:80", "10.0.0.0/8"]);
    assert.deepStrictEqual(settings.corsOrigins, ["https://a.example", "https://b.example"]);
    assert.deepStrictEqual(settings.ytdlpArgs, ["--sleep-requests", "1"]);
    assert.strictEqual(Redacted.value(settings.databaseUrl!), EVERY.databaseUrl);
  });

  it("has the environment's defaults for absent, undefined or empty values", () => {
    const given = { workers: undefined, retentionDays: "", trustedProxies: [] };
    const { workers, retentionDays, trustedProxies, dataDir } = settingsOf(given);
    assert.deepEqual([workers, retentionDays, trustedProxies], [4, 30, []]);
    assert.strictEqual(dataDir, join(process.cwd(), ".winnow"));
  });

  it("rejects what the environment rejects, with the option's name", () => {
    const cases: ReadonlyArray<readonly [WinnowSettings, string]> = [
      [{ port: 70_000 }, "port"],
      [{ port: Number.NaN }, "port"],
      [{ workers: 1.5 }, "workers"],
      [{ publicUrl: "app.example" }, "publicUrl"],
      [{ databaseUrl: "mysql://db" }, "databaseUrl"],
      [{ artifactsUrl: "s3://bucket?endpoint=https://s3.example&region=eu" }, "awsAccessKeyId"],
      [{ llmBaseUrl: "http://127.0.0.1:1234/v1" }, "llmModel"],
      [{ llmModel: "model" }, "llmModel"],
      [{ corsOrigins: ["app.example"] }, "corsOrigins"],
      [{ ytdlp: "/nonexistent" }, "ytdlp"],
      [{ oidcIssuer: "http://login.example" }, "oidcIssuer"],
      [{ signInHeader: "x user" }, "signInHeader"],
      [{ trustedProxies: "10.0.0.0/33" }, "trustedProxies"],
      [{ trustedProxies: "proxy.example" }, "trustedProxies"],
      [{ creditPacks: ["100000=free"] }, "creditPacks"],
      [{ workers: true } as never, "workers"],
      [{ host: 5 } as never, "host"],
      [{ egressAllow: [5] } as never, "egressAllow"],
      [{ colour: "red" } as never, "colour"]
    ];
    for (const [given, setting] of cases) {
      const { message, setting: named } = refusal(() => settingsOf(given));
      assert.strictEqual(named, setting, message);
      assert.include(message, setting);
      assert.notMatch(message, /WINNOW_|AWS_|OPENAI_/u);
    }
  });

  it("takes values as they are: an item of a list may contain a comma", () => {
    const { egressAllow, corsOrigins } = settingsOf({
      egressAllow: ["a,b"],
      corsOrigins: "https://a.example"
    });
    assert.deepStrictEqual([egressAllow, corsOrigins], [["a,b"], ["https://a.example"]]);
  });

  it("says what the value is, and what it must be", () => {
    const messages: ReadonlyArray<readonly [WinnowSettings, string]> = [
      [{ port: 70_000 }, "port is 70000, but must be a port from 0 to 65535."],
      [{ workers: "x" }, 'workers is "x", but must be a whole number of runs from 1 to 64.'],
      [
        { llmModel: "qwen" },
        "llmModel is set, but neither openaiApiKey nor llmBaseUrl says which server has it."
      ]
    ];
    for (const [given, message] of messages)
      assert.strictEqual(refusal(() => settingsOf(given)).message, message);
  });

  it("names options where an adapter names variables", () => {
    const { message, setting } = settingError(
      adapterMessage("The disk of WINNOW_DATA_DIR is full. Or set WINNOW_DATABASE_URL=postgres://host/name")
    );
    assert.strictEqual(message, "The disk of dataDir is full. Or set databaseUrl=postgres://host/name");
    assert.strictEqual(setting, "dataDir");
  });

  it("repeats no secret", () => {
    assert.notInclude(refusal(() => settingsOf({ databaseUrl: "mysql://u:hunter2@db" })).message, "hunter2");
  });

  it("reads an environment only if it is given one, after the settings", () => {
    process.env["WINNOW_WORKERS"] = "9";
    try {
      assert.strictEqual(settingsOf({}).workers, 4);
      assert.strictEqual(settingsOf({}, process.env).workers, 9);
      assert.strictEqual(settingsOf({ workers: 2 }, process.env).workers, 2);
    } finally {
      delete process.env["WINNOW_WORKERS"];
    }
  });
});

describe("createWinnow", () => {
  it("rejects with the invalid setting", async () => {
    const rejected = (options: object) =>
      createWinnow(options).then(
        () => assert.fail("it started"),
        (error: unknown) => error as SettingError
      );
    assert.deepInclude(await rejected({ retentionDays: 0 }), {
      name: "SettingError",
      setting: "retentionDays"
    });
    assert.deepInclude(await rejected({ basePath: "winnow" }), { setting: "basePath" });
    for (const option of ["layers", "sessions", "logger"])
      assert.deepInclude(await rejected({ [option]: 5 }), { setting: option });
    const { layer } = await import("@winnow/core/memory/MemoryStore");
    const { layer: queue } = await import("@winnow/core/memory/MemoryJobQueue");
    const Layer = await import("effect/Layer");
    const store = await rejected({ layers: Layer.provide(layer, queue) });
    assert.strictEqual(store.setting, "layers");
    assert.include(store.message, "no JobQueue, no SchemaLibrary, no Sessions");
    const { WebhookOutbox } = await import("@winnow/core/ports/WebhookOutbox");
    const outbox = await rejected({
      layers: Layer.succeed(WebhookOutbox, {} as typeof WebhookOutbox.Service)
    });
    assert.include(outbox.message, "webhooks without a Store");
  });
});
