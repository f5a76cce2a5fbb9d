// @module-tag long
import { inRun } from "@winnow/testing/samples/samples";
import { join } from "node:path";
import { assert, describe, layer } from "@effect/vitest";
import { Downloader } from "@winnow/core/ports/Downloader";
import { readProxyAddress } from "@winnow/isolation/network/guard/ProxyAddress";
import { plainRoute, type SourceRoute } from "../../src/sources/ways/SourceRoute.ts";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Layer from "effect/Layer";
import * as Result from "effect/Result";
import * as Scope from "effect/Scope";
import { afterAll } from "vitest";
import * as ChromiumRenderer from "../../src/sources/browser/ChromiumRenderer.ts";
import * as DownloaderLayer from "../../src/sources/DownloaderLayer.ts";
import { CHROMIUM, SKIPPED } from "./browser/Browsing.ts";
import { routes, serve } from "@winnow/isolation/test/network/LoopbackServer";
import { openProxyOf } from "@winnow/isolation/test/network/LoopbackProxy";
import { quietEgress } from "@winnow/isolation/test/network/QuietEgress";
import { contentOf, NO_MEDIA, sharedPools, temporaryFolder } from "./harness.ts";

/** Time limit for both inspections: longer than they take on a busy machine. */
const limits = { inspectTimeoutMs: 100_000 };

const folder = temporaryFolder();

const SENTENCE = "Scripts wrote this sentence, which no server ever sent to anybody who asked. ";

const html =
  (page: string): Parameters<typeof serve>[0] =>
  (_request, response) =>
    response.setHeader("content-type", "text/html; charset=utf-8").end(page);

const SITE = routes({
  "/app": html(`<!doctype html><html lang=en><title>Loading…</title><div id=root></div><script>
    fetch("/api").then((answer) => answer.json()).then(({ text, title }) => {
      document.title = title;
      root.innerHTML = "<main><article><h1>" + title + "</h1><p>" + text.repeat(6) + "</p><p>" + text.repeat(5) + "</p></article></main>";
    })</script></html>`),
  "/api": (_request, response) => response.end(JSON.stringify({ title: "Written late", text: SENTENCE })),
  "/some": html(`<!doctype html><title>Some</title>
    <div id=root><p>Only this much of the page is there before its scripts have run.</p></div><script>setTimeout(() => 1)</script>`),
  "/players": html(`<!doctype html><title>Loading…</title><div id=root></div><script>
    const players = ['<video src="/a.mp4"></video>', '<audio src="/b.mp3"></audio>'];
    root.innerHTML = "<article><h1>No player</h1><p>${SENTENCE.repeat(8)}</p></article>"</script>`),
  "/wall": html(`<!doctype html><title>Members</title><div id=root></div><script>
    root.innerHTML = "<form action=/in method=post><h1>Sign in</h1><input name=user><input type=password name=password><button>Sign in</button></form>"</script>`),
  "/full": html(
    `<!doctype html><title>Full</title><div id=root><article><p>${SENTENCE.repeat(12)}</p></article></div><script>location.pathname</script>`
  )
});

const scope = Scope.makeUnsafe();
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)));
const site = await Effect.runPromise(Scope.provide(serve(SITE), scope));

let currentRoute: SourceRoute = plainRoute();

/** The real downloader with this browser, or without a browser. */
const downloaderWith = (name: string, program: string | null) => {
  const workDir = join(folder, name);
  const egress = quietEgress({ allow: [site.authority] });
  const renderer =
    program === null ? Layer.empty : ChromiumRenderer.layer({ program, workDir }).pipe(Layer.provide(egress));
  return DownloaderLayer.layer({
    workDir,
    limits,
    // Only in the browser is a page that mentions players.
    ...(name === "browser" ? {} : { programs: { ytDlp: NO_MEDIA } }),
    routes: { current: () => [currentRoute] }
  }).pipe(Layer.provide(renderer), Layer.provide([egress, sharedPools]), Layer.orDie, inRun);
};

