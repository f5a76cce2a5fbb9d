import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { readServerUrl, removeServerUrl, writeServerUrl } from "../src/DataDir.ts";
import { temporaryFolder } from "./TemporaryFolder.ts";

describe("the address of the running server", () => {
  it.effect("is removed by its own process, but not by one that was replaced", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder("data-dir");
      assert.isNull(readServerUrl(folder));
      removeServerUrl(folder);
      writeServerUrl(folder, "http://127.0.0.1:1");
      removeServerUrl(folder);
      assert.isNull(readServerUrl(folder));
      writeServerUrl(folder, "http://127.0.0.1:2");
      assert.strictEqual(readServerUrl(folder, process.pid), "http://127.0.0.1:2");
      assert.isNull(readServerUrl(folder, process.pid + 1));
      const file = join(folder, "server.json");
      const other = { ...JSON.parse(readFileSync(file, "utf8")), pid: process.pid + 1 };
      writeFileSync(file, JSON.stringify(other));
      removeServerUrl(folder);
      assert.strictEqual(readServerUrl(folder), "http://127.0.0.1:2");
      writeFileSync(file, "{");
      removeServerUrl(folder);
      assert.isNull(readServerUrl(folder));
    }).pipe(Effect.scoped)
  );
});
