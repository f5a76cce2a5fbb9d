// @module-tag smoke: its own process, pages that take all memory in every way
import { assert, describe, it, layer } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { PageRenderer } from "../../../src/sources/browser/PageRenderer.ts";
import { routes, serve } from "@winnow/isolation/test/network/LoopbackServer";
import { openPlaces } from "@winnow/isolation/test/network/Places";
import { descendants } from "@winnow/isolation/test/descendants";
import { browser, CHROMIUM, peakOf, residentBytes, SKIPPED, workFolder } from "./Browsing.ts";

const workDir = CHROMIUM === null ? "" : workFolder();

const html =
  (body: string): Parameters<typeof serve>[0] =>
  (_request, response) =>
    response.setHeader("content-type", "text/html").end(`<title>t</title><div id=root></div>${body}`);

const script = (code: string) =>
  html(`<script>const say = (text) => { root.textContent = text };${code}</script>`);

const GOOD = script(`say("all is " + "well")`);

/**
 * Retries, because abandoning another page may end the browser that both share, and because a busy machine may exceed
 * the short limit of such a page.
 */
const rendersGood = (site: string) =>
  PageRenderer.use((renderer) => Effect.retry(renderer.render(`${site}/good`), { times: 3 }));

/** Sites for the pages, one each. */
const places = await openPlaces(CHROMIUM === null ? 0 : 12);

/** Time limit where a page is abandoned: it occupies a processor until then. Other pages take less. */
const ABANDONED_AFTER_MS = 5_000;

/**
 * Bytes that a page takes in pieces, until the limits end it: more than the maximum that the test accepts. After that
 * it would only take a processor until its time is over.
 */
const TAKEN_MAX = 3_200_000_000;
const PIECE = 50_000_000;

/** Renders a page of a site in the browser that tests share. */
const renderAt = Effect.fnUntraced(function* (pages: Parameters<typeof routes>[0], path: string) {
  const { answer: setPages, site } = places.next();
  setPages(routes(pages));
  const renderer = yield* PageRenderer;
  const answer = yield* Effect.result(renderer.render(site.url + path));
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

    it.effect("is read in its current state if it never becomes idle", () =>
      Effect.gen(function* () {
        // Changes often, so that there are many changes by the time the page is read.
        const { answer } = yield* renderAt(
          { "/": script(`let n = 0; setInterval(() => say("count " + n++ + "!".repeat(n)), 50)`) },
          "/"
        );
        const page = answer._tag === "Success" ? answer.success : assert.fail();
        assert.isFalse(page.settled);
        assert.match(page.html, />count \d\d+!/u);
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

    it.effect("sees nothing that an earlier page of the same site stored", () =>
      Effect.gen(function* () {
        const { answer: setPages, site } = places.next();
        const visit = `say("found " + [document.cookie, localStorage.kept].join());
          document.cookie = "kept=1; max-age=600"; localStorage.kept = "1"; say(root.textContent + " " + document.cookie)`;
        setPages(routes({ "/": script(visit) }));
        const { render } = yield* PageRenderer;
        const page = render(`${site.url}/`);
        for (const { html: seen } of [yield* page, yield* page]) assert.include(seen, "found , kept=1");
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
  it.live("that blocks is abandoned, and another one is read meanwhile or afterwards", () =>
    Effect.gen(function* () {
      const { answer: setPages, site } = places.next();
      setPages(routes({ "/busy": script(`say("busy"); setTimeout(() => { for (;;); }, 0)`), "/good": GOOD }));
      const { render } = yield* PageRenderer;
      const busy = Effect.flip(render(`${site.url}/busy`));
      const [{ reason }, good] = yield* Effect.all([busy, rendersGood(site.url)], {
        concurrency: "unbounded"
      });
      assert.strictEqual(reason, "timeout");
      assert.include(good.html, "all is well");
    }).pipe(Effect.provide(browser({ workDir, allow: places.authorities, timeoutMs: ABANDONED_AFTER_MS })))
  );

  it.live(
    "with too large a document or too much traffic is refused, and a flood of messages affects no other page",
    () =>
      Effect.gen(function* () {
        const reasonAt = (pages: Parameters<typeof routes>[0], path: string) =>
          Effect.map(renderAt(pages, path), ({ answer }) =>
            answer._tag === "Failure" ? answer.failure.reason : "rendered"
          );
        // Rendered alone, so that a busy machine can transfer all these bytes within the time limit of one page.
        const traffic = yield* reasonAt(
          {
            "/": script(`
              const load = () => fetch("/chunk").then((r) => r.arrayBuffer());
              Promise.all(Array.from({ length: 12 }, load)).then(() => say("loaded"));`),
            "/chunk": (_request, response) => response.end(Buffer.alloc(8_000_000))
          },
          "/"
        );
        assert.strictEqual(traffic, "too_large");
        const large = script(`document.body.append(document.createComment("x".repeat(9_000_000)))`);
        assert.strictEqual(yield* reasonAt({ "/": large }, "/"), "too_large");
        const { answer: setPages, site } = places.next();
        setPages(
          routes({
            "/flood": script(
              `for (let i = 0; i < 200; i++) console.log("y".repeat(5_000_000)); say("flooded")`
            ),
            "/good": GOOD
          })
        );
        // The flood may end the process that drives the browser, and nothing else.
        const { render } = yield* PageRenderer;
        const flood = Effect.result(render(`${site.url}/flood`));
        yield* Effect.all([flood, rendersGood(site.url)], { concurrency: "unbounded" });
      }).pipe(Effect.provide(browser({ workDir, allow: places.authorities })))
  );

  layer(browser({ workDir, allow: places.authorities }), { excludeTestServices: true })((it) => {
    it.effect.each(
      (
        [
          ["heap", "", `kept.push(new Array(2_000_000).fill(n + 0.5))`],
          ["buffers", "", `kept.push(new Uint8Array(${PIECE}).fill(1))`],
          ["blobs", `n < ${TAKEN_MAX / PIECE}`, `kept.push(new Blob([new Uint8Array(${PIECE}).fill(1)]))`]
        ] as const
      ).slice(0, process.env["WINNOW_TEST_FAULTS"] === undefined ? 1 : 3)
    )("that takes all the memory it can get (%s) ends alone", ([_name, until, step]) =>
      Effect.gen(function* () {
        const { answer: setPages, site } = places.next();
        const leaking = script(`const kept = []; (async () => {
          for (let n = 0; ${until}; n++) { ${step}; say("n".repeat(n)); await new Promise((done) => setTimeout(done)) } })()`);
        setPages(routes({ "/leaking": leaking, "/good": GOOD }));
        const { render } = yield* PageRenderer;
        const pages = ["/leaking", "/good"].map((path) => Effect.result(render(site.url + path)));
        const { peak } = yield* peakOf(Effect.all(pages, { concurrency: "unbounded" }), () =>
          residentBytes(descendants().map(Number))
        );
        assert.isTrue(peak > 100_000_000 && peak < 2_500_000_000, `${peak} bytes`);
        // The page that takes the memory may fail, and so may pages in the same browser; then a new browser must
        // work.
        yield* rendersGood(site.url);
      })
    );
  });
});
