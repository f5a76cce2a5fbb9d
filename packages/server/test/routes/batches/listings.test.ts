/** Listings in batches: a channel or playlist gives way to items for what it lists. */
import { assert, layer } from "@effect/vitest";
import type { BatchItem, BatchQuote, BatchQuoteLine, BatchQuoteTotal } from "@winnow/client";
import * as FakeDownloader from "@winnow/testing/fakes/FakeDownloader";
import { sampleFacts } from "@winnow/testing/samples/samples";
import * as Effect from "effect/Effect";
import { ARTICLE, PRIVATE, TestApp, unlimited, VIDEO } from "../../TestApp.ts";

const at = (index: number) => `https://example.com/listed/${index}`;
const PAGES = Array.from({ length: 300 }, (_, index) => at(index));
const facts = sampleFacts({ kind: "webpage", durationSeconds: null, title: "One of many" });
const sources = Object.fromEntries(PAGES.map((url) => [url, { facts }]));

const CHANNEL = "https://example.com/channel/7";
const EMPTY = "https://example.com/channel/empty";
const CLOSED = "https://example.com/channel/closed";
const INSIDE = "http://10.0.0.1/channel";
const AWAY = "https://example.com/channel/away";
const MIXED = "https://example.com/channel/mixed";
const GROWING = "https://example.com/channel/growing";

/** Looks at {@link GROWING}, which has one page more each time. */
let looks = 0;

const listings = {
  [CHANNEL]: PAGES,
  [EMPTY]: [],
  [CLOSED]: FakeDownloader.refuses("private"),
  [AWAY]: FakeDownloader.refuses("unreachable"),
  [INSIDE]: FakeDownloader.refuses("host_not_public"),
  [MIXED]: [ARTICLE, "https://www.youtube.com/@someone", PRIVATE, "file:///etc/passwd", ARTICLE],
  [GROWING]: () => PAGES.slice(0, ++looks)
};

const app = TestApp.with({ rateLimits: unlimited, sources, listings });

const setup = Effect.gen(function* () {
  const { account, call } = yield* TestApp;
  const me = yield* account(1_000_000);
  const balance = Effect.map(call("/v1/account", { key: me.key }), ({ json }): number => json.balance);
  const post = (body: unknown, headers = {}) => call("/v1/batches", { key: me.key, headers, body });
  const quote = Effect.fnUntraced(function* (body: unknown) {
    const { text } = yield* call("/v1/batches/quote", { key: me.key, body });
    const lines: ReadonlyArray<BatchQuote> = text
      .trim()
      .split("\n")
      .map((line: string) => JSON.parse(line));
    const isLine = (line: BatchQuote): line is BatchQuoteLine => "index" in line;
    const byIndex = (left: BatchQuoteLine, right: BatchQuoteLine) => left.index - right.index;
    return { lines: lines.filter(isLine).sort(byIndex), total: lines.at(-1) as BatchQuoteTotal };
  });
  return { me, call, balance, post, quote };
});

/** Code, reason and field of a refusal; "accepted" without one. */
const fateOf = ({ error }: Pick<BatchItem, "error">): string =>
  error === null
    ? "accepted"
    : [error.code, error.details?.["reason"], error.details?.["param"]].filter(Boolean).join(" ");

