/** The folder of the proxy's socket: a killed process leaves it behind, and the next process to start removes it. */
import { existsSync, mkdirSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { Egress } from "../../src/network/index.ts";
import { quietEgress } from "./QuietEgress.ts";

/** The folder of a proxy socket that stays open until the scope closes. */
const openSocket = Effect.flatMap(Egress, ({ proxySocket }) => proxySocket).pipe(
  Effect.map(({ socketPath }) => dirname(socketPath))
);

describe("the Unix socket of the proxy", () => {
  it.live("removes leftovers of killed processes, and what is its own at its end", () =>
    Effect.gen(function* () {
      const left = join(tmpdir(), `winnow-egress-left${process.pid}`);
      mkdirSync(left);
      const own = yield* Effect.scoped(
        Effect.gen(function* () {
          const folder = yield* openSocket;
          assert.strictEqual(statSync(folder).mode & 0o777, 0o700);
          // The path of a Unix socket has at most 107 characters.
          assert.isAtMost(folder.length - tmpdir().length, 80);
          yield* Effect.provide(openSocket, quietEgress());
          assert.deepStrictEqual([existsSync(folder), existsSync(left)], [true, false]);
          return folder;
        })
      ).pipe(Effect.provide(quietEgress()));
      assert.isFalse(existsSync(own));
    })
  );
});
