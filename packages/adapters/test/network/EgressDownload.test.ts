import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import { Egress, type DownloadOptions } from "../../src/network/index.ts";
import { redirectTo, routes, serve } from "./LoopbackServer.ts";
import { quietEgress } from "./QuietEgress.ts";

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "winnow-egress-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true }))
);

const MEDIA = Buffer.alloc(3_000_000, "media");

const site = routes({
  "/media": (_request, response) => {
    response.setHeader("content-length", MEDIA.length);
    response.end(MEDIA);
  },
  "/moved": redirectTo("/media"),
  "/drip": (_request, response) => {
    const timer = setInterval(() => response.write(Buffer.alloc(1000)), 20);
    response.once("close", () => clearInterval(timer));
  }
});

const download = (path: string, target: string, options: Partial<DownloadOptions> = {}) =>
  Effect.gen(function* () {
    const server = yield* serve(site);
    return yield* Effect.gen(function* () {
      const egress = yield* Egress;
      return yield* egress.download(server.url + path, target, {
        maxBytes: MEDIA.length,
        timeoutMs: 30_000,
        ...options
      });
    }).pipe(Effect.provide(quietEgress({ allow: [server.authority] })));
  });

describe("a download", () => {
  it.live("writes a file, and reports its progress", () =>
    Effect.gen(function* () {
      const target = join(yield* folder, "media");
      const sizes: Array<number> = [];
      const { status, sizeBytes, url } = yield* download("/moved", target, {
        onBytes: (size) => sizes.push(size)
      });
      assert.deepStrictEqual([status, sizeBytes], [200, MEDIA.length]);
      assert.match(url, /\/media$/u);
      assert.isTrue(readFileSync(target).equals(MEDIA));
      assert.deepStrictEqual(
        sizes,
        sizes.toSorted((left, right) => left - right)
      );
      assert.strictEqual(sizes.at(-1), MEDIA.length);
    })
  );

  it.live("that grows too large or takes too long leaves no file", () =>
    Effect.gen(function* () {
      const target = join(yield* folder, "media");
      const large = yield* Effect.flip(download("/media", target, { maxBytes: MEDIA.length - 1 }));
      assert.deepStrictEqual([large.reason, existsSync(target)], ["too_large", false]);
      const dripping = yield* Effect.flip(download("/drip", target, { maxBytes: 3000 }));
      assert.deepStrictEqual([dripping.reason, existsSync(target)], ["too_large", false]);
      const slow = yield* Effect.flip(download("/drip", target, { timeoutMs: 200 }));
      assert.deepStrictEqual([slow.reason, existsSync(target)], ["timeout", false]);
    })
  );

  it.live("into a folder that is not there is our own fault, not the site's", () =>
    Effect.gen(function* () {
      const target = join(yield* folder, "missing", "media");
      const exit = yield* Effect.exit(download("/media", target));
      assert.isTrue(Exit.hasDies(exit));
    })
  );

  it.live("replaces an existing file", () =>
    Effect.gen(function* () {
      const target = join(yield* folder, "media");
      yield* download("/media", target);
      yield* download("/media", target);
      assert.strictEqual(statSync(target).size, MEDIA.length);
    })
  );
});
