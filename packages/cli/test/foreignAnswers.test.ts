/** Commands at a server that answers 200 with something that is not from Winnow: one sentence, and no stack. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { winnow } from "@winnow/server/test/WinnowProgram";

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

const COMMANDS = [
  "account show",
  "account show acc_1",
  "account list",
  "account create x",
  "account change acc_1 --name x",
  "account sign-in acc_1",
  "key list",
  "key list acc_1",
  "key create acc_1",
  "credits top-up acc_1 5",
  "list",
  "show ext_1",
  "download ext_1",
  "cancel ext_1",
  "submit https://example.com/",
  "schema list",
  "webhook list",
  "webhook add https://hooks.example.org/",
  "webhook deliveries",
  "webhook test whe_1",
  "batch bat_1"
];

describe("an answer that is not from Winnow", () => {
  it.live("ends every command with words, never with a stack or an internal error", () =>
    Effect.gen(function* () {
      const told: Array<string> = [];
      for (const body of ["{}", "[]", "null", "5", '{"data":{}}', '{"data":[{}]}', '{"data":[null]}']) {
        const { url } = yield* serverOf(body);
        for (const command of COMMANDS) {
          const own = /acc_1|^account (?:list|create)/u.test(command) ? "--admin-token" : "--api-key";
          const { stderr } = yield* winnow([...command.split(" "), "--url", url, own, "wnw_0123456789"]);
          assert.notMatch(stderr, /^\s+at |Internal error/mu, `${command}: ${body}`);
          if (stderr.includes("is not from Winnow")) told.push(command);
        }
      }
      assert.includeMembers(told, ["account show", "account list", "list", "show ext_1", "schema list"]);
    }).pipe(Effect.scoped)
  );
});
