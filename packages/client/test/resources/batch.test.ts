import { assert, describe, it } from "vitest";
import {
  ConflictError,
  InvalidRequestError,
  RateLimitedError,
  Winnow,
  WinnowError,
  type Settled,
  type Submission,
  type SubmitResponse
} from "../../src/index.ts";
import { faultyServer } from "../FaultyServer.ts";

type Item = Settled<Submission, SubmitResponse>;

const bodiesOf = (count: number): Array<Submission> =>
  Array.from({ length: count }, (_, index) => ({ url: `https://a.example/${index}` }));

/** A service whose rate limit window lasts some milliseconds, and a record of its requests. */
const limited = (perWindow: number, windowMs: number) => {
  const accepted: Array<{ readonly url: string; readonly key: string | null }> = [];
  const seen = { refused: 0, mostAtOnce: 0, underWay: 0 };
  let endsMs = Date.now() + windowMs;
  let used = 0;
  const answer = (init?: RequestInit): Response => {
    const nowMs = Date.now();
    if (nowMs >= endsMs) [endsMs, used] = [nowMs + windowMs, 0];
    const isAllowed = used < perWindow;
    if (isAllowed) used += 1;
    const headers = new Headers();
    const { url } = JSON.parse(init?.body as string) as { url: string };
    if (url.endsWith("/bad")) {
      return Response.json({ error: { code: "conflict", message: "bad" } }, { status: 409, headers });
    }
    if (!isAllowed) {
      seen.refused += 1;
      headers.set("retry-after", String((endsMs - nowMs) / 1_000));
      return Response.json({ error: { code: "rate_limited", message: "later" } }, { status: 429, headers });
    }
    accepted.push({ url, key: new Headers(init?.headers).get("idempotency-key") });
    return Response.json({ id: url, creditsDebited: 50 }, { status: 201, headers });
  };
  const fetch: typeof globalThis.fetch = async (_url, init) => {
    seen.underWay += 1;
    seen.mostAtOnce = Math.max(seen.mostAtOnce, seen.underWay);
    await new Promise((resolve) => setTimeout(resolve, 5));
    seen.underWay -= 1;
    init?.signal?.throwIfAborted();
    return answer(init);
  };
  return { winnow: new Winnow({ apiKey: "k", baseUrl: "http://service.example", fetch }), accepted, seen };
};

