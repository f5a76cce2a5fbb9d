/**
 * One account's inspections of a fast page while others inspect 16 slow pages each, compared with none: the first one
 * after each of several bursts, of one account and of five, and many in a row. Budget: p95 1.5x.
 *
 *     node packages/adapters/bench/inspect-shares.ts [looks] [bursts]
 */
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { Downloader } from "@winnow/core/ports/Downloader";
import { CurrentRun, runFor } from "@winnow/core/ports/CurrentRun";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import type * as Scope from "effect/Scope";
import { DEFAULT_LIMITS } from "../src/sources/DownloadLimits.ts";
import { benchFolder, downloaderOf } from "./downloads.ts";
import { timed } from "./timing.ts";

const [LOOKS = 40, BURSTS = 20] = process.argv.slice(2).map(Number);
const SLOW_PAGES = 16;
const ACCOUNTS = 5;
const DRIP_EVERY_MS = 500;
const POLL_EVERY_MS = 20;

const PAGE = `<!doctype html><title>A page</title><article><p>${"Some words of a healthy page. ".repeat(40)}</p></article>`;

interface Site {
  readonly url: string;
  /** URLs of the slow pages requested since the last burst began. */
  readonly slow: Set<string>;
}

const openSite: Effect.Effect<Site, never, Scope.Scope> = Effect.gen(function* () {
  const slow = new Set<string>();
  const server = yield* Effect.acquireRelease(
    Effect.promise(async () => {
      const opened = createServer((request, response) => {
        response.setHeader("content-type", "text/html; charset=utf-8");
        if (request.url?.startsWith("/slow") !== true) return void response.end(PAGE);
        slow.add(request.url);
        const dripping = setInterval(() => response.write(" "), DRIP_EVERY_MS);
        response.once("close", () => clearInterval(dripping));
      }).listen(0, "127.0.0.1");
      await once(opened, "listening");
      return opened;
    }),
    (opened) => Effect.sync(() => opened.closeAllConnections())
  );
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, slow };
});

const p95 = (values: ReadonlyArray<number>): number =>
  values.toSorted((left, right) => left - right)[Math.floor(values.length * 0.95)] ?? Number.NaN;

/** The effect while that many accounts inspect slow pages, as many at once as they may. */
const duringBurst = <A, E>(
  { slow, url }: Site,
  accounts: number,
  round: number,
  effect: Effect.Effect<A, E, Downloader>
): Effect.Effect<A, E, Downloader> =>
  Effect.gen(function* () {
    const downloader = yield* Downloader;
    slow.clear();
    const pages = Array.from({ length: accounts * SLOW_PAGES }, (_, n) =>
      downloader
        .inspect(`${url}/slow?${round}-${n}`, {})
        .pipe(Effect.provideService(CurrentRun, runFor(`burst${n % accounts}`)))
    );
    const burst = yield* Effect.forkChild(Effect.forEach(pages, Effect.exit, { concurrency: "unbounded" }));
    while (slow.size < accounts * Math.min(SLOW_PAGES, DEFAULT_LIMITS.inspectionsOfAccountMax))
      yield* Effect.sleep(POLL_EVERY_MS);
    const result = yield* effect;
    yield* Fiber.interrupt(burst);
    return result;
  });

const program = Effect.gen(function* () {
  const site = yield* openSite;
  const folder = yield* benchFolder;
  yield* Effect.gen(function* () {
    const downloader = yield* Downloader;
    const look = (name: string) =>
      timed(
        downloader
          .inspect(`${site.url}/page?${name}`, {})
          .pipe(Effect.provideService(CurrentRun, runFor("victim")))
      );
    const looks = (name: string) =>
      Effect.forEach(Array.from({ length: LOOKS }), (_, n) => look(`${name}${n}`));
    const firstLooks = (accounts: number) =>
      Effect.forEach(Array.from({ length: BURSTS }), (_, round) =>
        duringBurst(site, accounts, round, look(`first${accounts}-${round}`))
      );
    yield* look("warm");
    const before = yield* looks("before");
    const measured = {
      "looks beside 16 slow ones of another account": yield* duringBurst(site, 1, BURSTS, looks("beside")),
      "the first look after such a burst": yield* firstLooks(1),
      [`the same of ${ACCOUNTS} accounts`]: yield* firstLooks(ACCOUNTS)
    };
    const alone = p95([...before, ...(yield* looks("after"))]);
    for (const [what, times] of Object.entries(measured)) {
      const ms = p95(times);
      console.log(
        `${what}, p95: ${ms.toFixed(0)} ms, ${(ms / alone).toFixed(2)} times ${alone.toFixed(0)} ms alone (budget 1.50)`
      );
    }
  }).pipe(Effect.provide(downloaderOf(site.url, folder)));
});

await Effect.runPromise(Effect.scoped(program));
process.exit(0);
