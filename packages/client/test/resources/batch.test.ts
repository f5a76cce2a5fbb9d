import { assert, describe, it, vi } from "vitest";
import {
  ConflictError,
  Winnow,
  type Settled,
  type Submission,
  type SubmitResponse
} from "../../src/index.ts";
import { SubmitThrottle } from "../../src/resources/submitThrottle.ts";
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
    const headers = new Headers({
      "x-ratelimit-limit": String(perWindow),
      "x-ratelimit-remaining": String(perWindow - used),
      "x-ratelimit-reset": String(Math.ceil(endsMs / 1_000)),
      date: new Date(nowMs).toUTCString()
    });
    const { url } = JSON.parse(init?.body as string) as { url: string };
    if (url.endsWith("/bad")) {
      return Response.json({ error: { code: "conflict", message: "bad" } }, { status: 409, headers });
    }
    if (!isAllowed) {
      seen.refused += 1;
      headers.set("retry-after", "1");
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

  it("waits for the next rate-limit window instead of being refused", async () => {
    const { winnow, accepted, seen } = limited(6, 1_000);
    const items = await winnow.submitMany(bodiesOf(14), { concurrency: 4 });
    assert.isTrue(items.every(({ status }) => status === "fulfilled"));
    assert.strictEqual(accepted.length, 14);
    assert.strictEqual(seen.refused, 0);
  });

  it("does not wait longer if the system clock is set back", async () => {
    const pace = new SubmitThrottle();
    await pace.enter(undefined);
    pace.hold({ retryAfterSeconds: 0 });
    const clock = vi.spyOn(Date, "now").mockReturnValue(Date.now() - 3_600_000);
    const startMs = performance.now();
    try {
      await pace.enter(AbortSignal.timeout(30_000));
    } finally {
      clock.mockRestore();
    }
    assert.isBelow(performance.now() - startMs, 30_000);
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