describe("submitMany", () => {
  it("when awaited returns all items in the order of the bodies, including failed ones", async () => {
    const { winnow } = limited(100, 60_000);
    const bodies = [...bodiesOf(3), { url: "https://a.example/bad" }];
    const items = await winnow.submitMany(bodies, { concurrency: 3 });
    assert.deepStrictEqual(
      items.map(({ index, status }) => [index, status]),
      [
        [0, "fulfilled"],
        [1, "fulfilled"],
        [2, "fulfilled"],
        [3, "rejected"]
      ]
    );
    const [first, , , last] = items;
    assert.strictEqual(first?.status === "fulfilled" ? first.value.id : null, bodies[0]?.url);
    assert.instanceOf(last?.status === "rejected" ? last.reason : null, ConflictError);
    assert.strictEqual(new Set(items.map(({ idempotencyKey }) => idempotencyKey)).size, 4);
  });

  it("waits as the service tells it to, with one refusal per submit in flight and window", async () => {
    const { winnow, accepted, seen } = limited(6, 200);
    const items = await winnow.submitMany(bodiesOf(14), { concurrency: 4 });
    assert.isTrue(items.every(({ status }) => status === "fulfilled"));
    assert.strictEqual(new Set(accepted.map(({ url }) => url)).size, 14);
    assert.strictEqual(accepted.length, 14);
    assert.isAtMost(seen.refused, 2 * 4 + 4);
  });

  it("reports a limit of the whole day at once", async () => {
    const details = { reason: "refunded_model_use", tokensToday: 2, tokensPerDayMax: 1 };
    const error = { code: "rate_limited", message: "tomorrow", details };
    await using server = await faultyServer({
      status: 429,
      body: { error },
      headers: { "retry-after": "61" }
    });
    const winnow = new Winnow({ apiKey: "k", baseUrl: server.baseUrl });
    const [item] = await winnow.submitMany(bodiesOf(1));
    assert.deepStrictEqual(item?.status === "rejected" && (item.reason as RateLimitedError).details, details);
    assert.strictEqual(server.seen.length, 1);
  });

  it("if refused because of other clients of the account, submits again with the same key", async () => {
    const refusals = 4;
    const keys: Array<unknown> = [];
    const fetch: typeof globalThis.fetch = async (_url, init) => {
      keys.push(new Headers(init?.headers).get("idempotency-key"));
      const error = { code: "rate_limited", message: "later", details: { reason: "queue_full" } };
      return keys.length <= refusals
        ? Response.json({ error }, { status: 429, headers: { "retry-after": "0" } })
        : Response.json({ id: "ext_1" }, { status: 201 });
    };
    const winnow = new Winnow({ apiKey: "k", fetch, maxRetries: 0 });
    const [item] = await winnow.submitMany(bodiesOf(1));
    assert.strictEqual(item?.status, "fulfilled");
    assert.strictEqual(keys.length, refusals + 1);
    assert.deepStrictEqual(new Set(keys), new Set([item?.idempotencyKey]));
  });

  it("sets its maxCredits on each body without one", async () => {
    const limits: Array<unknown> = [];
    const fetch = async (_: unknown, { body }: RequestInit = {}) => {
      limits.push(JSON.parse(String(body)).maxCredits);
      return Response.json({ id: "ext_1" }, { status: 201 });
    };
    const winnow = new Winnow({ apiKey: "k", fetch });
    const bodies: ReadonlyArray<Submission> = [
      { url: "https://a.example/" },
      { url: "https://b.example/", maxCredits: 5 }
    ];
    await winnow.submitMany(bodies, { maxCredits: 100, concurrency: 1 });
    assert.deepStrictEqual(limits, [100, 5]);
  });

  it("never exceeds its concurrency", async () => {
    for (const concurrency of [1, 3]) {
      const { winnow, seen } = limited(100, 60_000);
      await winnow.submitMany(bodiesOf(10), { concurrency });
      assert.strictEqual(seen.mostAtOnce, concurrency);
    }
  });

  it("when iterated starts none after a break, and reports those in flight", async () => {
    const { winnow, accepted } = limited(100, 60_000);
    const told: Array<number> = [];
    const onItem = ({ index }: Item) => told.push(index);
    for await (const item of winnow.submitMany(bodiesOf(20), { concurrency: 2, onItem })) {
      if (item.status === "fulfilled" && told.length >= 3) break;
    }
    assert.isAtMost(accepted.length, 5);
    assert.strictEqual(told.length, accepted.length);
  });

  it("starts nothing until it is awaited or iterated", async () => {
    const { winnow, accepted } = limited(100, 60_000);
    const batch = winnow.submitMany(bodiesOf(3));
    await new Promise((resolve) => setTimeout(resolve, 30));
    assert.strictEqual(accepted.length, 0);
    await batch;
    assert.strictEqual(accepted.length, 3);
  });

  it("when aborted returns finished items, and those in flight with its reason", async () => {
    const { winnow, accepted } = limited(2, 60_000);
    const abort = new AbortController();
    const reason = new Error("enough");
    const ended: Array<string> = [];
    const onItem = ({ status }: Item) => {
      ended.push(status);
      if (ended.length === 2) setTimeout(() => abort.abort(reason), 20);
    };
    const items = await winnow.submitMany(bodiesOf(50), { signal: abort.signal, onItem });
    assert.strictEqual(accepted.length, 2);
    assert.deepStrictEqual(
      items.map(({ status }) => status),
      ["fulfilled", "fulfilled", "rejected", "rejected"]
    );
    for (const item of items) if (item.status === "rejected") assert.strictEqual(item.reason, reason);
  });

  it("accepts keys from the caller, so that an interrupted batch can be resumed", async () => {
    const { winnow, accepted } = limited(100, 60_000);
    await winnow.submitMany(bodiesOf(2), { idempotencyKey: ({ url }, index) => `run-7:${index}:${url}` });
    assert.deepStrictEqual(accepted.map(({ key }) => key).toSorted(), [
      "run-7:0:https://a.example/0",
      "run-7:1:https://a.example/1"
    ]);
  });

  it("of no bodies returns nothing, and an invalid schema is a failed item", async () => {
    const { winnow } = limited(1, 60_000);
    assert.deepStrictEqual(await winnow.submitMany([]), []);
    const [item] = await winnow.submitMany([{ url: "u", schema: 5 as never }]);
    assert.include(String(item?.status === "rejected" && item.reason), "schema must be a JSON Schema");
  });

  it("ends if the caller's function throws", async () => {
    const { winnow } = limited(100, 60_000);
    const onItem = () => {
      throw new Error("mine");
    };
    const error = await Promise.resolve(winnow.submitMany(bodiesOf(2), { onItem })).catch(
      (thrown: unknown) => thrown
    );
    assert.strictEqual((error as Error).message, "mine");
  });
});

