// @module-tag long
/** Real yt-dlp and our own fetches, through real proxies, to a site that refuses some of them. */
import * as GuardedEgress from "@winnow/isolation/network/GuardedEgress";
import { inRun } from "@winnow/testing/samples/samples";
import { readFileSync, utimesSync, writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import { Downloader } from "@winnow/core/ports/Downloader";
import { RouteReports } from "../../../src/sources/ways/RouteReport.ts";
import { readProxyAddress } from "@winnow/isolation/network/guard/ProxyAddress";
import { plainRoute, type SourceRoute } from "../../../src/sources/ways/SourceRoute.ts";
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Layer from "effect/Layer";
import * as Logger from "effect/Logger";
import * as Result from "effect/Result";
import * as Scope from "effect/Scope";
import { afterAll } from "vitest";
import * as DownloaderLayer from "../../../src/sources/DownloaderLayer.ts";
import { openProxyOf, PROXY_KINDS } from "@winnow/isolation/test/network/LoopbackProxy";
import { serve } from "@winnow/isolation/test/network/LoopbackServer";
import { sharedPools, temporaryFolder } from "../harness.ts";
import { siteMedia } from "../site/MediaBroker.ts";

const workDir = temporaryFolder();

const HOST = "video.example.org";
const OTHER = "media.example.net";

const article = `<html><head><title>An article</title></head><body><article><h1>An article</h1>${"<p>It has paragraphs that say something of interest to those who read them, sentence by sentence.</p>".repeat(20)}</article></body></html>`;

/** What it leads to is read by yt-dlp. */
const watch = '<html><head><title>A clip</title></head><body><video src="/clip.m3u8"></video></body></html>';

const proxyOf = (url: string) => Result.getOrThrow(readProxyAddress(url));

const route = (name: string, order: number, change: Partial<SourceRoute> = {}): SourceRoute => ({
  ...plainRoute(),
  name,
  order,
  ...change
});

interface Ways {
  readonly current: () => ReadonlyArray<SourceRoute>;
  readonly upstreamProxy?: string;
}

/** Names resolve to an address that only the guard allows; proxies connect to this machine whatever they are asked. */
const downloaderWith = ({ current, upstreamProxy }: Ways) =>
  DownloaderLayer.layer({ workDir, routes: { current } }).pipe(
    Layer.provide([
      GuardedEgress.layer({
        allow: [HOST, `www.${HOST}`, OTHER],
        resolve: () => ["127.0.0.1"],
        ...(upstreamProxy === undefined ? {} : { upstreamProxy })
      }),
      sharedPools
    ]),
    Layer.provideMerge(Logger.layer([])),
    Layer.orDie,
    inRun
  );

let currentRoutes: ReadonlyArray<SourceRoute> = [];
const scope = Scope.makeUnsafe();
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)));
const downloader = await Effect.runPromise(
  Layer.buildWithScope(downloaderWith({ current: () => currentRoutes }), scope)
);

/** By one downloader, whose table changes, as an operator's does. It remembers routes by their names. */
const by =
  (...routes: ReadonlyArray<SourceRoute>) =>
  <A, E, R>(use: Effect.Effect<A, E, R>) =>
    Effect.suspend(() => {
      currentRoutes = routes;
      return Effect.provideContext(use, downloader);
    });

const inspect = (url: string) => Downloader.use((downloader) => downloader.inspect(url, {}));

const fetchSource = (url: string, wants: ReadonlyArray<"video">) =>
  Downloader.use((downloader) =>
    downloader.fetch({
      url,
      maxDurationSeconds: 3_600,
      wantsOf: () => wants
    })
  );

const cookieLine = (domain: string, name: string) =>
  [domain, "TRUE", "/", "FALSE", "0", name, "1"].join("\t");

/** A proxy that names itself to the site, as some do. */
const viaProxyNamed = Effect.fnUntraced(function* (name: string) {
  const inner = yield* openProxyOf("http without credentials");
  const asked: Array<string> = [];
  const { port } = yield* serve((request, response) => {
    asked.push(request.url ?? "");
    const target = new URL(request.url ?? "");
    void fetch(`http://127.0.0.1:${target.port}${target.pathname}`, { headers: { via: name } }).then(
      async (answer) => response.writeHead(answer.status).end(Buffer.from(await answer.arrayBuffer())),
      () => response.destroy()
    );
  });
  return { ...inner, url: `http://127.0.0.1:${port}`, asked };
});