layer(app, { excludeTestServices: true })("a listing in a batch", (it) => {
  for (const first of [3, 200]) {
    it.effect(`of which the first ${first} are wanted is quoted, debited and run item by item`, () =>
      Effect.gen(function* () {
        const { me, call, balance, post, quote } = yield* setup;
        const listing = { listingUrl: CHANNEL, first, parts: ["transcript"] };
        const body = { items: [{ url: VIDEO }, listing, { url: ARTICLE }] };
        const urls = [VIDEO, ...PAGES.slice(0, first), ARTICLE];
        const before = yield* balance;
        const { lines, total } = yield* quote(body);
        assert.deepStrictEqual(
          lines.map(({ url }) => url),
          urls
        );
        assert.deepInclude(total, { accepted: first + 2, refused: 0 });
        assert.strictEqual(yield* balance, before);
        const { status, json: batch } = yield* post(body);
        assert.strictEqual(status, 201);
        assert.deepStrictEqual(
          batch.items.map(({ index, url }: BatchItem) => [index, url]),
          urls.map((url, index) => [index, url])
        );
        assert.deepStrictEqual(
          batch.items.map(({ creditsDebited }: BatchItem) => creditsDebited),
          lines.map(({ credits }) => credits)
        );
        assert.deepInclude(total, { credits: batch.creditsDebited });
        assert.strictEqual(before - batch.creditsDebited, yield* balance);
        const { json: request } = yield* call(`/v1/extractions/${batch.items[1].id}/request`, {
          key: me.key
        });
        assert.deepStrictEqual(request, { url: at(0), parts: ["transcript"] });
        yield* call(`/v1/batches/${batch.id}/cancel`, { key: me.key, method: "POST" });
      })
    );
  }

  it.effect("that lists nothing, cannot be read or is none is one refused line, and costs nothing", () =>
    Effect.gen(function* () {
      const { balance, post, quote } = yield* setup;
      const rows: ReadonlyArray<readonly [item: object, fate: string]> = [
        [{ listingUrl: EMPTY, first: 5 }, "unsupported_url empty_listing listingUrl"],
        [{ listingUrl: VIDEO, first: 5 }, "unsupported_url not_a_listing listingUrl"],
        [{ listingUrl: INSIDE, first: 5 }, "unsupported_url host_not_public listingUrl"],
        [{ listingUrl: CLOSED, first: 5 }, "content_unavailable private"],
        [{ listingUrl: AWAY, first: 5 }, "internal_error unreachable"],
        [{ listingUrl: "file:///etc/passwd", first: 5 }, "unsupported_url scheme listingUrl"],
        [
          { listingUrl: "https://me:secret@example.com/", first: 5 },
          "unsupported_url credentials listingUrl"
        ],
        [{ listingUrl: "channel", first: 5 }, "invalid_url not_absolute listingUrl"],
        [{ listingUrl: 7, first: 5 }, "invalid_request listingUrl"],
        [{ listingUrl: CHANNEL }, "invalid_request first"],
        [{ listingUrl: CHANNEL, first: 0 }, "invalid_request first"],
        [{ listingUrl: CHANNEL, first: 201 }, "invalid_request first"],
        [{ listingUrl: CHANNEL, first: 1.5 }, "invalid_request first"],
        [{ listingUrl: CHANNEL, first: 5, url: VIDEO }, "invalid_request excluded_by_listing url"],
        [
          { listingUrl: CHANNEL, first: 5, fromExtraction: "ext_1" },
          "invalid_request excluded_by_listing fromExtraction"
        ],
        [{ url: VIDEO, first: 5 }, "invalid_request unknown_field first"]
      ];
      const items = rows.map(([item]) => item);
      const fates = rows.map(([, fate]) => fate);
      const before = yield* balance;
      assert.deepStrictEqual((yield* quote({ items })).lines.map(fateOf), fates);
      const { json: batch } = yield* post({ items });
      assert.deepStrictEqual(batch.items.map(fateOf), fates);
      assert.deepStrictEqual(
        [batch.items[0].url, batch.status, batch.creditsDebited],
        [EMPTY, "complete", 0]
      );
      assert.strictEqual(yield* balance, before);
    })
  );

  it.effect("is expanded once: a listing in it, and what is there twice, is refused as ever", () =>
    Effect.gen(function* () {
      const { post } = yield* setup;
      const { json: batch } = yield* post({ items: [{ listingUrl: MIXED, first: 10 }] });
      assert.deepStrictEqual(batch.items.map(fateOf), [
        "accepted",
        "unsupported_url channel url",
        "content_unavailable private",
        "unsupported_url scheme url",
        "invalid_request duplicate url"
      ]);
    })
  );

  it.effect("has fields that a submit would refuse refused for every item", () =>
    Effect.gen(function* () {
      const { post } = yield* setup;
      const { json: batch } = yield* post({ items: [{ listingUrl: CHANNEL, first: 2, inputs: ["audio"] }] });
      assert.deepStrictEqual(batch.items.map(fateOf), [
        "invalid_request requires_schema inputs",
        "invalid_request requires_schema inputs"
      ]);
    })
  );

  it.effect("does not make a batch larger than 1,000 items, nor are there more than 50", () =>
    Effect.gen(function* () {
      const { me, call, post } = yield* setup;
      const listing = { listingUrl: CHANNEL, first: 200 };
      const singles = Array.from({ length: 801 }, () => ({ url: VIDEO }));
      const bodies = [
        { items: [...singles, listing] },
        { items: Array.from({ length: 51 }, () => ({ listingUrl: EMPTY, first: 1 })) }
      ];
      for (const [index, limit] of [{ itemsMax: 1_000 }, { listingsMax: 50 }].entries()) {
        for (const path of ["/v1/batches", "/v1/batches/quote"]) {
          const { status, json } = yield* call(path, { key: me.key, body: bodies[index] });
          assert.strictEqual(status, 400);
          assert.deepInclude(json.error.details, { param: "items", reason: "too_many", ...limit });
        }
      }
      const { json } = yield* call("/v1/batches", { key: me.key });
      assert.deepStrictEqual(json.data, []);
      const { status } = yield* post({ items: [...singles.slice(1), listing] });
      assert.strictEqual(status, 201);
    })
  );

  it.effect("is read again when the batch is created, within its limit, and not for a replay", () =>
    Effect.gen(function* () {
      const { balance, post, quote } = yield* setup;
      const before = yield* balance;
      const body = { items: [{ listingUrl: GROWING, first: 100 }] };
      const { lines, total } = yield* quote(body);
      assert.strictEqual(lines.length, looks);
      const { credits: maxCredits } = total;
      const refused = yield* post({ ...body, maxCredits });
      assert.deepInclude(refused.json.error.details, { reason: "price_above_limit", maxCredits });
      assert.strictEqual(yield* balance, before);
      const keyed = { "idempotency-key": "growing" };
      const made = yield* post(body, keyed);
      assert.strictEqual(made.json.items.length, looks);
      const again = yield* post(body, keyed);
      assert.deepStrictEqual([again.status, again.json.id], [200, made.json.id]);
      assert.strictEqual(again.json.items.length, looks);
      assert.strictEqual(yield* balance, before - made.json.creditsDebited);
    })
  );

  it.effect("is no single submit", () =>
    Effect.gen(function* () {
      const { me, call } = yield* setup;
      for (const [body, fate] of [
        [{ url: CHANNEL }, "unsupported_url channel url"],
        [{ url: "https://www.youtube.com/@someone" }, "unsupported_url channel url"],
        [{ listingUrl: CHANNEL, first: 2 }, "invalid_request unknown_field listingUrl"]
      ] as const) {
        const { json } = yield* call("/v1/extractions", { key: me.key, body });
        assert.strictEqual(fateOf(json), fate);
      }
    })
  );
});
