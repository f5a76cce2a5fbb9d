import { existsSync, readFileSync, writeFileSync } from "node:fs";
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
    }).pipe(Effect.scoped)
  );

  it.effect("is unknown if the file is not what a server writes", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder("data-dir");
      const url = "http://127.0.0.1:1";
      for (const text of [
        "",
        "{",
        "null",
        "[]",
        "7",
        JSON.stringify({ url }),
        JSON.stringify({ pid: process.pid }),
        JSON.stringify({ url: 7, pid: process.pid }),
        JSON.stringify({ url: "not a URL", pid: process.pid }),
        JSON.stringify({ url, pid: String(process.pid) })
      ]) {
        writeFileSync(join(folder, "server.json"), text);
        assert.isNull(readServerUrl(folder), text);
        removeServerUrl(folder);
        assert.isTrue(existsSync(join(folder, "server.json")), text);
      }
    }).pipe(Effect.scoped)
  );
});