/** A clock that is ahead of another one. */
const aheadBy =
  (aheadMs: number) =>
  (clock: Clock.Clock): Clock.Clock => {
    const now = () => clock.currentTimeMillisUnsafe() + aheadMs;
    return Object.assign(Object.create(clock) as Clock.Clock, {
      currentTimeMillisUnsafe: now,
      currentTimeMillis: Effect.sync(now)
    });
  };

describe("Sources by routes", () => {
  it.live.each(PROXY_KINDS)("are read through a proxy, by yt-dlp and by our own fetches: %s", (kind) =>
    Effect.gen(function* () {
      const agents = new Set<boolean>();
      const { port } = yield* serve((request, response) => {
        agents.add(/Winnow/u.test(request.headers["user-agent"] ?? ""));
        response.setHeader("content-type", "text/html");
        response.end(request.url === "/watch" ? watch : article);
      });
      const proxy = yield* openProxyOf(kind);
      yield* Effect.gen(function* () {
        const facts = yield* inspect(`http://${HOST}:${port}/article`);
        assert.strictEqual(facts.kind, "webpage");
        const [report] = yield* yield* RouteReports;
        if (report === undefined) return assert.fail("no route");
        assert.strictEqual(report.name, "office");
        assert.deepStrictEqual(report.resting, []);
        yield* Effect.exit(inspect(`http://${HOST}:${port}/watch`));
      }).pipe(by(route("office", 1, { proxy: proxyOf(proxy.url) })));
      assert.isAtLeast(proxy.asked.length, 2);
      assert.deepStrictEqual(agents, new Set([true, false]));
      const asked = kind === "socks5" ? `CONNECT 127.0.0.1:${port}` : `GET http://${HOST}:${port}/article`;
      assert.include(proxy.asked, asked);
    })
  );

  it.live(
    "of plain http go on by the next route when a proxy refuses its password, and the first rests",
    () =>
      Effect.gen(function* () {
        const { port } = yield* serve((_request, response) => {
          response.setHeader("content-type", "text/html");
          response.end(article);
        });
        const office = yield* openProxyOf("http");
        const homes = yield* openProxyOf("http");
        const refusedAs = (name: string) => route(name, 1, { proxy: proxyOf(office.wrongUrl) });
        yield* Effect.gen(function* () {
          const facts = yield* inspect(`http://${HOST}:${port}/article`);
          assert.strictEqual(facts.kind, "webpage");
          const [first] = yield* yield* RouteReports;
          assert.isNotEmpty(first?.resting ?? []);
        }).pipe(by(refusedAs("refused"), route("homes", 2, { proxy: proxyOf(homes.url) })));
        const failure = yield* Effect.flip(inspect(`http://${HOST}:${port}/alone`)).pipe(
          by(refusedAs("refused-alone"))
        );
        assert.strictEqual(failure._tag === "Failed" ? failure.reason : failure._tag, "unreachable");
      })
  );

  it.live("go on by the next route when the first answers 429, and it rests at that host", () =>
    Effect.gen(function* () {
      const { port } = yield* serve((request, response) => {
        if (request.headers["via"] === "office") return void response.writeHead(429).end("slow down");
        response.setHeader("content-type", "text/html");
        response.end(article);
      });
      const office = yield* viaProxyNamed("office");
      const homes = yield* openProxyOf("http");
      yield* Effect.gen(function* () {
        const facts = yield* inspect(`http://${HOST}:${port}/article`);
        assert.strictEqual(facts.kind, "webpage");
        const fetched = yield* Effect.scoped(fetchSource(`http://${HOST}:${port}/article`, []));
        assert.strictEqual(fetched.route, "homes");
        const before = office.asked.length;
        yield* inspect(`http://${HOST}:${port}/second`);
        assert.strictEqual(office.asked.length, before, "it rests");
        const [first] = yield* yield* RouteReports;
        assert.deepStrictEqual(
          first?.resting.map(({ host, reason }) => [host, reason]),
          [[`${HOST}:${port}`, "rate_limited"]]
        );
      }).pipe(
        by(
          route("homes", 2, { proxy: proxyOf(homes.url) }),
          route("office", 1, { proxy: proxyOf(office.url) })
        )
      );
    })
  );

  it.live("are inspected and downloaded again by the next route when only the media are refused", () =>
    Effect.gen(function* () {
      const media = yield* Effect.acquireRelease(Effect.promise(siteMedia), ({ stop }) =>
        Effect.promise(stop)
      );
      const clip = readFileSync(join(media.folder, "talk.mp4"));
      let refusing = false;
      const { port } = yield* serve((request, response) => {
        if (request.url !== "/clip.mp4") {
          response.setHeader("content-type", "text/html");
          return void response.end(
            '<html><head><title>A clip</title></head><body><video src="/clip.mp4"></video></body></html>'
          );
        }
        if (refusing && request.headers["via"] === "office") return void response.writeHead(403).end();
        response.writeHead(200, { "content-type": "video/mp4", "content-length": clip.length }).end(clip);
      });
      const office = yield* viaProxyNamed("office");
      const homes = yield* openProxyOf("http");
      yield* Effect.gen(function* () {
        const url = `http://${HOST}:${port}/watch`;
        assert.strictEqual((yield* inspect(url)).kind, "video");
        assert.isFalse(
          homes.asked.some((line) => line.startsWith("GET")),
          "the first route sees all of it"
        );
        refusing = true;
        const fetched = yield* fetchSource(url, ["video"]);
        assert.strictEqual(fetched.route, "homes");
        assert.include(
          fetched.files.map(({ name }) => name),
          "video.mp4"
        );
        assert.include(homes.asked, `GET http://${HOST}:${port}/watch`, "inspected again");
        const [first] = yield* yield* RouteReports;
        assert.deepStrictEqual(
          first?.resting.map(({ reason }) => reason),
          ["bot_blocked"]
        );
      }).pipe(
        by(
          route("studio", 1, { proxy: proxyOf(office.url) }),
          route("homes", 2, { proxy: proxyOf(homes.url) })
        )
      );
    })
  );

  it.live.each([403, 410])(
    "whose media addresses have expired (%d) are inspected again by the same route, which does not rest",
    (status) =>
      Effect.gen(function* () {
        const media = yield* Effect.acquireRelease(Effect.promise(siteMedia), ({ stop }) =>
          Effect.promise(stop)
        );
        const clip = readFileSync(join(media.folder, "talk.mp4"));
        let valid = "/first.mp4";
        const { port } = yield* serve((request, response) => {
          if (request.url === "/watch") {
            response.setHeader("content-type", "text/html");
            return void response.end(
              `<html><head><title>A clip</title></head><body><video src="${valid}"></video></body></html>`
            );
          }
          if (request.url !== valid) return void response.writeHead(status).end();
          response.writeHead(200, { "content-type": "video/mp4", "content-length": clip.length }).end(clip);
        });
        yield* Effect.gen(function* () {
          const url = `http://${HOST}:${port}/watch`;
          yield* inspect(url);
          valid = "/second.mp4";
          const fetched = yield* fetchSource(url, ["video"]).pipe(
            Effect.updateService(Clock.Clock, aheadBy(60_000))
          );
          assert.strictEqual(fetched.route, "expiring");
          assert.include(
            fetched.files.map(({ name }) => name),
            "video.mp4"
          );
          const reports = yield* yield* RouteReports;
          assert.isEmpty(reports.flatMap(({ resting }) => resting));
        }).pipe(by(route("expiring", 1), route("spare", 2)));
      })
  );

  it.live("go on by the next route at once when a proxy is not there or rejects the password", () =>
    Effect.gen(function* () {
      const { port } = yield* serve((_request, response) => response.end(article));
      const socks = yield* openProxyOf("socks5");
      const homes = yield* openProxyOf("http");
      const urls = ["socks5://user:x@127.0.0.1:1", socks.wrongUrl, "http://127.0.0.1:1"];
      for (const [index, url] of urls.entries()) {
        yield* Effect.gen(function* () {
          const facts = yield* inspect(`http://${HOST}:${port}/${encodeURIComponent(url)}`);
          assert.strictEqual(facts.kind, "webpage");
          const [broken] = yield* yield* RouteReports;
          assert.deepStrictEqual(
            broken?.resting.map(({ host, reason }) => [host, reason]),
            [[null, "unreachable"]],
            "at no host it would work"
          );
        }).pipe(
          by(
            route("homes", 2, { proxy: proxyOf(homes.url) }),
            route(`broken-${index}`, 1, { proxy: proxyOf(url) })
          )
        );
      }
    })
  );

  it.live("without a route of their own go through the proxy of the settings, as before", () =>
    Effect.gen(function* () {
      const { port } = yield* serve((_request, response) => response.end(watch));
      const upstream = yield* openProxyOf("http");
      const routes = [route("tube", 1, { hosts: ["youtube.com"] })];
      yield* Effect.exit(inspect(`http://${HOST}:${port}/watch`)).pipe(
        Effect.provide(downloaderWith({ current: () => routes, upstreamProxy: upstream.url }))
      );
      assert.isAtLeast(upstream.asked.length, 2);
    })
  );
});

