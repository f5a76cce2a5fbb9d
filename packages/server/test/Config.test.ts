import { assert, describe, it } from "@effect/vitest";
import * as Redacted from "effect/Redacted";
import * as Result from "effect/Result";
import { originOf, readSettings, SETTING_NAMES, unknownSettings } from "../src/Config.ts";

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
    assert.strictEqual(settings.databaseUrl, null);
    assert.strictEqual(settings.logLevel, "info");
    assert.isTrue(settings.dataDir.endsWith("/.winnow"));
    assert.strictEqual(settings.artifactsDir, `${settings.dataDir}/artifacts`);
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
    ["WINNOW_ARTIFACTS_URL", "/var/artifacts"],
    ["WINNOW_MAX_DOWNLOAD_BYTES", "4GiB"],
    ["WINNOW_RUN_TIMEOUT_SECONDS", "0"],
    ["WINNOW_RETENTION_DAYS", "forever"],
    ["WINNOW_CORS_ORIGINS", "https://app.example/path"],
    ["WINNOW_LOG_LEVEL", "loud"],
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318"]
  ])("a bad %s (%s) is answered with its name, its value and what would be right", (name, text) => {
    const message = messageOf({ [name]: text });
    assert.include(message, `${name} is "${text}", but must be `);
    assert.isTrue(message.endsWith("."));
  });

  it.each([
    ["WINNOW_DATABASE_URL", "mysql://root:hunter2@db/x"],
    ["WINNOW_UPSTREAM_PROXY", "ftp://user:hunter2@proxy"],
    ["WINNOW_ADMIN_TOKEN", "hunter2 with spaces"]
  ])("the value of a bad %s is not repeated: it may be a secret", (name, text) => {
    const message = messageOf({ [name]: text });
    assert.include(message, name);
    assert.notInclude(message, "hunter2");
  });

  it("secrets are redacted wherever settings are shown", () => {
    const settings = settingsOf({
      WINNOW_DATABASE_URL: "postgres://u:hunter2@db/x",
      WINNOW_ADMIN_TOKEN: "hunter2",
      OPENAI_API_KEY: "hunter2",
      WINNOW_UPSTREAM_PROXY: "http://u:hunter2@proxy:3128"
    });
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
    assert.deepStrictEqual(settings.ytDlpArgs, ["--extractor-args", "youtube:player client=web", "-4"]);
    assert.deepStrictEqual(settings.corsOrigins, ["https://a.example", "http://localhost:3000"]);
  });

  it("the base of artifact URLs has no slash at its end", () => {
    assert.strictEqual(
      settingsOf({ WINNOW_PUBLIC_URL: "https://w.example/x/" }).publicUrl,
      "https://w.example/x"
    );
  });

  it("a file: URL names the artifact folder", () => {
    assert.strictEqual(settingsOf({ WINNOW_ARTIFACTS_URL: "file:///srv/a%20b" }).artifactsDir, "/srv/a b");
  });

  it("a variable that only looks like a setting is found", () => {
    assert.deepStrictEqual(unknownSettings({ WINNOW_PROT: "1", WINNOW_PORT: "1", PATH: "" }), [
      "WINNOW_PROT"
    ]);
  });

  it("every setting of the contract is there", () => {
    const names = `WINNOW_HOST WINNOW_PORT WINNOW_PUBLIC_URL WINNOW_DATA_DIR WINNOW_DATABASE_URL
      WINNOW_ARTIFACTS_URL WINNOW_ROLE WINNOW_WORKERS WINNOW_ADMIN_TOKEN OPENAI_API_KEY WINNOW_LLM_BASE_URL
      WINNOW_LLM_MODEL WINNOW_EGRESS_ALLOW WINNOW_YTDLP WINNOW_FFMPEG WINNOW_GALLERY_DL WINNOW_COOKIES_FILE
      WINNOW_UPSTREAM_PROXY WINNOW_YTDLP_ARGS WINNOW_MAX_DOWNLOAD_BYTES WINNOW_RUN_TIMEOUT_SECONDS
      WINNOW_RETENTION_DAYS WINNOW_CORS_ORIGINS WINNOW_LOG_LEVEL OTEL_EXPORTER_OTLP_ENDPOINT`;
    assert.sameMembers([...SETTING_NAMES], names.split(/\s+/u));
  });

  it("an IPv6 address is bracketed in the address of the server", () => {
    assert.strictEqual(originOf("::1", 80), "http://[::1]:80");
    assert.strictEqual(originOf("127.0.0.1", 80), "http://127.0.0.1:80");
  });
});
