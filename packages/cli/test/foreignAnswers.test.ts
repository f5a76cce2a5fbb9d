/** Commands at a server that answers 200 with something that is not from Winnow: one sentence, and no stack. */
import { readdirSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { temporaryFolder } from "@winnow/server/test/TemporaryFolder";
import { winnow } from "@winnow/server/test/WinnowProgram";
import { serverLines } from "./commandLines.ts";

const serverOf = (body: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const server = createServer((_, response) =>
        response.writeHead(200, { "content-type": "application/json" }).end(body)
      );
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
    }),
    ({ server }) => Effect.sync(() => (server.closeAllConnections(), server.close()))
  );

const FOREIGN = [
  "{}",
  "[]",
  "null",
  "5",
  "true",
  '"text"',
  '{"data":{}}',
  '{"data":[{}]}',
  '{"data":[null]}',
  '{"status":"complete"}',
  '{"id":{},"status":{},"name":{},"items":[],"counts":{}}\n'
];

describe("an answer that is not from Winnow", () => {
  it.live(
    "ends every command with words without a stack or a value that is undefined, and logs nobody in",
    () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder("foreign");
        const lines = yield* serverLines;
        const told: Array<string> = [];
        for (const body of FOREIGN) {
          const { url } = yield* serverOf(body);
          for (const { line, credential } of lines) {
            const words = [...line.split(" "), "--url", url, credential, "wnw_0123456789"];
            const { stdout, stderr } = yield* winnow(words, { XDG_CONFIG_HOME: folder });
            assert.notMatch(stderr, /^\s+at |Internal error/mu, `${line}: ${body}`);
            assert.notMatch(stdout + stderr, /\bundefined\b|\bNaN\b|\[object/u, `${line}: ${body}`);
            assert.notMatch(
              stdout,
              /^(?:Deleted|Removed|Revoked)|signed out everywhere/mu,
              `${line}: ${body}`
            );
            if (stderr.includes("is not from Winnow")) told.push(line);
          }
        }
        assert.deepStrictEqual(readdirSync(folder), []);
        assert.includeMembers(told, ["account show", "account list", "list", "show ext_1", "schema list"]);
      }).pipe(Effect.scoped)
  );
});
