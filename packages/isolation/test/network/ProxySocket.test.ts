/** The folder of the proxy's socket: a killed process leaves it behind, and the next process to start removes it. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { Egress } from "../../src/network/index.ts";
import { quietEgress } from "./QuietEgress.ts";

/** The folder of a proxy socket that stays open until the scope closes. */
const openSocket = Effect.flatMap(Egress, ({ proxySocket }) => proxySocket).pipe(
  Effect.map(({ socketPath }) => dirname(socketPath))
);

describe("the Unix socket of the proxy", () => {
  it.live("removes leftovers of killed processes, and nothing else", () =>
    Effect.gen(function* () {
      const own = yield* Effect.provide(
        Effect.gen(function* () {
          const folder = yield* openSocket;
          assert.strictEqual(statSync(folder).mode & 0o777, 0o700);
          // The path of a Unix socket has at most 107 characters.
          assert.isAtMost(folder.length - tmpdir().length, 80);
          const name = basename(folder);
          const other = mkdtempSync(join(tmpdir(), "winnow-egress-"));
          const made = {
            dead: name.replace(/_\d+_\d+_/u, "_4194303_1_"),
            // Its process id has been reused: it is now that of this process.
            reused: name.replace(/_(\d+)_\d+_/u, "_$1_1_"),
            // Of a server on another machine or in another container, which may be running.
            foreign: name.replace(/_[0-9a-f]{12}_/u, "_another-host_")
          };
          for (const each of Object.values(made)) mkdirSync(join(tmpdir(), each));
          yield* Effect.addFinalizer(() =>
            Effect.sync(() => {
              for (const each of [other, ...Object.values(made).map((left) => join(tmpdir(), left))])
                rmSync(each, { recursive: true, force: true });
            })
          );
          yield* Effect.provide(openSocket, quietEgress());
          assert.deepStrictEqual(
            [folder, other, ...Object.values(made).map((each) => join(tmpdir(), each))].map((each) =>
              existsSync(each)
            ),
            [true, true, false, false, true]
          );
          return folder;
        }).pipe(Effect.scoped),
        quietEgress()
      );
      assert.isFalse(existsSync(own));
    })
  );
});
