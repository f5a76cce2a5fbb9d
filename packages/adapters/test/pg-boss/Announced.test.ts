import { assert, layer as withLayer } from "@effect/vitest";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as Layer from "effect/Layer";
import { Announced, type Place } from "../../src/pg-boss/Announced.ts";
import { DatabaseChannel } from "../../src/postgres/DatabaseChannel.ts";
import * as PgConnection from "../../src/postgres/PgConnection.ts";
import { TestPostgres } from "../postgres/TestPostgres.ts";

const newPlace = (announced: Announced): Place => {
  const place: Place = { wake: null, busy: false };
  announced.add(place);
  return place;
};

/** Processes on one database, as far as they tell each other of jobs. */
const processes = Effect.fnUntraced(function* (count: number) {
  const { migratedDatabase } = yield* TestPostgres;
  const { url } = yield* migratedDatabase;
  return yield* Effect.forEach(
    Array.from({ length: count }),
    Effect.fnUntraced(function* () {
      const context = yield* Layer.build(Layer.fresh(PgConnection.layer({ url })));
      const channel = yield* Effect.provideContext(DatabaseChannel, context);
      return new Announced(channel, yield* Effect.scope);
    })
  );
});

const alone = Effect.map(processes(1), ([announced]) => announced ?? assert.fail("no process"));

/** A rest that lasts, or null when there was none. */
const resting = Effect.fnUntraced(function* (announced: Announced, place: Place) {
  const fiber = yield* Effect.forkChild(announced.rest(place), { startImmediately: true });
  return fiber.pollUnsafe() === undefined ? fiber : null;
});

withLayer(TestPostgres.layer, { excludeTestServices: true })("who looks for jobs", (it) => {
  it.effect("rests once a look found none, until somebody tells of one", () =>
    Effect.gen(function* () {
      const announced = yield* alone;
      const place = newPlace(announced);
      // Of the jobs from before the process nobody told it.
      assert.isNull(yield* resting(announced, place));
      announced.foundNone(announced.asOf);
      const rest = (yield* resting(announced, place)) ?? assert.fail("no rest");
      yield* announced.wake;
      yield* Fiber.join(rest);
      assert.isNull(yield* resting(announced, place));
    })
  );

  it.effect("looks again where a job was told of during a look that found none", () =>
    Effect.gen(function* () {
      const announced = yield* alone;
      const place = newPlace(announced);
      const { asOf } = announced;
      yield* announced.tell;
      announced.foundNone(asOf);
      assert.isNull(yield* resting(announced, place));
      announced.foundNone(announced.asOf);
      assert.isNotNull(yield* resting(announced, place));
    })
  );

  it.effect("wakes a next one with the job that it got, and nobody when no other was told of", () =>
    Effect.gen(function* () {
      const announced = yield* alone;
      const [first, second] = [newPlace(announced), newPlace(announced)];
      announced.foundNone(announced.asOf);
      const rests = [yield* resting(announced, first), yield* resting(announced, second)];
      announced.passOn();
      assert.deepStrictEqual([first.wake === null, second.wake === null], [false, false]);
      yield* announced.wake;
      first.busy = true;
      announced.passOn();
      yield* Effect.forEach(rests, (rest) => (rest === null ? Effect.void : Fiber.join(rest)));
      assert.deepStrictEqual([first.wake, second.wake], [null, null]);
    })
  );

  it.effect("rests no longer once it is removed", () =>
    Effect.gen(function* () {
      const announced = yield* alone;
      const place = newPlace(announced);
      announced.foundNone(announced.asOf);
      const rest = (yield* resting(announced, place)) ?? assert.fail("no rest");
      announced.remove(place);
      yield* Fiber.join(rest);
      assert.isNull(yield* resting(announced, place));
    })
  );

  it.effect("is in another process where every place of this one is taken", () =>
    Effect.gen(function* () {
      const [here, there] = (yield* processes(2)) as [Announced, Announced];
      const [taken, free] = [newPlace(here), newPlace(there)];
      yield* there.hear;
      for (const announced of [here, there]) announced.foundNone(announced.asOf);
      taken.busy = true;
      const woken = yield* Deferred.make<void>();
      yield* Effect.forkChild(Effect.andThen(there.rest(free), Deferred.succeed(woken, undefined)));
      yield* here.tell;
      yield* Deferred.await(woken);
    })
  );
});