describe("A cookie jar", () => {
  it.live("goes to its hosts, not with redirects or media to others, nor to our own page reader", () =>
    Effect.gen(function* () {
      const heard: Array<readonly [host: string, path: string, cookies: string, agent: string]> = [];
      const note = ({ headers, url }: IncomingMessage) =>
        heard.push([
          headers.host?.split(":")[0] ?? "",
          url ?? "",
          headers.cookie ?? "",
          headers["user-agent"] ?? ""
        ]);
      const { port } = yield* serve((request, response) => {
        note(request);
        if (request.url === "/moved") {
          return void response.writeHead(302, { location: `http://${OTHER}:${port}/landing` }).end();
        }
        response.setHeader("content-type", "text/html");
        const media = `http://${OTHER}:${port}/clip.m3u8`;
        response.end(
          request.url === "/watch"
            ? `<html><head><title>A clip</title></head><body><video src="${media}"></video></body></html>`
            : article
        );
      });
      const path = join(workDir, "jar.txt");
      const lines = [
        cookieLine(`.${HOST}`, "own"),
        cookieLine(`.${OTHER}`, "foreign"),
        cookieLine(".org", "all")
      ];
      writeFileSync(path, ["# Netscape HTTP Cookie File", ...lines, ""].join("\n"));
      utimesSync(path, 1_000, 1_000);
      const subscriber = route("subscriber", 1, { cookies: path, hosts: [HOST] });
      yield* Effect.gen(function* () {
        yield* inspect(`http://www.${HOST}:${port}/article`);
        yield* Effect.exit(inspect(`http://www.${HOST}:${port}/moved`));
        yield* Effect.exit(inspect(`http://www.${HOST}:${port}/watch`));
        yield* Effect.exit(inspect(`http://${OTHER}:${port}/article`));
        const [report] = yield* yield* RouteReports;
        assert.deepInclude(report?.jar, {
          cookies: 1,
          writtenAtMs: 1_000_000,
          expiresAtMs: null,
          problem: null
        });
        assert.isAbove(report?.jar?.lastSuccessAtMs ?? 0, 0);
      }).pipe(by(subscriber));
      const cookiesOf = (host: string) =>
        new Set(heard.filter(([at]) => at === host).map(([, , cookies]) => cookies));
      assert.deepStrictEqual(cookiesOf(OTHER), new Set([""]), "never elsewhere");
      assert.isTrue(
        heard.some(([at, where]) => at === OTHER && where === "/landing"),
        "redirects are followed"
      );
      assert.isTrue(
        heard.some(([at, where]) => at === OTHER && where === "/clip.m3u8"),
        "media are read"
      );
      // yt-dlp sends it, and our page reader does not: an account could read the operator's own pages.
      assert.deepStrictEqual(cookiesOf(`www.${HOST}`), new Set(["own=1", ""]));
    })
  );
});