/** The result of fetching the path, and the requests that it caused. */
const fetch = Effect.fnUntraced(function* (path: string) {
  const before = site.requests.length;
  const outcome = yield* Downloader.use((downloader) =>
    downloader.fetch({
      url: `${site.url}${path}`,
      maxDurationSeconds: 3_600,
      wantsOf: () => ["transcript"]
    })
  ).pipe(
    Effect.map((fetched) => {
      const file = fetched.files.find(({ name }) => name === "transcript.txt");
      const text = file === undefined ? "" : contentOf(file).toString("utf8");
      return { ...fetched, text };
    }),
    Effect.scoped,
    Effect.result
  );
  return { outcome, paths: site.requests.slice(before).map(({ url }) => url) };
});

const succeeded = <A>(outcome: { readonly _tag: string; readonly success?: A }): A =>
  outcome.success ?? assert.fail("it failed");

layer(downloaderWith("none", null), { excludeTestServices: true })(
  "a page rendered by scripts, without a browser",
  (it) => {
    it.effect("is read as its server sends it, with a warning", () =>
      Effect.gen(function* () {
        const { text, warnings } = succeeded((yield* fetch("/some")).outcome);
        assert.include(text, "Only this much");
        assert.deepStrictEqual(warnings.length, 1);
        assert.include(warnings[0] ?? "", "this server has no browser");
      })
    );

    it.effect("fails with a reason if its server sends nothing", () =>
      Effect.gen(function* () {
        const { outcome } = yield* fetch("/app");
        const failure = outcome._tag === "Failure" ? outcome.failure : assert.fail("it succeeded");
        assert.strictEqual(failure.reason, "not_extractable");
        assert.include(failure.message, "until scripts render it");
      })
    );
  }
);

layer(downloaderWith("broken", "/bin/false"), { excludeTestServices: true })(
  "a page rendered by scripts, with a browser that does not start",
  (it) => {
    it.effect("is read as its server sends it", () =>
      Effect.gen(function* () {
        const { text, warnings } = succeeded((yield* fetch("/some")).outcome);
        assert.include(text, "Only this much");
        assert.include(warnings[0] ?? "", "rendering it failed");
      })
    );

    it.effect("is not rendered when its server sends all of it", () =>
      Effect.gen(function* () {
        const { outcome, paths } = yield* fetch("/full");
        assert.deepStrictEqual(succeeded(outcome).warnings, []);
        assert.isAtMost(paths.length, 4);
      })
    );
  }
);

describe.skipIf(CHROMIUM === null)(`a page rendered by scripts, with a browser${SKIPPED}`, () => {
  layer(downloaderWith("browser", CHROMIUM), { excludeTestServices: true })((it) => {
    it.effect("is rendered by the route of its run", () =>
      Effect.gen(function* () {
        const proxy = yield* openProxyOf("socks5");
        const before = site.connections();
        currentRoute = {
          ...plainRoute(),
          name: "homes",
          proxy: Result.getOrThrow(readProxyAddress(proxy.url))
        };
        const { outcome, paths } = yield* fetch("/app?routed");
        currentRoute = plainRoute();
        assert.strictEqual(succeeded(outcome).facts.title, "Written late");
        assert.include(paths, "/api", "only scripts ask for it");
        const asked = proxy.asked.filter((line) => line === `CONNECT ${site.authority}`);
        assert.lengthOf(asked, site.connections() - before, "nothing went another way");
      })
    );

    it.effect("is read as rendered, without a warning", () =>
      Effect.gen(function* () {
        const { facts, text, warnings } = succeeded((yield* fetch("/app")).outcome);
        assert.deepStrictEqual([facts.kind, facts.title, warnings], ["webpage", "Written late", []]);
        assert.include(text, SENTENCE.trim());
      })
    );

    it.effect("is read as rendered, whatever players its text mentions", () =>
      Effect.gen(function* () {
        const { facts, text } = succeeded((yield* fetch("/players")).outcome);
        assert.strictEqual(facts.kind, "webpage");
        assert.include(text, SENTENCE.trim());
      })
    );

    it.effect("is a login page if it is rendered as one", () =>
      Effect.gen(function* () {
        const { outcome } = yield* fetch("/wall");
        assert.strictEqual(outcome._tag === "Failure" ? outcome.failure.reason : "", "login_required");
      })
    );
  });
});
