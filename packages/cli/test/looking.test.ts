// @module-tag long
/** Commands that only look leave nothing behind, and every command that prints data prints it as JSON on request. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { vi } from "vitest";
import type { Finding } from "../src/doctor.ts";
import type { SubmitBody } from "@winnow/client";
import { leaves } from "./commandLines.ts";
import { temporaryFolder } from "@winnow/server/test/TemporaryFolder";
import { winnow, winnowProcess } from "@winnow/server/test/WinnowProgram";

/** Several program starts, on a busy machine. */
vi.setConfig({ testTimeout: 240_000 });

/** What `winnow submit` calls each field: a new field does not compile until it stands here. */
const FLAGS: { readonly [Field in keyof SubmitBody]-?: string } = {
  url: "Public URL",
  fromExtraction: "the id of an extraction",
  inputs: "--inputs",
  range: "--from",
  schemaId: "id of a saved schema",
  schema: "--schema",
  prompt: "--prompt",
  auto: "--auto",
  force: "--force",
  maxSpendCredits: "--max-spend-credits",
  maxCredits: "--max-credits",
  maxAgeSeconds: "--max-age-seconds",
  policy: "--policy",
  evidence: "--evidence",
  language: "--language",
  captions: "--captions",
  speech: "--speech",
  parts: "--parts",
  webhookUrl: "--webhook-url"
};

describe("the commands", () => {
  it.live("all print JSON on request, except those that serve until they are stopped", () =>
    Effect.gen(function* () {
      const all = yield* leaves;
      assert.isAbove(all.length, 40);
      assert.deepStrictEqual(
        all.filter(({ help }) => !/^ {2}--json /mu.test(help)).map(({ name }) => name),
        ["mcp", "serve"]
      );
    })
  );

  it.live("have every field of a submit", () =>
    Effect.gen(function* () {
      const submit = (yield* leaves).find(({ name }) => name === "submit");
      const help = submit?.help.replaceAll(/\s+/gu, " ") ?? "";
      for (const [field, flag] of Object.entries(FLAGS)) assert.include(help, flag, field);
    })
  );

  it.live("that only look create no data folder, and name what to type", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder("looking");
      const env = { WINNOW_DATA_DIR: join(folder, "data"), WINNOW_SPEECH_MODEL: "local", PATH: folder };
      const doctor = yield* winnow(["doctor", "--json"], env);
      const findings = JSON.parse(doctor.stdout) as ReadonlyArray<Finding>;
      const find = (wanted: string) => findings.find(({ name }) => name === wanted);
      assert.deepInclude(find("data directory"), {
        state: "ok",
        detail: `${env.WINNOW_DATA_DIR}, created by the first start`
      });
      assert.match(find("web app")?.detail ?? "", /^(?:served at|not built:) \/app\//u);
      assert.deepInclude(find("database"), {
        state: "ok",
        detail: "embedded PostgreSQL, tried in a temporary folder"
      });
      assert.deepInclude(find("speech model"), {
        state: "missing",
        detail: `there is no model in ${join(env.WINNOW_DATA_DIR, "models")}`,
        remedy: "winnow models add whisper-base"
      });
      const words = yield* winnowProcess(["check"], { ...env, npm_lifecycle_event: "winnow" });
      assert.match(
        words.stdout,
        /\n {6}fix: +WINNOW_DATA_DIR=\S+ npm run -s winnow -- models add whisper-base\n/u
      );
      assert.match(words.stdout, /\n\d+ ok, \d+ warnings?, \d+ missing\n$/u);
      for (const args of [["programs", "list"], ["models", "list"], ["account", "list"], ["list"]]) {
        yield* winnow(args, env);
      }
      const backup = yield* winnow(["backup", join(folder, "x.backup")], env);
      assert.strictEqual(backup.code, 1);
      assert.include(backup.stderr, `There is no database in ${env.WINNOW_DATA_DIR}.`);
      assert.deepStrictEqual(readdirSync(folder), []);
    }).pipe(Effect.scoped)
  );
});
