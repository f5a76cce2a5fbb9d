// @module-tag long
import * as GuardedEgress from "@winnow/isolation/network/GuardedEgress";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { assert, describe, it } from "@effect/vitest";
import { Downloader } from "@winnow/core/ports/Downloader";
import { CurrentRun, runFor } from "@winnow/core/ports/CurrentRun";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { DEFAULT_LIMITS } from "../../src/sources/DownloadLimits.ts";
import * as MediaDownloader from "../../src/sources/MediaDownloader.ts";
import { sharedPools, temporaryFolder, until } from "./harness.ts";

const PAGE = `<!doctype html><title>A page</title><article><p>${"Some words of a healthy page. ".repeat(40)}</p></article>`;

/** Longer than starting all inspections takes on a busy machine. */
const PATIENT = { smallFetchTimeoutMs: 60_000, inspectTimeoutMs: 60_000 };

const DRIP_EVERY_MS = 1_000;

/** Pages below `/slow` drip and never end. */
const openSite = Effect.acquireRelease(
  Effect.promise(async () => {
    const slow = new Map<string, number>();
    const server = createServer((request, response) => {
      response.setHeader("content-type", "text/html; charset=utf-8");
      const { url = "" } = request;
      if (!url.startsWith("/slow")) return void response.end(PAGE);
      slow.set(url, (slow.get(url) ?? 0) + 1);
      const dripping = setInterval(() => response.write(" "), DRIP_EVERY_MS);
      response.once("close", () => clearInterval(dripping));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const authority = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    return { server, authority, slow };
  }),
  ({ server }) => Effect.sync(() => (server.closeAllConnections(), server.close()))
);

const folder = temporaryFolder();

describe("An account's inspection", () => {
  it.live("waits for none of the endless pages of five other accounts on the same site", () =>
    Effect.gen(function* () {
      const site = yield* openSite;
      const { inspectionsOfAccountMax } = DEFAULT_LIMITS;
      yield* Effect.gen(function* () {
        const downloader = yield* Downloader;
        let ended = 0;
        for (let account = 0; account < 5; account++) {
          for (let page = 0; page < 16; page++) {
            const url = `http://${site.authority}/slow?${account}-${page}`;
            yield* downloader
              .inspect(url, {})
              .pipe(
                Effect.provideService(CurrentRun, runFor(`burst${account}`)),
                Effect.exit,
                Effect.andThen(Effect.sync(() => (ended += 1))),
                Effect.forkScoped
              );
          }
          yield* until(() => site.slow.size === (account + 1) * inspectionsOfAccountMax);
        }
        const facts = yield* downloader
          .inspect(`http://${site.authority}/page`, {})
          .pipe(Effect.provideService(CurrentRun, runFor("victim")));
        assert.strictEqual(facts.title, "A page");
        assert.strictEqual(ended, 0);
      }).pipe(
        Effect.provide(
          MediaDownloader.layer({ workDir: folder, limits: PATIENT }).pipe(
            Layer.provide([GuardedEgress.layer({ allow: [site.authority] }), sharedPools])
          )
        )
      );
    })
  );
});
