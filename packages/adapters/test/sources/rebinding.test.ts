// @module-tag long
/**
 * DNS rebinding: names that resolve to a public address at first and to an internal one later. Nothing connects to
 * the internal one, whatever causes the name to be resolved again: the page, its media, subtitles, stream
 * segments, an image or a script's request.
 */
import { createServer } from "node:http";
import { connect } from "node:net";
import { assert, describe, it, layer } from "@effect/vitest";
import { Downloader } from "@winnow/core/ports/Downloader";
import { WebhookTransport } from "@winnow/core/ports/WebhookTransport";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Exit from "effect/Exit";
import * as Scope from "effect/Scope";
import { afterAll } from "vitest";
import * as MediaDownloader from "../../src/sources/MediaDownloader.ts";
import { PageReader } from "../../src/pages/reader/PageReader.ts";
import { PageRenderer } from "../../src/pages/PageRenderer.ts";
import * as GuardedWebhooks from "../../src/network/webhooks/GuardedWebhooks.ts";
import { browser, CHROMIUM, SKIPPED } from "../pages/browser/Browsing.ts";
import { serve } from "../network/LoopbackServer.ts";
import { quietEgress } from "../network/QuietEgress.ts";
import { openSite, temporaryFolder } from "./harness.ts";

const OPEN = "127.0.0.1";
const INSIDE = "127.0.0.2";

const workDir = temporaryFolder();
const scope = Scope.makeUnsafe();
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)));

/** An internal server on the port of the public site, because the name resolves to both addresses. */
const openInside = (port: number) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      let arrivals = 0;
      const server = createServer((_request, response) => response.end("secret"));
      server.on("connection", () => arrivals++);
      await new Promise<void>((resolve) => server.listen(port, INSIDE, resolve));
      return { arrivals: () => arrivals, server };
    }),
    ({ server }) => Effect.sync(() => server.close())
  );

/** `N-times.…` resolves to the public address N times, then to the internal one; `in-turns.…` alternates. */
const rebinding = () => {
  const asked = new Map<string, number>();
  const resolve = async (host: string) => {
    const count = (asked.get(host) ?? 0) + 1;
    asked.set(host, count);
    const times = Number(/^(\d+)-times\./u.exec(host)?.[1] ?? (count % 2 === 1 ? count : 0));
    return [count <= times ? OPEN : INSIDE];
  };
  return { asked, resolve };
};

const ANSWERS = ["1-times", "2-times", "4-times", "in-turns"];

/** Pages with media and subtitles, segmented streams, posts with pictures, plain files. */
const PATHS = [
  "/watch/talk",
  "/watch/jsonld-hls",
  "/watch/jwplayer",
  "/article",
  "/carousel",
  "/media/talk.mp4",
  "/media/hls/master.m3u8"
];

const site = await openSite();
const { port } = new URL(site.url);
const inside = await Effect.runPromise(Scope.provide(openInside(Number(port)), scope));
const { asked, resolve } = rebinding();

const nameOf = (answers: string, path: string): string =>
  `${answers}.${path.replaceAll(/[^a-z0-9]+/gu, "")}.example.org`;

const downloader = MediaDownloader.layer({ workDir, limits: { inspectTimeoutMs: 100_000 } }).pipe(
  Layer.provide([quietEgress({ allow: [`${OPEN}:${port}`], resolve }), PageReader.layer]),
  Layer.orDie
);

const run = (answers: string, path: string) =>
  Downloader.use(({ fetch }) =>
    fetch({
      accountId: `acc_${answers}`,
      url: `http://${nameOf(answers, path)}:${port}${path}`,
      maxDurationSeconds: 3_600,
      wantsOf: () => ["video", "audio", "transcript", "comments"],
      onProgress: () => Effect.void
    })
  ).pipe(Effect.scoped, Effect.exit);

layer(downloader, { excludeTestServices: true })("a name that changes its answer", (it) => {
  it.effect("can be reached there without the guard", () =>
    Effect.gen(function* () {
      const before = inside.arrivals();
      yield* Effect.promise(
        () =>
          new Promise<void>((done) => {
            const socket = connect(Number(port), INSIDE, () => (socket.destroy(), done()));
          })
      );
      assert.strictEqual(inside.arrivals() - before, 1);
    })
  );

  for (const path of PATHS) {
    it.effect(`does not lead to internal addresses from ${path}`, () =>
      Effect.gen(function* () {
        const before = inside.arrivals();
        const steady = yield* run("100000-times", path);
        assert.isTrue(Exit.isSuccess(steady), String(steady));
        yield* Effect.forEach(ANSWERS, (answers) => run(answers, path), { concurrency: 3 });
        assert.strictEqual(inside.arrivals(), before);
        // The name was resolved again after its first answer, so the run could have connected to the internal
        // address.
        assert.isAbove(asked.get(nameOf("1-times", path)) ?? 0, 1);
      })
    );
  }
});

describe.skipIf(CHROMIUM === null)(`a page in the browser${SKIPPED}`, () => {
  it.live("is not led inside by a name that changes its answer, nor are its scripts", () =>
    Effect.gen(function* () {
      const page = yield* serve((request, response) => {
        if (request.url !== "/") return response.writeHead(200, { connection: "close" }).end("open");
        // Without keep-alive, each request resolves the name again.
        return response.writeHead(200, { "content-type": "text/html", connection: "close" }).end(`<p id=root>
          </p><script>(async () => {
            const said = [];
            for (let n = 0; n < 6; n++) said.push(await fetch("/" + n).then((r) => r.text(), () => "failed"));
            root.textContent = said.join(" ");
          })()</script>`);
      });
      const hidden = yield* openInside(page.port);
      const turning = rebinding();
      const context = yield* Layer.build(
        browser({ workDir, resolve: turning.resolve, allow: [page.authority] })
      );
      const { render } = Context.get(context, PageRenderer);
      yield* Effect.forEach(ANSWERS, (answers) =>
        Effect.exit(render(`http://${answers}.page.example.org:${page.port}/`, { accountId: "acc_test" }))
      );
      assert.strictEqual(hidden.arrivals(), 0);
      assert.isAbove(turning.asked.get("1-times.page.example.org") ?? 0, 1);
      assert.isAbove(page.requests.length, 0);
    }).pipe(Effect.scoped)
  );
});

describe("a webhook", () => {
  it.live("is not led inside by a name that changes its answer after it was vetted", () =>
    Effect.gen(function* () {
      const open = yield* serve((_request, response) => response.end("open"), { secure: true });
      const hidden = yield* openInside(open.port);
      const turning = rebinding();
      yield* Effect.gen(function* () {
        const { post, vet } = yield* WebhookTransport;
        for (const answers of ANSWERS) {
          const url = `https://${answers}.hooks.example.org:${open.port}/`;
          yield* vet(url);
          for (let sent = 0; sent < 10; sent++) {
            yield* Effect.exit(post({ url, headers: {}, body: Buffer.from("{}"), answerMaxBytes: 100 }));
          }
          assert.strictEqual(turning.asked.get(`${answers}.hooks.example.org`), 11);
        }
      }).pipe(
        Effect.provide(
          Layer.orDie(GuardedWebhooks.layer({ allow: [open.authority], resolve: turning.resolve }))
        )
      );
      assert.strictEqual(hidden.arrivals(), 0);
      assert.isAbove(open.connections(), 0);
    }).pipe(Effect.scoped)
  );
});
