/** Quoting and creating batches, with in-memory ports. */
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import * as Stream from "effect/Stream";
import * as TestClock from "effect/testing/TestClock";
import type { Failed } from "../../../src/domain/source/Failed.ts";
import { refuses } from "@winnow/testing/fakes/FakeDownloader";
import * as BatchesModule from "../../../src/engine/batches/Batches.ts";
import { QUOTES_AT_ONCE } from "../../../src/engine/batches/BatchQuotes.ts";
import * as FakeAnalyst from "@winnow/testing/fakes/FakeAnalyst";
import * as FakeSchemaChecker from "@winnow/testing/fakes/FakeSchemaChecker";
import { Schemas } from "../../../src/engine/accounts/Schemas.ts";
import { countsOf } from "../../../src/domain/run/Batch.ts";
import { Runs } from "../../../src/engine/runs/Runs.ts";
import {
  balanceOf,
  execute,
  openAccount,
  runToEnd,
  SOURCES,
  VIDEO,
  world,
  type WorldOptions
} from "../World.ts";
import { deleteOver } from "../../../src/engine/extractions/Removal.ts";

const ITEMS = 60;

const SLOTS = 10;

const quickSources = Object.fromEntries(
  Array.from({ length: ITEMS }, (_, index) => [`https://example.com/${index}`, SOURCES[VIDEO]])
);

const batchWorld = (options: WorldOptions = {}) => Layer.provideMerge(BatchesModule.layer, world(options));

/** The first items, one by one: the batch itself goes on. */
const cancelItems = Effect.fnUntraced(function* (accountId: string, batchId: string, count: number) {
  const { items } = yield* BatchesModule.Batches.use((batches) => batches.get(accountId, batchId));
  const runs = yield* Runs;
  for (const { extractionId } of items.slice(0, count)) yield* runs.cancel(accountId, extractionId ?? "");
});

/** Sources that take a second to inspect, and how often that was begun. */
const slowSources = (failures: Readonly<Record<string, Failed>> = {}) => {
  const seen = { looks: 0, now: 0, most: 0 };
  const items = Array.from({ length: ITEMS }, (_, index) => ({ url: `https://example.com/${index}` }));
  const sources = Object.fromEntries(
    items.map(({ url }) => {
      const beforeInspect = Effect.suspend(() => {
        seen.looks += 1;
        seen.now += 1;
        seen.most = Math.max(seen.most, seen.now);
        return Effect.sleep("1 second").pipe(
          Effect.andThen(failures[url] ?? Effect.void),
          Effect.ensuring(Effect.sync(() => (seen.now -= 1)))
        );
      });
      return [url, { ...SOURCES[VIDEO], beforeInspect }];
    })
  );
  return { items, layer: batchWorld({ sources }), seen };
};

/** Long enough for all items, one after the other. */
const passTime = Effect.replicateEffect(TestClock.adjust("1 second"), ITEMS, { discard: true });

