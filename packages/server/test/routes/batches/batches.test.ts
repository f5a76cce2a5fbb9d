/** Batches through the API and its client. */
import { assert, layer } from "@effect/vitest";
import { Winnow, type BatchItem, type BatchQuote } from "@winnow/client";
import { sampleFacts } from "@winnow/testing/samples/samples";
import * as Effect from "effect/Effect";
import { ARTICLE, AWAY, PRIVATE, TestApp, unlimited, VIDEO } from "../../TestApp.ts";

const at = (index: number) => `https://example.com/of-many/${index}`;
const FACTS = sampleFacts({ kind: "webpage", durationSeconds: null, title: "One of many" });

const HELD = at(60);
const ALSO_HELD = at(61);

/** Sixty pages, and two whose fetch never ends. */
const sources = Object.fromEntries(
  Array.from({ length: 62 }, (_, index) => [
    at(index),
    { facts: FACTS, ...(index < 60 ? {} : { beforeFetch: Effect.never }) }
  ])
);
const many = (count: number) => Array.from({ length: count }, (_, index) => ({ url: at(index) }));

const collected = async <A>(items: AsyncIterable<A>): Promise<ReadonlyArray<A>> => {
  const all: Array<A> = [];
  for await (const item of items) all.push(item);
  return all;
};

const byIndex = (left: { readonly index: number }, right: { readonly index: number }): number =>
  left.index - right.index;

