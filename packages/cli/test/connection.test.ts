/** Which server gets a secret that a command found by itself. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import * as Redacted from "effect/Redacted";
import { vi } from "vitest";
import { accountConnection, operatorConnection } from "../src/connection/Connection.ts";
import { writeServerUrl } from "@winnow/server/DataDir";
import { temporaryFolder } from "@winnow/server/test/TemporaryFolder";

const TOKEN = "wna_of-this-folder";
const RUNNING = "http://127.0.0.1:4321";
const OTHER = "http://203.0.113.9:8787";

/** A data folder with an admin token, and no other settings. */
const dataFolder = Effect.map(temporaryFolder("connection"), (folder) => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "admin-token"), TOKEN);
  for (const name of ["WINNOW_URL", "WINNOW_API_KEY", "WINNOW_ADMIN_TOKEN", "WINNOW_PORT"])
    vi.stubEnv(name, "");
  vi.stubEnv("WINNOW_DATA_DIR", folder);
  vi.stubEnv("XDG_CONFIG_HOME", folder);
  return folder;
});

const at = (url: string | null) => ({ url: Option.fromNullishOr(url) });

const sentTo = (url: string | null) =>
  Effect.map(operatorConnection(at(url)), ({ url: server, secret }) => {
    assert.strictEqual(Redacted.value(secret.value), TOKEN);
    return server.value;
  });

describe("the admin token of a data folder", () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it.effect("goes to the server that runs with the folder, or to the address that it would have", () =>
    Effect.gen(function* () {
      const folder = yield* dataFolder;
      assert.strictEqual(yield* sentTo(null), "http://127.0.0.1:8787");
      assert.strictEqual(yield* sentTo("http://127.0.0.1:8787/"), "http://127.0.0.1:8787");
      writeServerUrl(folder, RUNNING);
      assert.strictEqual(yield* sentTo(null), RUNNING);
      assert.strictEqual(yield* sentTo(RUNNING), RUNNING);
    }).pipe(Effect.scoped)
  );

  it.effect("goes to no other server that a flag or a variable names, not for an account either", () =>
    Effect.gen(function* () {
      const folder = yield* dataFolder;
      const ofAccount = accountConnection({ ...at(null), id: Option.some("acc_one") });
      const sentence = (url: string, from: string) =>
        `${folder} has the admin token of http://127.0.0.1:8787, which is not sent to ${url} (from ${from}): ` +
        "pass --admin-token, or set WINNOW_ADMIN_TOKEN.";
      for (const url of [
        OTHER,
        "http://127.0.0.1:1",
        "https://127.0.0.1:8787",
        "http://127.0.0.1:8787@x.example"
      ]) {
        const { message } = yield* Effect.flip(operatorConnection(at(url)));
        assert.strictEqual(message, sentence(url, "--url"));
      }
      vi.stubEnv("WINNOW_URL", OTHER);
      assert.strictEqual(
        (yield* Effect.flip(operatorConnection(at(null)))).message,
        sentence(OTHER, "WINNOW_URL")
      );
      assert.strictEqual((yield* Effect.flip(ofAccount)).message, sentence(OTHER, "WINNOW_URL"));
      // One that is given goes where the command says.
      vi.stubEnv("WINNOW_ADMIN_TOKEN", "wna_given");
      const { secret, url } = yield* operatorConnection(at(null));
      assert.deepStrictEqual([Redacted.value(secret.value), url.value], ["wna_given", OTHER]);
    }).pipe(Effect.scoped)
  );
});