describe("a batch", () => {
  it.effect("is not inspected again after its quote, even minutes later", () => {
    const { items, layer, seen } = slowSources();
    return Effect.gen(function* () {
      const accountId = yield* openAccount(100_000);
      const batches = yield* BatchesModule.Batches;
      const quote = yield* Effect.forkChild(
        Effect.flatMap(batches.quote(accountId, { items }), Stream.runCollect)
      );
      yield* passTime;
      const credits = (yield* Fiber.join(quote)).reduce((sum, line) => sum + (line.credits ?? 0), 0);
      yield* TestClock.adjust("20 minutes");
      const before = yield* balanceOf(accountId);
      yield* batches.create(accountId, { items }, null);
      assert.strictEqual(seen.looks, ITEMS);
      assert.strictEqual(before - (yield* balanceOf(accountId)), credits);
    }).pipe(Effect.provide(layer));
  });

  it.effect("is inspected again where its quote failed for the moment, and nowhere else", () => {
    const { items, layer, seen } = slowSources({
      "https://example.com/1": refuses("timeout"),
      "https://example.com/2": refuses("removed")
    });
    return Effect.gen(function* () {
      const accountId = yield* openAccount(100_000);
      const { quote } = yield* BatchesModule.Batches;
      const quoted = { items: items.slice(0, 3) };
      const looks = Effect.gen(function* () {
        const before = seen.looks;
        const fiber = yield* Effect.forkChild(Effect.flatMap(quote(accountId, quoted), Stream.runCollect));
        yield* passTime;
        const lines = (yield* Fiber.join(fiber)).toSorted((a, b) => a.index - b.index);
        const credits = lines.map((line) => line.credits);
        return { credits, looks: seen.looks - before };
      });
      const credits = [230, 290, null];
      assert.deepStrictEqual(yield* looks, { credits, looks: 3 });
      assert.deepStrictEqual(yield* looks, { credits, looks: 1 });
    }).pipe(Effect.provide(layer));
  });

  it.effect(
    "tells stretches apart; cut from a stored whole they are free, and fetched once it has gone",
    () =>
      Effect.gen(function* () {
        const accountId = yield* openAccount();
        const whole = { url: VIDEO, parts: ["transcript"] };
        const { id } = yield* runToEnd(accountId, whole);
        const { create, get, quote, retryFailed } = yield* BatchesModule.Batches;
        const items = [
          whole,
          ...[{ endSec: 1 }, { startSec: 1 }, { startSec: 213 }].map((range) => ({ ...whole, range }))
        ];
        const ranges = [undefined, { startSec: 0, endSec: 1 }, { startSec: 1 }, { startSec: 213 }];
        const lines = yield* Effect.flatMap(quote(accountId, { items }), Stream.runCollect);
        assert.deepStrictEqual(
          lines
            .toSorted((one, other) => one.index - other.index)
            .map(({ range, credits, cached }) => [range, credits, cached]),
          ranges.map((range) => (range?.startSec === 213 ? [range, null, false] : [range, 0, true]))
        );
        const before = yield* balanceOf(accountId);
        const made = yield* create(accountId, { items, maxCredits: 0 }, null);
        const accepted = yield* get(accountId, made.id);
        assert.deepInclude(countsOf(accepted.batch), { accepted: 3, reused: 1, complete: 1 });
        assert.deepStrictEqual(
          accepted.items.map(({ range }) => range),
          ranges
        );
        const [copy, first, second] = accepted.items.map(({ extractionId }) => ({
          accountId,
          id: extractionId ?? ""
        }));
        if (copy === undefined || first === undefined || second === undefined) return assert.fail();
        yield* execute(first);
        for (const gone of [id, copy.id]) yield* deleteOver(accountId, gone);
        yield* execute(second);
        const { batch } = yield* get(accountId, made.id);
        assert.deepInclude(countsOf(batch), { complete: 2, reused: 2, failed: 1 });
        assert.strictEqual(yield* balanceOf(accountId), before);
        yield* retryFailed(accountId, made.id);
        const again = (yield* get(accountId, made.id)).items[2];
        assert.deepStrictEqual([again?.range, again?.creditsDebited], [ranges[2], 60]);
      }).pipe(Effect.provide(batchWorld()))
  );

  it.effect("whose client left goes on where it was when the request is repeated", () => {
    const { items, layer, seen } = slowSources();
    return Effect.gen(function* () {
      const accountId = yield* openAccount(100_000);
      const { create, list } = yield* BatchesModule.Batches;
      const cut = yield* Effect.forkChild(create(accountId, { items }, "key"));
      yield* TestClock.adjust("5 seconds");
      yield* Fiber.interrupt(cut);
      assert.isBelow(seen.looks, ITEMS);
      const again = yield* Effect.forkChild(create(accountId, { items }, "key"));
      yield* passTime;
      const { id, replayed } = yield* Fiber.join(again);
      assert.isFalse(replayed);
      assert.isAtMost(seen.looks, ITEMS + QUOTES_AT_ONCE);
      const { rows: batches } = yield* list(accountId, { limit: 10, cursor: null });
      assert.deepStrictEqual(
        batches.map((batch) => batch.id),
        [id]
      );
    }).pipe(Effect.provide(layer));
  });

  it.effect("leaves its account inspections for single submits, however many are quoted", () => {
    const { items, layer, seen } = slowSources();
    return Effect.gen(function* () {
      const batches = yield* BatchesModule.Batches;
      const mostOf = Effect.fnUntraced(function* (accountIds: ReadonlyArray<string>) {
        seen.most = 0;
        const quotes = accountIds.map((accountId, index) =>
          Effect.flatMap(
            batches.quote(accountId, { items: items.slice(index * 20, index * 20 + 20) }),
            Stream.runCollect
          )
        );
        const fiber = yield* Effect.forkChild(Effect.all(quotes, { concurrency: "unbounded" }));
        yield* passTime;
        yield* Fiber.join(fiber);
        return seen.most;
      });
      const [one, other] = [yield* openAccount(100_000), yield* openAccount(100_000)];
      assert.strictEqual(yield* mostOf([one, one, one]), QUOTES_AT_ONCE);
      assert.strictEqual(yield* mostOf([yield* openAccount(100_000), other]), 2 * QUOTES_AT_ONCE);
    }).pipe(Effect.provide(layer));
  });

  it.effect("is resumed in as many slots as the plan has", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount(100_000);
      const { create, get, pause, resume } = yield* BatchesModule.Batches;
      const items = Array.from({ length: 25 }, (_, index) => ({ url: `${VIDEO}/${index}` }));
      const { id } = yield* create(accountId, { items }, null);
      yield* pause(accountId, id);
      const states = Effect.map(get(accountId, id), (batch) => batch.items.map(({ status }) => status));
      const pending = Effect.map(states, (all) => all.filter((status) => status === "pending").length);
      assert.strictEqual(yield* pending, SLOTS);
      yield* cancelItems(accountId, id, SLOTS);
      assert.strictEqual(yield* pending, 0);
      yield* resume(accountId, id);
      assert.strictEqual(yield* pending, SLOTS);
    }).pipe(
      Effect.provide(
        batchWorld({
          sources: Object.fromEntries(
            Array.from({ length: 25 }, (_, index) => [`${VIDEO}/${index}`, SOURCES[VIDEO]])
          ),
          plans: { default: { runningMax: SLOTS } }
        })
      )
    )
  );

  it.effect("that was given no name has that of the saved schema that all its items are read with", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount(100_000);
      const { create, get } = yield* BatchesModule.Batches;
      const schema = { type: "object", properties: { price: { type: "number" } } };
      const { id: schemaId } = yield* (yield* Schemas).save(accountId, { name: "product-facts", schema });
      const { id } = yield* create(accountId, { urls: [VIDEO], schemaId }, null);
      assert.strictEqual((yield* get(accountId, id)).batch.name, `${new URL(VIDEO).host}: product-facts`);
    }).pipe(Effect.provide(batchWorld({ analyst: FakeAnalyst.layer() })))
  );

  it.effect(
    "checks a schema that its items share once, and is refused before it is quoted if it is too large",
    () => {
      let looks = 0;
      const look = { ...SOURCES[VIDEO], beforeInspect: Effect.sync(() => void (looks += 1)) };
      const urls = Object.keys(quickSources);
      const sources = Object.fromEntries([...urls, VIDEO].map((url) => [url, look]));
      const checked: Array<unknown> = [];
      const schemaChecker = FakeSchemaChecker.layer(undefined, (schema) => (checked.push(schema), null));
      const schema = { type: "object", properties: { title: { description: "d".repeat(90_000) } } };
      return Effect.gen(function* () {
        const accountId = yield* openAccount(100_000);
        const { create, quote } = yield* BatchesModule.Batches;
        const { save } = yield* Schemas;
        yield* create(accountId, { urls, schema, prompt: "p".repeat(19_000) }, null);
        assert.lengthOf(checked, 1);
        const before = looks;
        const saved = yield* Effect.forEach(Array.from({ length: 190 }), (_, index) =>
          save(accountId, { name: `schema ${index}`, schema })
        );
        const large = { items: saved.map(({ id }) => ({ url: VIDEO, schemaId: id })) };
        for (const refused of [create(accountId, large, null), quote(accountId, large)]) {
          assert.deepInclude(yield* Effect.flip<unknown, unknown, never>(refused), {
            _tag: "InvalidRequest",
            details: { param: "items", reason: "too_large", maxBytes: 16_777_216 }
          });
        }
        assert.strictEqual(looks, before);
      }).pipe(Effect.provide(batchWorld({ analyst: FakeAnalyst.layer(), schemaChecker, sources })));
    }
  );

  it.effect("tells each line of its quote once it is known, however long others take", () => {
    const silent = "https://example.com/silent";
    const sources = { ...SOURCES, [silent]: { ...SOURCES[VIDEO], beforeInspect: Effect.never } };
    return Effect.gen(function* () {
      const accountId = yield* openAccount();
      const batches = yield* BatchesModule.Batches;
      const lines = yield* batches.quote(accountId, { items: [{ url: silent }, { url: VIDEO }] });
      const first = Option.getOrNull(yield* Stream.runHead(lines));
      assert.deepInclude(first, { index: 1, url: VIDEO });
    }).pipe(Effect.provide(batchWorld({ sources })));
  });

  it.effect("that was cancelled stays so: nothing of it is tried again or charged", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const batches = yield* BatchesModule.Batches;
      const { id } = yield* batches.create(accountId, { items: [{ url: VIDEO }] }, null);
      yield* batches.cancel(accountId, id);
      const balance = yield* balanceOf(accountId);
      assert.deepInclude(yield* Effect.flip(batches.retryFailed(accountId, id)), {
        _tag: "Conflict",
        details: { reason: "batch_cancelled" }
      });
      assert.strictEqual((yield* batches.get(accountId, id)).batch.status, "cancelled");
      assert.strictEqual(yield* balanceOf(accountId), balance);
    }).pipe(Effect.provide(batchWorld()))
  );

  it.effect("is answered again by its key even if this server would refuse the body by now", () =>
    Effect.gen(function* () {
      const accountId = yield* openAccount();
      const create = (body: unknown) =>
        BatchesModule.Batches.use((batches) => batches.create(accountId, body, "key"));
      const body = { items: [{ url: VIDEO }] };
      const { id } = yield* create(body);
      assert.deepStrictEqual(yield* create({ ...body, maxCredits: "no number" }), { id, replayed: true });
      assert.strictEqual((yield* Effect.flip(create({ items: [] })))._tag, "Conflict");
    }).pipe(Effect.provide(batchWorld()))
  );

  it.effect.each(["created", "tried again"])(
    "that is %s decides anew each time that a result to reuse is deleted meanwhile",
    (how) => {
      const other = "https://example.com/other";
      const results: Array<string> = [];
      let remove: (id: string) => Effect.Effect<unknown> = () => Effect.void;
      // Not remembered, because it failed for the moment, so that each decision looks again.
      const beforeInspect = Effect.suspend(() =>
        Effect.sleep("1 second").pipe(
          Effect.andThen(Effect.suspend(() => remove(results.pop() ?? ""))),
          Effect.andThen(refuses("timeout"))
        )
      );
      return Effect.gen(function* () {
        const accountId = yield* openAccount(100_000);
        const { create, get, retryFailed } = yield* BatchesModule.Batches;
        const runs = yield* Runs;
        const items = [{ url: VIDEO }, { url: other }];
        const patient = <A, E, R>(work: Effect.Effect<A, E, R>) =>
          Effect.gen(function* () {
            const fiber = yield* Effect.forkChild(work);
            yield* Effect.replicateEffect(TestClock.adjust("1 second"), 10, { discard: true });
            return yield* Fiber.join(fiber);
          });
        const makeResults = Effect.gen(function* () {
          for (let count = 0; count < 3; count++) {
            yield* TestClock.adjust(1);
            results.push((yield* runToEnd(accountId, { url: VIDEO, force: true })).id);
          }
          remove = (id) => Effect.ignore(runs.remove(accountId, id));
        });
        const creating = Effect.map(create(accountId, { items }, null), ({ id }) => id);
        if (how === "created") yield* makeResults;
        const id = yield* patient(creating);
        if (how === "tried again") {
          yield* cancelItems(accountId, id, items.length);
          yield* makeResults;
          yield* patient(retryFailed(accountId, id));
        }
        const { batch } = yield* get(accountId, id);
        assert.deepStrictEqual([results, batch.reused, countsOf(batch).running], [[], 0, 2]);
      }).pipe(
        Effect.provide(batchWorld({ sources: { ...SOURCES, [other]: { ...SOURCES[VIDEO], beforeInspect } } }))
      );
    }
  );

  it.effect("tries failed items again with a new look", () => {
    const { items, layer, seen } = slowSources();
    return Effect.gen(function* () {
      const accountId = yield* openAccount(100_000);
      const batches = yield* BatchesModule.Batches;
      const made = yield* Effect.forkChild(batches.create(accountId, { items: items.slice(0, 1) }, null));
      yield* passTime;
      const { id } = yield* Fiber.join(made);
      yield* cancelItems(accountId, id, 1);
      const retried = yield* Effect.forkChild(batches.retryFailed(accountId, id));
      yield* passTime;
      yield* Fiber.join(retried);
      assert.strictEqual(seen.looks, 2);
    }).pipe(Effect.provide(layer));
  });
});
