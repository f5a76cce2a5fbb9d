import { createRequire } from "node:module";
import { assert, describe, it } from "@effect/vitest";
import { requirePackage } from "@winnow/adapters/runtime/OptionalPackage";
import * as Effect from "effect/Effect";
import * as Result from "effect/Result";
import { requireNeededPackages } from "../../src/adapters/neededPackages.ts";
import { reportPackages } from "../../src/adapters/programs.ts";
import { readSettings } from "../../src/settings/Config.ts";

/** Where nothing is installed: `resolve` throws like Node's. */
const nowhere = {
  resolve: Object.assign((name: string) => createRequire(import.meta.url).resolve(`${name}-nowhere`), {
    paths: () => null
  })
};

const settingsOf = (env: Readonly<Record<string, string>>) => Result.getOrThrow(readSettings(env));

const startOf = (env: Readonly<Record<string, string>>) =>
  requireNeededPackages(settingsOf(env), (name) => requirePackage(name, nowhere));

const STRIPE = { STRIPE_SECRET_KEY: "sk_test_1", STRIPE_WEBHOOK_SECRET: "whsec_1" };
const OIDC = {
  WINNOW_OIDC_ISSUER: "https://id.test",
  WINNOW_OIDC_CLIENT_ID: "winnow",
  WINNOW_PUBLIC_URL: "https://winnow.test"
};
const KEY = { AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "secret" };

describe("a package that a setting needs and that is not installed", () => {
  it.effect.each([
    [{ OPENAI_API_KEY: "sk" }, "openai", "OPENAI_API_KEY and WINNOW_LLM_MODEL"],
    [
      { WINNOW_SPEECH_MODEL: "whisper-1", WINNOW_SPEECH_BASE_URL: "http://127.0.0.1:9/v1" },
      "openai",
      "WINNOW_SPEECH_MODEL"
    ],
    [{ WINNOW_SPEECH_MODEL: "local" }, "@winnow/local-speech", "WINNOW_SPEECH_MODEL"],
    [
      { WINNOW_ARTIFACTS_URL: "s3://bucket", ...KEY },
      "@bradenmacdonald/s3-lite-client",
      "WINNOW_ARTIFACTS_URL"
    ],
    [STRIPE, "stripe", "STRIPE_SECRET_KEY"],
    [OIDC, "openid-client", "WINNOW_OIDC_ISSUER"]
  ] as const)("is named with what to run or to unset: %o", ([env, name, setting]) =>
    Effect.map(Effect.flip(startOf(env)), ({ message }) => {
      assert.match(message, new RegExp(`needs the npm package ${name}, which is not installed`, "u"));
      assert.isTrue(message.endsWith(`\nOr unset ${setting}.`), message);
      const reported = reportPackages(settingsOf(env), () => false).find((each) => each.name === name);
      assert.deepInclude(reported, { required: true, version: null });
    })
  );

  it.effect("is no matter where nothing needs it", () =>
    Effect.andThen(startOf({}), startOf({ ...STRIPE, ...OIDC, WINNOW_ROLE: "worker" }))
  );
});
