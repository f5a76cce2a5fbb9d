// @module-tag faults: a killed server must be noticed within a minute
/**
 * kill -9 of the server in the middle of a run, on the real database and the real downloader.
 */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import * as EmbeddedPostgres from "@winnow/adapters/database/embedded/EmbeddedPostgres";
import * as PgConnection from "@winnow/adapters/database/store/PgConnection";
import * as Effect from "effect/Effect";
import * as Schedule from "effect/Schedule";
import * as SqlClient from "effect/sql/SqlClient";
import { makeCall } from "./ApiCall.ts";
import { assertGone, firstKey, serverProcess } from "./ServerProcess.ts";
import { slowSite } from "./slowSite.ts";
import { temporaryFolder } from "./TemporaryFolder.ts";

/** A dead worker must be noticed within this time. */
const TAKE_UP_TIMEOUT = "60 seconds";
const START_TIMEOUT = "120 seconds";
const FINISH_TIMEOUT = "120 seconds";

interface Row {
  readonly status: string;
  readonly attempt: number;
}

/** The database of the server that runs on the folder. */
const withDatabase = <A, E>(folder: string, use: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.gen(function* () {
    const { url } = yield* EmbeddedPostgres.use({ dataDir: folder });
    return yield* Effect.provide(use, PgConnection.layer({ url }));
  }).pipe(Effect.scoped, Effect.orDie);

const rowOf = Effect.fnUntraced(function* (id: string) {
  const sql = yield* SqlClient.SqlClient;
  const [row] = yield* sql.unsafe<Row>("select status, attempt from winnow.extraction where id = $1", [id]);
  return row!;
});

const untilRow = (id: string, condition: (row: Row) => boolean) =>
  rowOf(id).pipe(Effect.repeat({ schedule: Schedule.spaced("100 millis"), until: condition }));

const balanceOf = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient;
  const [row] = yield* sql.unsafe<{ balance: string; total: string; debits: string }>(
    `select balance::text, (select sum(credits)::text from winnow.ledger) as total,
      (select count(*)::text from winnow.ledger where kind = 'debit') as debits from winnow.account`
  );
  return row!;
});

describe("a server that is killed in the middle of a run", () => {
  it.live(
    "leaves its run to the next one, and money and files stay correct",
    () =>
      Effect.gen(function* () {
        const site = yield* slowSite;
        const folder = yield* temporaryFolder("crash");
        const env = {
          WINNOW_DATA_DIR: folder,
          WINNOW_PORT: "0",
          WINNOW_EGRESS_ALLOW: site.host,
          WINNOW_LOG_LEVEL: "info"
        };

        const first = yield* serverProcess(env);
        const key = firstKey(folder);
        const call = makeCall(first.url);
        const submitted = yield* call("/v1/extractions", { key, body: { url: site.pageUrl } });
        assert.strictEqual(submitted.status, 201);
        const id: string = submitted.json.id;
        yield* call(`/v1/extractions/${id}`, { key }).pipe(
          Effect.repeat({
            schedule: Schedule.spaced("1 second"),
            until: ({ json }) => json.status === "running" && site.openAnswers() > 0
          }),
          Effect.timeout(START_TIMEOUT)
        );
        yield* Effect.promise(() => first.kill("SIGKILL"));

        site.setSlow(false);
        const second = yield* serverProcess(env);
        yield* withDatabase(
          folder,
          Effect.gen(function* () {
            const taken = yield* untilRow(id, ({ attempt }) => attempt === 2).pipe(
              Effect.timeout(TAKE_UP_TIMEOUT)
            );
            assert.strictEqual(taken.attempt, 2);
            const ended = yield* untilRow(
              id,
              ({ status }) => status === "complete" || status === "failed"
            ).pipe(Effect.timeout(FINISH_TIMEOUT));
            assert.strictEqual(ended.status, "complete", second.stderr());
            const { balance, total, debits } = yield* balanceOf;
            assert.strictEqual(total, balance);
            assert.strictEqual(debits, "1");
          })
        );

        const { json } = yield* makeCall(second.url)(`/v1/extractions/${id}/result`, { key });
        assert.strictEqual(json.status, "complete");
        assert.include(json.summary.files, "video.mp4");
        assert.isAbove(json.summary.durationSeconds, 5);
        const attempts = readdirSync(join(folder, "artifacts"), { recursive: true, encoding: "utf8" });
        assert.isEmpty(
          attempts.filter((path) => path.includes(join(id, "1"))),
          "files of the dead attempt"
        );

        assert.strictEqual(yield* Effect.promise(() => second.kill("SIGTERM")), 0, second.stderr());
        yield* assertGone(folder);
        assert.isFalse(existsSync(join(folder, "server.json")));
        const left = readdirSync(join(folder, "work"), { recursive: true });
        assert.isEmpty(left, "working folders of runs and of their programs");
      }).pipe(Effect.scoped),
    480_000
  );
});
