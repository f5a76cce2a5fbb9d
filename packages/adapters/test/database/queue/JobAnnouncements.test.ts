// @module-tag long
import { assert, layer as withLayer } from "@effect/vitest";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as Layer from "effect/Layer";
import { JobAnnouncements, type JobSlot } from "../../../src/database/queue/JobAnnouncements.ts";
import { DatabaseChannel } from "../../../src/database/store/DatabaseChannel.ts";
import * as PgConnection from "../../../src/database/store/PgConnection.ts";
import { TestPostgres } from "../store/TestPostgres.ts";

const newSlot = (announcements: JobAnnouncements): JobSlot => {
  const slot: JobSlot = { wake: null, busy: false };
  announcements.add(slot);
  return slot;
};

/** Processes on one database that announce jobs to each other. */
const processes = Effect.fnUntraced(function* (count: number) {
  const { migratedDatabase } = yield* TestPostgres;
  const { url } = yield* migratedDatabase;
  return yield* Effect.forEach(
    Array.from({ length: count }),
    Effect.fnUntraced(function* () {
      const context = yield* Layer.build(Layer.fresh(PgConnection.layer({ url })));
      const channel = yield* Effect.provideContext(DatabaseChannel, context);
      return new JobAnnouncements(channel, yield* Effect.scope);
    })
  );
});

const singleProcess = Effect.map(
  processes(1),
  ([announcements]) => announcements ?? assert.fail("no process")
);

/** The waiting fiber; null if there was nothing to wait for. */
const startWaiting = Effect.fnUntraced(function* (announcements: JobAnnouncements, slot: JobSlot) {
  const fiber = yield* Effect.forkChild(announcements.awaitJob(slot), { startImmediately: true });
  return fiber.pollUnsafe() === undefined ? fiber : null;
});

withLayer(TestPostgres.layer, { excludeTestServices: true })("JobAnnouncements", (it) => {
  it.effect("a slot waits after an empty poll until a job is announced", () =>
    Effect.gen(function* () {
      const announcements = yield* singleProcess;
      const slot = newSlot(announcements);
      // Jobs enqueued before the process started were not announced to it.
      assert.isNull(yield* startWaiting(announcements, slot));
      announcements.pollFoundNothing(announcements.position);
      const waiting = (yield* startWaiting(announcements, slot)) ?? assert.fail("it did not wait");
      yield* announcements.wake;
      yield* Fiber.join(waiting);
      assert.isNull(yield* startWaiting(announcements, slot));
    })
  );

  it.effect("a slot polls again if a job was announced during an empty poll", () =>
    Effect.gen(function* () {
      const announcements = yield* singleProcess;
      const slot = newSlot(announcements);
      const { position } = announcements;
      yield* announcements.announce;
      announcements.pollFoundNothing(position);
      assert.isNull(yield* startWaiting(announcements, slot));
      announcements.pollFoundNothing(announcements.position);
      assert.isNotNull(yield* startWaiting(announcements, slot));
    })
  );

  it.effect("a slot that gets a job wakes the next one, unless no other job was announced", () =>
    Effect.gen(function* () {
      const announcements = yield* singleProcess;
      const [first, second] = [newSlot(announcements), newSlot(announcements)];
      announcements.pollFoundNothing(announcements.position);
      const fibers = [yield* startWaiting(announcements, first), yield* startWaiting(announcements, second)];
      announcements.wakeNext();
      assert.deepStrictEqual([first.wake === null, second.wake === null], [false, false]);
      yield* announcements.wake;
      first.busy = true;
      announcements.wakeNext();
      yield* Effect.forEach(fibers, (fiber) => (fiber === null ? Effect.void : Fiber.join(fiber)));
      assert.deepStrictEqual([first.wake, second.wake], [null, null]);
    })
  );

  it.effect("a removed slot stops waiting", () =>
    Effect.gen(function* () {
      const announcements = yield* singleProcess;
      const slot = newSlot(announcements);
      announcements.pollFoundNothing(announcements.position);
      const waiting = (yield* startWaiting(announcements, slot)) ?? assert.fail("it did not wait");
      announcements.remove(slot);
      yield* Fiber.join(waiting);
      assert.isNull(yield* startWaiting(announcements, slot));
    })
  );

  it.effect("a job is announced to other processes if every slot of this one is busy", () =>
    Effect.gen(function* () {
      const [here, there] = (yield* processes(2)) as [JobAnnouncements, JobAnnouncements];
      const [busy, free] = [newSlot(here), newSlot(there)];
      yield* there.listen;
      for (const announcements of [here, there]) announcements.pollFoundNothing(announcements.position);
      busy.busy = true;
      const woken = yield* Deferred.make<void>();
      yield* Effect.forkChild(Effect.andThen(there.awaitJob(free), Deferred.succeed(woken, undefined)));
      yield* here.announce;
      yield* Deferred.await(woken);
    })
  );
});
