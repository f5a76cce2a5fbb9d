import * as GuardedEgress from "@winnow/isolation/network/GuardedEgress";
import { inRun } from "@winnow/testing/samples/samples";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { assert, layer } from "@effect/vitest";
import { Egress } from "@winnow/isolation/network/index";
import { PageReader } from "../../src/sources/page-reader/PageReader.ts";
import * as PooledPageReader from "../../src/sources/page-reader/PooledPageReader.ts";
import { DEFAULT_LIMITS } from "../../src/sources/DownloadLimits.ts";
import { inspectPage } from "../../src/sources/inspect/PageInspection.ts";
import { redirectTo, routes, serve } from "@winnow/isolation/test/network/LoopbackServer";
import { openPlaces } from "@winnow/isolation/test/network/Places";
import { page, paragraphs } from "@winnow/pages/test/pages";

const send =
  (body: string, headers: Readonly<Record<string, string>> = {}): Parameters<typeof serve>[0] =>
  (_request, response) => {
    response.setHeaders(new Map(Object.entries({ "content-type": "text/html", ...headers })));
    response.end(body);
  };

const refresh = (content: string, body = "<p>You are being redirected.</p>") =>
  send(page({ head: `<title>Redirecting…</title><meta http-equiv="refresh" content="${content}">`, body }));

const chain = (length: number) =>
  Object.fromEntries(
    Array.from({ length }, (_, index) => [`/${index}`, refresh(`0;url=/${index + 1}`)] as const)
  );

const ARTICLE = { "/article": send(page({ head: "<title>Bread</title>", body: paragraphs(4) })) };

const places = await openPlaces(1);
const { answer, site } = places.next();

const services = inRun(
  Layer.mergeAll(
    Layer.fresh(GuardedEgress.layer({ allow: places.authorities })).pipe(Layer.orDie),
    PooledPageReader.layer
  )
);

type Answers = Parameters<typeof routes>[0];

const INSIDE = "http://127.0.0.1:9/";

layer(services, { excludeTestServices: true })("a page that sends its readers on", (it) => {
  const inspected = (answers: Answers, path = "/from") =>
    Effect.gen(function* () {
      answer(routes({ ...ARTICLE, ...answers }));
      const [egress, pages] = [yield* Egress, yield* PageReader];
      return yield* inspectPage(`${site.url}${path}`, {
        egress,
        pages,
        tesseract: null,
        limits: DEFAULT_LIMITS
      });
    });

  const followed: ReadonlyArray<readonly [string, Answers]> = [
    ["at once", { "/from": refresh("0; url=/article") }],
    ["in ten seconds", { "/from": refresh("10;URL='article'") }],
    ["without a word", { "/from": refresh("0; url=/article", "") }],
    ["by a header", { "/from": send("", { refresh: "0; url=/article" }) }],
    [
      "by a header of anything",
      { "/from": send("x", { refresh: "1;/article", "content-type": "image/png" }) }
    ],
    ["after a redirect", { "/from": redirectTo("/then"), "/then": refresh("0; url=article") }],
    ["to a redirect", { "/from": refresh("0; url=/then"), "/then": redirectTo("/article") }],
    ["five times", { "/from": refresh("0;url=/0"), ...chain(3), "/3": redirectTo("/article") }]
  ];
  it.effect.each(followed)("%s, is followed like a redirect", ([, answers]) =>
    Effect.gen(function* () {
      const inspection = yield* inspected(answers);
      assert.deepInclude(inspection, { _tag: "Read", url: `${site.url}/article` });
      assert.nestedPropertyVal(inspection, "page.metadata.title", "Bread");
    })
  );

  const refused: ReadonlyArray<readonly [string, Answers, string]> = [
    ["in a circle", { "/from": refresh("0;url=/to"), "/to": refresh("0;url=/from") }, "not_extractable"],
    [
      "six times",
      { "/from": refresh("0;url=/0"), ...chain(4), "/4": redirectTo("/article") },
      "not_extractable"
    ],
    ["to an address inside", { "/from": refresh(`0;url=${INSIDE}`) }, "blocked_address"],
    [
      "to an address inside by a header",
      { "/from": send("", { refresh: `0;url=${INSIDE}` }) },
      "blocked_address"
    ],
    ["to nothing", { "/from": refresh("0;url=/missing") }, "removed"]
  ];
  it.effect.each(refused)("%s, is no page", ([, answers, reason]) =>
    Effect.gen(function* () {
      const inspection = yield* inspected(answers);
      assert.nestedPropertyVal(inspection, "failure.reason", reason);
    })
  );

  const kept: ReadonlyArray<readonly [string, Answers]> = [
    ["later", { "/from": refresh("30;url=/article") }],
    ["to itself", { "/from": refresh("5;url=/from#top") }],
    ["again", { "/from": refresh("5") }]
  ];
  it.effect.each(kept)("%s, is read itself", ([, answers]) =>
    Effect.gen(function* () {
      const inspection = yield* inspected(answers);
      assert.deepInclude(inspection, { _tag: "Read", url: `${site.url}/from` });
    })
  );
});
