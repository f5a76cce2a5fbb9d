// @module-tag long
import { assert, describe, it } from "@effect/vitest";
import { JobQueue } from "@winnow/core/ports/JobQueue";
import { RunFeed } from "@winnow/core/ports/RunFeed";
import { sampleEvent } from "@winnow/testing/suites/RunFeedSuite";
import { sampleSubmit } from "@winnow/testing/samples/samples";
import { openAccount, readAll, submit } from "@winnow/testing/samples/StoreSteps";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import type * as Redacted from "effect/Redacted";
import * as SqlClient from "effect/sql/SqlClient";
import * as Stream from "effect/Stream";
import * as PgJobQueue from "../../../src/database/queue/PgJobQueue.ts";
import * as PgConnection from "../../../src/database/store/PgConnection.ts";
import * as PgRunFeed from "../../../src/database/store/PgRunFeed.ts";
import * as PgStore from "../../../src/database/store/PgStore.ts";
import { hasPgBouncer, pooled } from "./Pooler.ts";
import { TestPostgres } from "./TestPostgres.ts";

const processOn = (url: Redacted.Redacted, directUrl: Redacted.Redacted) =>
  Layer.build(
    Layer.fresh(
      Layer.mergeAll(PgStore.layer, PgRunFeed.layer).pipe(
        Layer.provideMerge(PgJobQueue.layer()),
        Layer.provideMerge(PgConnection.layer({ url, directUrl }))
      )
    )
  );

const ACCOUNTS = 12;

const SKIPPED = hasPgBouncer ? "" : " (skipped: pgbouncer is not installed)";

describe.skipIf(!hasPgBouncer)(`behind PgBouncer in transaction mode${SKIPPED}`, () => {
  it.live("concurrent decisions, jobs and the feed work between processes", () =>
    Effect.gen(function* () {
      const { tcpUrl } = yield* Effect.flatMap(TestPostgres, (server) => server.migratedDatabase);
      const url = yield* pooled(tcpUrl);
      const [one, two] = [yield* processOn(url, tcpUrl), yield* processOn(url, tcpUrl)];
      const submitted = yield* Effect.forEach(
        Array.from({ length: ACCOUNTS }),
        Effect.fnUntraced(function* () {
          const accountId = yield* openAccount({ balance: 500 });
          const { extraction } = yield* submit(accountId, sampleSubmit(accountId));
          assert.lengthOf((yield* readAll(accountId)).extractions, 1);
          return extraction.id;
        }),
        { concurrency: ACCOUNTS }
      ).pipe(Effect.provideContext(one));

      const taken = new Set<string>();
      const all = yield* Deferred.make<void>();
      yield* JobQueue.use((queue) =>
        queue.work(4, ({ extractionId }) =>
          Effect.suspend(() => {
            taken.add(extractionId);
            return taken.size === ACCOUNTS ? Deferred.succeed(all, undefined) : Effect.void;
          })
        )
      ).pipe(Effect.provideContext(two));
      yield* Deferred.await(all);
      assert.sameMembers([...taken], submitted);

      const watched = yield* RunFeed.use((feed) => feed.watch("ext_1")).pipe(Effect.provideContext(two));
      yield* RunFeed.use((feed) => feed.publish("ext_1", sampleEvent(1))).pipe(Effect.provideContext(one));
      assert.deepStrictEqual([...(yield* Stream.runCollect(Stream.take(watched, 1)))], [sampleEvent(1)]);
    }).pipe(Effect.scoped, Effect.provide(TestPostgres.layer))
  );

  it.live("the role's timeouts apply", () =>
    Effect.gen(function* () {
      const { tcpUrl } = yield* Effect.flatMap(TestPostgres, (server) => server.migratedDatabase);
      const sql = yield* SqlClient.SqlClient.pipe(
        Effect.provide(yield* Layer.build(PgConnection.layer({ url: tcpUrl })))
      );
      const [database] = yield* sql<{ name: string }>`select current_database() as name`;
      yield* sql.unsafe(`alter database ${database?.name} set lock_timeout = '3s'`).unprepared;
      const url = yield* pooled(tcpUrl);
      const through = yield* SqlClient.SqlClient.pipe(
        Effect.provide(yield* Layer.build(Layer.fresh(PgConnection.layer({ url, directUrl: tcpUrl }))))
      );
      const [shown] = yield* through<{ lock_timeout: string }>`show lock_timeout`;
      assert.strictEqual(shown?.lock_timeout, "3s");
    }).pipe(Effect.scoped, Effect.provide(TestPostgres.layer))
  );
});
