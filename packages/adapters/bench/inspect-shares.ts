/**
 * One account's inspections of a fast page while another account inspects 16 slow pages, compared with none. Budget:
 * p95 1.5x.
 *
 *     node packages/adapters/bench/inspect-shares.ts [looks]
 */
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { Downloader } from "@winnow/core/ports/Downloader";
import * as Effect from "effect/Effect";
import { benchFolder, downloaderOf } from "./downloads.ts";
import { timed } from "./timing.ts";

const LOOKS = Number(process.argv[2] ?? 40);
const SLOW_PAGES = 16;
const DRIP_EVERY_MS = 500;

const PAGE = `<!doctype html><title>A page</title><article><p>${"Some words of a healthy page. ".repeat(40)}</p></article>`;

const openSite = Effect.map(
  Effect.acquireRelease(
    Effect.promise(async () => {
      const server = createServer((request, response) => {
        response.setHeader("content-type", "text/html; charset=utf-8");
        if (request.url?.startsWith("/slow") !== true) return void response.end(PAGE);
        const dripping = setInterval(() => response.write(" "), DRIP_EVERY_MS);
        response.once("close", () => clearInterval(dripping));
      }).listen(0, "127.0.0.1");
      await once(server, "listening");
      return server;
    }),
    (server) => Effect.sync(() => server.closeAllConnections())
  ),
  (server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
);

const p95 = (values: ReadonlyArray<number>): number =>
  values.toSorted((left, right) => left - right)[Math.floor(values.length * 0.95)] ?? Number.NaN;

const program = Effect.gen(function* () {
  const site = yield* openSite;
  const folder = yield* benchFolder;
  yield* Effect.gen(function* () {
    const downloader = yield* Downloader;
    const looks = (round: string) =>
      Effect.forEach(Array.from({ length: LOOKS }), (_, n) =>
        timed(downloader.inspect(`${site}/page?${round}${n}`, { accountId: "victim" }))
      );
    yield* downloader.inspect(`${site}/page?warm`, { accountId: "victim" });
    const alone = p95(yield* looks("alone"));
    for (let n = 0; n < SLOW_PAGES; n++) {
      yield* Effect.forkScoped(Effect.exit(downloader.inspect(`${site}/slow?${n}`, { accountId: "burst" })));
    }
    const beside = p95(yield* looks("beside"));
    console.log(
      `a look, p95: alone ${alone.toFixed(0)} ms, beside ${SLOW_PAGES} slow ones of another account ${beside.toFixed(0)} ms: ratio ${(beside / alone).toFixed(2)} (budget 1.50)`
    );
  }).pipe(Effect.provide(downloaderOf(site, folder)));
});

await Effect.runPromise(Effect.scoped(program));
process.exit(0);