layer(TestApp.with({ rateLimits: unlimited, sources }), { excludeTestServices: true })("batches", (it) => {
  const clientOf = Effect.fnUntraced(function* (credits: number) {
    const { account, url, call } = yield* TestApp;
    const me = yield* account(credits);
    const balance = Effect.map(call("/v1/account", { key: me.key }), ({ json }): number => json.balance);
    return { me, call, balance, client: new Winnow({ apiKey: me.key, baseUrl: url }) };
  });

  it.effect("has the name that it was given, or one of its hosts and schema, and takes another one", () =>
    Effect.gen(function* () {
      const { client, call, me } = yield* clientOf(100_000);
      const named = yield* Effect.promise(() => client.batches.create({ urls: [VIDEO], name: "Talks" }));
      assert.strictEqual(named.name, "Talks");
      const derived = yield* Effect.promise(() => client.batches.create({ items: many(2) }));
      assert.strictEqual(derived.name, "example.com");
      const changed = yield* Effect.promise(() => client.batches.update(derived.id, { name: "Pages" }));
      assert.deepStrictEqual([changed.name, changed.items.length], ["Pages", 2]);
      const listed = yield* Effect.promise(() => collected(client.batches.list()));
      assert.deepStrictEqual(
        listed.map(({ name }) => name),
        ["Pages", "Talks"]
      );
      const items = yield* Effect.promise(() => collected(client.extractions.list({ batchId: derived.id })));
      assert.deepStrictEqual([...new Set(items.map(({ batchName }) => batchName))], ["Pages"]);
      const one = yield* Effect.promise(() => client.extractions.get(items[0]?.id ?? ""));
      assert.strictEqual(one.batchName, "Pages");
      for (const [method, path, body] of [
        ["POST", "/v1/batches", { urls: [VIDEO], name: "" }],
        ["POST", "/v1/batches", { urls: [VIDEO], name: "x".repeat(201) }],
        ["POST", "/v1/batches", { urls: [VIDEO], name: "\0" }],
        ["POST", "/v1/batches", { urls: [VIDEO], name: "a\nb" }],
        ["PATCH", `/v1/batches/${derived.id}`, { name: "  " }],
        ["PATCH", `/v1/batches/${derived.id}`, { name: "x".repeat(201) }],
        ["PATCH", `/v1/batches/${derived.id}`, {}],
        ["PATCH", `/v1/batches/${derived.id}`, { name: "a", total: 1 }]
      ] as const) {
        const { status, json } = yield* call(path, { method, key: me.key, body });
        assert.strictEqual(status, 400, JSON.stringify(body).slice(0, 60));
        assert.strictEqual(json.error.details.param, "total" in body ? "total" : "name");
      }
      const gone = yield* call("/v1/batches/bat_none", { method: "PATCH", key: me.key, body: { name: "a" } });
      assert.strictEqual(gone.status, 404);
    })
  );

  it.effect("the quote is what the batch debits, and each item becomes an extraction of it", () =>
    Effect.gen(function* () {
      const { client, balance } = yield* clientOf(100_000);
      const batch = { items: [{ url: VIDEO }, { url: ARTICLE, parts: ["transcript"] as const }] };
      const before = yield* balance;
      const quote = yield* Effect.promise(() => collected(client.batches.quote(batch)));
      assert.strictEqual(yield* balance, before);
      const total = quote.at(-1);
      const lines = quote.filter((line: BatchQuote) => "index" in line).sort(byIndex);
      assert.deepStrictEqual(
        lines.map(({ url, cached, error }) => [url, cached, error]),
        [
          [VIDEO, false, null],
          [ARTICLE, false, null]
        ]
      );
      const made = yield* Effect.promise(() => client.batches.create(batch));
      assert.deepStrictEqual(total, {
        credits: made.creditsDebited,
        usd: made.creditsDebited / 10_000,
        accepted: 2,
        refused: 0
      });
      assert.deepStrictEqual(
        made.items.map(({ creditsDebited }) => creditsDebited),
        lines.map(({ credits }) => credits)
      );
      assert.strictEqual(yield* balance, before - made.creditsDebited);
      const ended = yield* Effect.promise(() => collected(client.batches.ended(made.id)));
      assert.deepStrictEqual(
        [...ended].sort(byIndex).map(({ id, status }) => [id ?? "", status]),
        made.items.map(({ id }) => [id ?? "", "complete"])
      );
      const listed = yield* Effect.promise(() => collected(client.extractions.list({ batchId: made.id })));
      assert.deepStrictEqual(
        listed.map(({ id, batchId }) => `${id} of ${batchId}`).sort(),
        made.items.map(({ id }) => `${id} of ${made.id}`).sort()
      );
      const over = yield* Effect.promise(() => client.batches.get(made.id));
      assert.strictEqual(over.status, "complete");
      const results = yield* Effect.promise(() =>
        Promise.all(made.items.map(({ id }) => client.extractions.result(id ?? "")))
      );
      const refunds = results.map((result) => ("creditsRefunded" in result ? result.creditsRefunded : -1));
      assert.strictEqual(over.creditsRefunded, refunds[0]! + refunds[1]!);
      assert.strictEqual(yield* balance, before - over.creditsDebited + over.creditsRefunded);
    })
  );

  it.effect(
    "items that a submit would refuse, or that are there twice, stand with their error and cost nothing",
    () =>
      Effect.gen(function* () {
        const { me, call } = yield* clientOf(100_000);
        const items = [
          { url: ARTICLE },
          { url: "not a URL" },
          { url: `${ARTICLE}#again` },
          { url: PRIVATE },
          { url: AWAY },
          { url: VIDEO, inputs: ["audio"] },
          { url: VIDEO, schemaId: "sch_none" },
          "no object"
        ];
        const { status, json } = yield* call("/v1/batches", { method: "POST", key: me.key, body: { items } });
        assert.strictEqual(status, 201);
        assert.deepStrictEqual(
          json.items.map(({ error, id }: BatchItem) => error?.code ?? (id === null ? "lost" : "accepted")),
          [
            "accepted",
            "invalid_url",
            "invalid_request",
            "content_unavailable",
            "accepted",
            "invalid_request",
            "invalid_request",
            "invalid_request"
          ]
        );
        assert.deepInclude(json.items[2].error.details, { reason: "duplicate", index: 0 });
        assert.deepInclude(json.counts, { total: 8, accepted: 2, refused: 6 });
        const { json: ledger } = yield* call("/v1/ledger", { key: me.key });
        const debit = ledger.data.find(({ kind }: { kind: string }) => kind === "debit");
        assert.deepInclude(debit, {
          credits: -json.creditsDebited,
          batchId: json.id,
          extractionId: null
        });
      })
  );

  it.effect("a batch over its budget or the balance creates nothing and says what it costs", () =>
    Effect.gen(function* () {
      const { me, call, balance } = yield* clientOf(0);
      const before = yield* balance;
      const post = (body: unknown) => call("/v1/batches", { method: "POST", key: me.key, body });
      const items = many(60);
      const over = yield* post({ items, maxCredits: 100 });
      assert.strictEqual(over.status, 400);
      assert.deepInclude(over.json.error.details, { reason: "price_above_limit", maxCredits: 100 });
      const { credits } = over.json.error.details;
      const refused = yield* post({ items });
      assert.strictEqual(refused.status, 402);
      assert.deepInclude(refused.json.error.details, { balance: before, cost: credits });
      assert.strictEqual(yield* balance, before);
      const { json } = yield* call("/v1/batches", { key: me.key });
      assert.deepStrictEqual(json.data, []);
    })
  );

  it.effect("lists that are no batch are refused by name", () =>
    Effect.gen(function* () {
      const { me, call } = yield* clientOf(1_000);
      const refusals: Array<ReadonlyArray<unknown>> = [];
      const bodies = [
        {},
        { items: [] },
        { items: many(1).concat(Array.from({ length: 1_000 }, () => ({ url: VIDEO }))) },
        { items: [{ url: VIDEO }], urls: [VIDEO] },
        { items: [{ url: VIDEO }], schemaId: "a" },
        { items: [{ url: VIDEO }], maxCredits: -1 },
        { urls: [VIDEO], url: ARTICLE },
        { urls: [VIDEO, ARTICLE], prompt: "x".repeat(262_144) }
      ];
      for (const body of bodies) {
        const { status, json } = yield* call("/v1/batches", { method: "POST", key: me.key, body });
        refusals.push([status, json.error.details.param, json.error.details.reason ?? null]);
      }
      assert.deepStrictEqual(refusals, [
        [400, "items", null],
        [400, "items", "empty"],
        [400, "items", "too_many"],
        [400, "urls", "excluded_by_items"],
        [400, "schemaId", "unknown_field"],
        [400, "maxCredits", null],
        [400, "url", "excluded_by_urls"],
        [400, "body", "too_large"]
      ]);
    })
  );

  it.effect("URLs with the same fields need not repeat them, and a repeated key repeats nothing", () =>
    Effect.gen(function* () {
      const { me, call, client } = yield* clientOf(100_000);
      const body = { urls: [at(0), at(1)], parts: ["transcript"] };
      const quoted = yield* Effect.promise(() =>
        collected(client.batches.quote({ urls: new Set(body.urls), parts: ["transcript"], maxCredits: 0 }))
      );
      assert.deepInclude(quoted.at(-1), { accepted: 2, refused: 0 });
      const post = (sent: unknown) =>
        call("/v1/batches", {
          method: "POST",
          key: me.key,
          headers: { "idempotency-key": "again" },
          body: sent
        });
      const first = yield* post(body);
      const second = yield* post(body);
      assert.deepStrictEqual([first.status, second.status], [201, 200]);
      assert.strictEqual(second.headers.get("idempotent-replayed"), "true");
      assert.strictEqual(second.json.id, first.json.id);
      assert.strictEqual((yield* post({ urls: [at(2)] })).status, 409);
      const limited = yield* post({ ...body, maxCredits: 0 });
      assert.deepStrictEqual([limited.status, limited.json.id], [200, first.json.id]);
      const { json: request } = yield* call(`/v1/extractions/${first.json.items[1].id}/request`, {
        key: me.key
      });
      assert.deepStrictEqual(request, { url: at(1), parts: ["transcript"] });
    })
  );

  it.effect("a cancel refunds what has not ended and keeps what has", () =>
    Effect.gen(function* () {
      const { client, balance } = yield* clientOf(100_000);
      const before = yield* balance;
      const made = yield* Effect.promise(() =>
        client.batches.create({ items: [{ url: HELD }, { url: ALSO_HELD }, ...many(3)] })
      );
      const paused = yield* Effect.promise(() => client.batches.pause(made.id));
      assert.strictEqual(paused.status, "paused");
      yield* Effect.promise(() => client.batches.cancel(made.id));
      const over = yield* Effect.promise(() => client.batches.get(made.id));
      assert.strictEqual(over.status, "cancelled");
      assert.strictEqual(over.counts.running, 0);
      assert.strictEqual(yield* balance, before - over.creditsDebited + over.creditsRefunded);
      assert.strictEqual(over.counts.failed, 5);
      assert.strictEqual(over.creditsRefunded, over.creditsDebited);
    })
  );

  it.effect("failed items run again in their place", () =>
    Effect.gen(function* () {
      const { client, balance } = yield* clientOf(100_000);
      const before = yield* balance;
      const made = yield* Effect.promise(() =>
        client.batches.create({ items: [{ url: AWAY }, { url: at(7) }] })
      );
      yield* Effect.promise(() => collected(client.batches.ended(made.id)));
      const again = yield* Effect.promise(() => client.batches.retryFailed(made.id));
      assert.notStrictEqual(again.items[0]?.id, made.items[0]?.id);
      assert.strictEqual(again.items[1]?.id, made.items[1]?.id);
      yield* Effect.promise(() => collected(client.batches.ended(made.id)));
      const over = yield* Effect.promise(() => client.batches.get(made.id));
      assert.deepInclude(over.counts, { complete: 1, failed: 1, running: 0 });
      assert.strictEqual(yield* balance, before - over.creditsDebited + over.creditsRefunded);
    })
  );

  it.effect("the end of a batch is announced to the endpoints, and again after a retry", () =>
    Effect.gen(function* () {
      const { client } = yield* clientOf(100_000);
      const announced = Effect.promise(async () => {
        const { data } = await client.webhookDeliveries.page();
        return data.filter(({ event }) => event === "batch.completed");
      });
      yield* Effect.promise(() => client.webhookEndpoints.create({ url: "https://hooks.example.org/in" }));
      const made = yield* Effect.promise(() =>
        client.batches.create({ items: [{ url: AWAY }, { url: at(8) }] })
      );
      yield* Effect.promise(() => collected(client.batches.ended(made.id)));
      const [first, ...none] = yield* announced;
      assert.deepStrictEqual([first?.extractionId, none], [null, []]);
      yield* Effect.promise(() => client.batches.retryFailed(made.id));
      yield* Effect.promise(() => collected(client.batches.ended(made.id)));
      const ids = (yield* announced).map(({ id }) => id);
      assert.deepStrictEqual([ids.length, new Set(ids).size], [2, 2]);
    })
  );

  it.effect("batches of another account are not found", () =>
    Effect.gen(function* () {
      const { client } = yield* clientOf(100_000);
      const { call, me } = yield* clientOf(0);
      const made = yield* Effect.promise(() => client.batches.create({ items: [{ url: at(9) }] }));
      for (const action of ["", "/pause", "/resume", "/cancel", "/retry-failed"]) {
        const method = action === "" ? "GET" : "POST";
        const { status } = yield* call(`/v1/batches/${made.id}${action}`, { key: me.key, method });
        assert.strictEqual(status, 404, action);
      }
    })
  );
});
