import { assert, describe, it, layer } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Result from "effect/Result";
import { PageRenderer } from "../../src/page/PageRenderer.ts";
import { routes, serve } from "../egress/LoopbackServer.ts";
import { openPlaces } from "../egress/Places.ts";
import { descendants } from "../programs/descendants.ts";
import { browser, CHROMIUM, peakOf, residentBytes, SKIPPED, workFolder } from "./Browsing.ts";

const workDir = CHROMIUM === null ? "" : workFolder();

const html =
  (body: string): Parameters<typeof serve>[0] =>
  (_request, response) =>
    response.setHeader("content-type", "text/html").end(`<title>t</title><div id=root></div>${body}`);

const script = (code: string) =>
  html(`<script>const say = (text) => { root.textContent = text };${code}</script>`);

/** Renders these pages of a site concurrently, then runs `after` with the same browser. */
const renderFrom = <A = void>(
  pages: Parameters<typeof routes>[0],
  paths: ReadonlyArray<string>,
  after: (site: string) => Effect.Effect<A, unknown, PageRenderer> = () => Effect.succeed(undefined as A)
) =>
  Effect.gen(function* () {
    const site = yield* serve(routes(pages));
    const renders = PageRenderer.use((renderer) =>
      Effect.all(
        paths.map((path) => Effect.result(renderer.render(site.url + path, { accountId: "acc_test" }))),
        { concurrency: "unbounded" }
      )
    );
    const [answers, last] = yield* Effect.all([renders, Effect.result(after(site.url))]).pipe(
      Effect.provide(browser({ workDir, allow: [site.authority] }))
    );
    return { answers, last, site };
  });

const GOOD = script(`say("all is " + "well")`);

/** Retries once, because abandoning another page may end the browser that both share. */
const rendersGood = (site: string) =>
  PageRenderer.use((renderer) =>
    Effect.retry(renderer.render(`${site}/good`, { accountId: "acc_test" }), { times: 1 })
  );

/** Sites for the pages that do not disturb the browser, one each. */
const places = await openPlaces(CHROMIUM === null ? 0 : 3);

/** Renders a page of a site in the browser that these tests share. */
const renderAt = Effect.fnUntraced(function* (pages: Parameters<typeof routes>[0], path: string) {
  const { answer: setPages, site } = places.next();
  setPages(routes(pages));
  const renderer = yield* PageRenderer;
  const answer = yield* Effect.result(renderer.render(site.url + path, { accountId: "acc_test" }));
  return { answer, site };
});

describe.skipIf(CHROMIUM === null)(`a page in a browser with others${SKIPPED}`, () => {
  layer(browser({ workDir, allow: places.authorities }), { excludeTestServices: true })((it) => {
    it.effect("is the result of its scripts and of what they fetched", () =>
      Effect.gen(function* () {
        const { answer, site } = yield* renderAt(
          {
            "/": script(
              `fetch("/data?" + history.length).then((r) => r.json()).then((d) => setTimeout(say, 300, d.text))`
            ),
            "/data": (_request, response) => response.end(`{"text":"made of data"}`)
          },
          "/#part"
        );
        const page = answer._tag === "Success" ? answer.success : assert.fail();
        assert.include(page.html, `<div id="root">made of data</div>`);
        assert.deepStrictEqual([page.url, page.settled], [`${site.url}/#part`, true]);
      })
    );

    it.effect("loads no images, media or fonts, and requests none", () =>
      Effect.gen(function* () {
        const parts = new Set(["/i.png", "/v.mp4", "/a.mp3", "/f.woff2", "/bg.png", "/s.vtt"]);
        const { answer, site } = yield* renderAt(
          {
            "/": html(`<style>@font-face{font-family:f;src:url(/f.woff2)}div{font-family:f;background:url(/bg.png)}</style>
              <img src=/i.png><video src=/v.mp4 autoplay><track src=/s.vtt default></video><audio src=/a.mp3 autoplay></audio>
              <link rel=stylesheet href=/s.css><script src=/s.js></script>`),
            "/s.js": (_request, response) => response.end(`root.textContent = "text"`),
            "/s.css": (_request, response) => response.setHeader("content-type", "text/css").end("")
          },
          "/"
        );
        assert.include(answer._tag === "Success" ? answer.success.html : "", ">text</div>");
        const asked = site.requests.map(({ url }) => url);
        assert.deepStrictEqual(
          asked.filter((url) => parts.has(url ?? "")),
          []
        );
        assert.includeMembers(asked, ["/s.js", "/s.css"]);
      })
    );

    it.effect("cannot open windows, dialogs or downloads", () =>
      Effect.gen(function* () {
        const { answer, site } = yield* renderAt(
          {
            "/": script(`
              const windows = Array.from({ length: 50 }, () => window.open("/window"));
              const answers = [alert("one"), confirm("two"), prompt("three")];
              Object.assign(document.createElement("a"), { href: "/file", download: "x.bin" }).click();
              onbeforeunload = () => "stay";
              navigator.geolocation.getCurrentPosition(() => say("located"), () => {});
              say(windows.filter(Boolean).length + " windows, answers " + answers);`),
            "/window": GOOD,
            "/file": (_request, response) =>
              response.setHeader("content-disposition", "attachment").end("x".repeat(100_000))
          },
          "/"
        );
        const page = answer._tag === "Success" ? answer.success.html : "";
        assert.include(page, ">0 windows, answers ,false,<");
        assert.notInclude(
          site.requests.map(({ url }) => url),
          "/window"
        );
      })
    );
  });
});