/** A service with a price for each path, which debits, refuses above `maxCredits`, and fails runs of `/failed`. */
const priced = (prices: Readonly<Record<string, number>>) => {
  const seen = { debited: 0, limits: [] as Array<number>, mostAtOnce: 0, underWay: 0 };
  const respond = (path: string, init?: RequestInit): Response => {
    if (init?.method !== "POST") {
      const id = path.split("/").at(-2) ?? "";
      const failed = { id, status: "failed", error: "It is private.", failure: { reason: "private" } };
      const complete = { id, status: "complete", outcome: null, extraction: null };
      return path.endsWith("/result")
        ? Response.json(id === "failed" ? failed : complete)
        : Response.json({}, { status: 404 });
    }
    const { url, maxCredits } = JSON.parse(init.body as string) as { url: string; maxCredits: number };
    const id = url.split("/").at(-1) ?? "";
    const credits = prices[id] ?? 0;
    seen.limits.push(maxCredits);
    if (credits > maxCredits) {
      const error = { code: "invalid_request", message: "dear", details: { reason: "price_above_limit" } };
      return Response.json({ error }, { status: 400 });
    }
    seen.debited += credits;
    if (id === "lost") throw new TypeError("fetch failed");
    return Response.json({ id, creditsDebited: credits }, { status: 201 });
  };
  const fetch: typeof globalThis.fetch = async (url, init) => {
    const isSubmit = init?.method === "POST";
    if (isSubmit) seen.mostAtOnce = Math.max(seen.mostAtOnce, (seen.underWay += 1));
    await new Promise((resolve) => setTimeout(resolve, 1));
    if (isSubmit) seen.underWay -= 1;
    return respond(String(url), init);
  };
  return {
    winnow: new Winnow({ apiKey: "k", baseUrl: "http://service.example", fetch, maxRetries: 0 }),
    seen
  };
};

const named = (...names: ReadonlyArray<string>): Array<Submission> =>
  names.map((name) => ({ url: `https://a.example/${name}` }));

describe("a budget", () => {
  it("is never exceeded: what costs more than the rest is rejected, cheaper ones go on", async () => {
    const { winnow, seen } = priced({ a: 60, b: 50, c: 30, d: 10 });
    const options = { budgetCredits: 100, concurrency: 4 };
    const items = await winnow.submitMany(named("a", "b", "c", "d", "free"), options);
    assert.deepStrictEqual(
      items.map(({ status }) => status),
      ["fulfilled", "rejected", "fulfilled", "fulfilled", "fulfilled"]
    );
    assert.deepStrictEqual(seen.limits, [100, 40, 40, 10, 0]);
    assert.strictEqual(seen.debited, 100);
    assert.strictEqual(seen.mostAtOnce, 1);
    assert.instanceOf(items[1]?.status === "rejected" && items[1].reason, InvalidRequestError);
  });

  it("applies beside the maxCredits of bodies and of the batch", async () => {
    const { winnow, seen } = priced({ a: 5, b: 5 });
    const bodies = [{ ...named("a")[0]!, maxCredits: 7 }, ...named("b", "c")];
    await winnow.submitMany(bodies, { budgetCredits: 15, maxCredits: 10 });
    assert.deepStrictEqual(seen.limits, [7, 10, 5]);
  });

  it("gets back what failed runs refund, but not what a lost response may have debited", async () => {
    const { winnow, seen } = priced({ failed: 40, lost: 10 });
    const bodies = [...named("failed"), { ...named("lost")[0]!, maxCredits: 15 }, ...named("free")];
    const items = await winnow.extractMany(bodies, { budgetCredits: 100, concurrency: 1 });
    assert.deepStrictEqual(
      items.map(({ status }) => status),
      ["rejected", "rejected", "fulfilled"]
    );
    assert.deepStrictEqual(seen.limits, [100, 15, 85]);
  });

  it("must be a number", () => {
    const { winnow } = priced({});
    assert.throws(() => winnow.submitMany([], { budgetCredits: Number.NaN }), WinnowError, "budgetCredits");
  });
});

describe("extractMany", () => {
  it("waits for each and returns failed runs as failed items", async () => {
    const failed = { id: "ext_2", status: "failed", error: "It is private.", failure: { reason: "private" } };
    const complete = { id: "ext_1", status: "complete", outcome: null, extraction: null };
    await using server = await faultyServer(
      { status: 201, body: { id: "ext_1" } },
      { status: 200, body: complete },
      { status: 201, body: { id: "ext_2" } },
      { status: 200, body: failed }
    );
    const winnow = new Winnow({ apiKey: "k", baseUrl: server.baseUrl });
    const items = await winnow.extractMany(bodiesOf(2), { concurrency: 1 });
    assert.deepStrictEqual(
      items.map(({ status }) => status),
      ["fulfilled", "rejected"]
    );
    const [, last] = items;
    assert.strictEqual(last?.status === "rejected" && (last.reason as Error).name, "ExtractionFailedError");
  });
});