describe.skipIf(CHROMIUM === null)(`a page in the browser${SKIPPED}`, () => {
  it.live("that never becomes idle is read in its current state; one that blocks is abandoned", () =>
    Effect.gen(function* () {
      const startedAtMs = performance.now();
      const { answers } = yield* renderFrom(
        {
          // Changes often, so that there are many changes by the time the page is read.
          "/restless": script(`let n = 0; setInterval(() => say("count " + n++ + "!".repeat(n)), 20)`),
          "/busy": script(`say("busy"); setTimeout(() => { for (;;); }, 0)`)
        },
        ["/restless", "/busy"]
      );
      // Neither page becomes idle. The limit includes the start of the browser, which may take 20 s.
      assert.isBelow(performance.now() - startedAtMs, 60_000);
      const [restless, busy] = answers;
      const page = restless?._tag === "Success" ? restless.success : assert.fail();
      assert.isFalse(page.settled);
      assert.match(page.html, />count \d\d+!/u);
      assert.strictEqual(busy?._tag === "Failure" ? busy.failure.reason : "", "timeout");
    })
  );

  it.live(
    "with too large a document or too much traffic is refused, and a flood of messages affects no other page",
    () =>
      Effect.gen(function* () {
        const { answers, last } = yield* renderFrom(
          {
            "/document": script(`document.body.append(document.createComment("x".repeat(9_000_000)))`),
            "/traffic": script(`
            const load = () => fetch("/chunk").then((r) => r.arrayBuffer());
            Promise.all(Array.from({ length: 12 }, load)).then(() => say("loaded"));`),
            "/chunk": (_request, response) => response.end(Buffer.alloc(8_000_000)),
            "/flood": script(
              `for (let i = 0; i < 200; i++) console.log("y".repeat(5_000_000)); say("flooded")`
            ),
            "/good": GOOD
          },
          // Rendered alone, so that a busy machine can transfer all these bytes within the time limit of one page.
          ["/traffic"],
          Effect.fnUntraced(function* (site) {
            const renderer = yield* PageRenderer;
            const document = yield* Effect.flip(
              renderer.render(`${site}/document`, { accountId: "acc_test" })
            );
            // The flood may end the process that drives the browser, and nothing else.
            const flood = Effect.result(renderer.render(`${site}/flood`, { accountId: "acc_test" }));
            yield* Effect.all([flood, rendersGood(site)], { concurrency: "unbounded" });
            return document.reason;
          })
        );
        const [traffic] = answers;
        assert.strictEqual(traffic?._tag === "Failure" ? traffic.failure.reason : "rendered", "too_large");
        assert.deepStrictEqual(last, Result.succeed("too_large"));
      })
  );

  it.live.each([
    ["/heap", `kept.push(new Array(2_000_000).fill(n + 0.5))`],
    ["/buffers", `kept.push(new Uint8Array(50_000_000).fill(1))`],
    ["/blobs", `kept.push(new Blob([new Uint8Array(50_000_000).fill(1)]))`]
  ] as const)("that takes all the memory it can get (%s) ends alone", ([path, step]) =>
    Effect.gen(function* () {
      const leaking = script(`const kept = []; (async () => {
        for (let n = 0; ; n++) { ${step}; say("n".repeat(n)); await new Promise((done) => setTimeout(done)) } })()`);
      const { peak, value } = yield* peakOf(
        renderFrom({ [path]: leaking, "/good": GOOD }, [path, "/good"], rendersGood),
        () => residentBytes(descendants().map(Number))
      );
      assert.isTrue(peak > 100_000_000 && peak < 2_500_000_000, `${peak} bytes`);
      // The page that takes the memory may fail, and so may pages in the same browser; then a new browser must
      // work.
      assert.strictEqual(value.last._tag, "Success");
    })
  );
});
