/** A server with a table of runs of a given size, which logs the cost of its statements. */
import { execFile } from "node:child_process";
import { createReadStream, statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Store } from "@winnow/core/ports/Store";
import type { WebhookOutbox } from "@winnow/core/ports/WebhookOutbox";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as SqlClient from "effect/sql/SqlClient";
import * as PgWebhookOutbox from "../../src/database/store/PgWebhookOutbox.ts";
import { openBenchStore } from "../BenchStore.ts";
import { fillRows, idOf } from "./fillRows.ts";

const FORGOTTEN_BYTES_MIN = 1_048_576;
/** In Python, because Node.js has no posix_fadvise. */
const FORGET = `import os, sys
for path in sys.argv[1:]:
    file = os.open(path, os.O_RDONLY)
    os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(file)`;

const run = promisify(execFile);

/** The server logs each statement with plan and pages. Timing each node would cost more than most statements. */
const EXPLAIN_ALL = {
  session_preload_libraries: "auto_explain",
  "auto_explain.log_min_duration": "0",
  "auto_explain.log_analyze": "on",
  "auto_explain.log_timing": "off",
  "auto_explain.log_buffers": "on",
  "auto_explain.log_nested_statements": "on",
  // The bench runs vacuum itself.
  autovacuum: "off"
};

/** No durability while filling: the folder is removed on failure. */
const FILL = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  autovacuum: "off",
  shared_buffers: "256MB",
  max_wal_size: "2GB",
  max_parallel_maintenance_workers: "4",
  // For sorting new indexes.
  maintenance_work_mem: "2GB"
};

const NO_TIMEOUTS = { statementMs: 0, lockMs: 0, idleInTransactionMs: 0 };

export interface ExplainedStatement {
  readonly durationMs: number;
  /** The indexes and tables read by the statement and by the functions it calls. */
  readonly plan: string;
  /** Pages found in PostgreSQL's own buffers, and pages read from the system (its cache or the disk). */
  readonly hitPages: number;
  readonly readPages: number;
}

/** What was read: the name of the index, or `Seq Scan on` and the table without one. */
const SCAN =
  /(?:Index (?:Only )?Scan (?:Backward )?using |Bitmap Index Scan on |(?=Seq Scan))(Seq Scan on \w+|\w+)/gu;

/** Log entries with a duration; an entry starts with a date and may span several lines. */
const entriesOf = (log: string): ReadonlyArray<string> =>
  log.split(/^(?=\d{4}-\d\d-\d\d )/mu).filter((entry) => entry.includes("duration: "));

/** Statements of our functions are logged before their caller; only the caller counts. */
const statementsOf = (log: string, own: string): ReadonlyArray<ExplainedStatement> => {
  const found: Array<ExplainedStatement> = [];
  let scans: Array<string> = [];
  for (const entry of entriesOf(log)) {
    scans.push(...Array.from(entry.matchAll(SCAN), ([, name = ""]) => name));
    if (!entry.slice(0, entry.indexOf("(cost=")).includes(own)) continue;
    const [, duration] = /duration: ([\d.]+) ms/u.exec(entry) ?? [];
    const [, hit = 0, read = 0] = /Buffers: shared(?: hit=(\d+))?(?: read=(\d+))?/u.exec(entry) ?? [];
    const plan = [...new Set(scans)].join(", ");
    found.push({ durationMs: Number(duration), plan, hitPages: Number(hit), readPages: Number(read) });
    scans = [];
  }
  return found;
};

const isFilled = Effect.fnUntraced(function* (rows: number) {
  const sql = yield* SqlClient.SqlClient;
  const found = yield* sql`select 1 from winnow.extraction where id = ${idOf(rows)}`;
  return found.length > 0;
});

/** A separate server, filled if it is empty; `folder` is kept. */
export type RowsDatabase = Effect.Success<ReturnType<typeof rowsDatabase>>;

export const rowsDatabase = Effect.fnUntraced(function* (rows: number, folder: string) {
  yield* Effect.scoped(
    Effect.gen(function* () {
      const { services } = yield* openBenchStore({
        dataFolder: folder,
        settings: FILL,
        timeouts: NO_TIMEOUTS
      });
      const filling = Effect.gen(function* () {
        if (!(yield* isFilled(rows))) yield* fillRows(rows);
      });
      yield* Effect.provideContext(filling, services);
    })
  );
  const opened = yield* openBenchStore({
    dataFolder: folder,
    settings: EXPLAIN_ALL,
    timeouts: NO_TIMEOUTS
  });
  const outbox = yield* Layer.build(PgWebhookOutbox.layer).pipe(Effect.provideContext(opened.services));
  const services = Context.merge(opened.services, outbox);
  const logPath = join(folder, "postgres", "server.log");
  const sql = yield* Effect.provideContext(SqlClient.SqlClient, services);
  const [size] = yield* sql<{ bytes: string }>`
    select pg_size_pretty(pg_total_relation_size('winnow.extraction') / ${rows}::integer) as bytes`;
  return {
    rows,
    size: size?.bytes ?? "",
    /** Costs of the query's statements that contain `own`. */
    explained: (asking: Effect.Effect<unknown, never, Store | WebhookOutbox>, own: string) =>
      Effect.gen(function* () {
        const before = statSync(logPath).size;
        yield* Effect.provideContext(asking, services);
        const added = createReadStream(logPath, { start: before }).setEncoding("utf8");
        return statementsOf((yield* Effect.promise(() => added.toArray())).join(""), own);
      }),
    /** Drops the system's cache; the server's buffers are kept. */
    forgetFiles: Effect.promise(async () => {
      const files = await readdir(join(folder, "postgres", "cluster", "base"), {
        recursive: true,
        withFileTypes: true
      });
      const paths = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
      const large = paths.filter(
        (path) => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > FORGOTTEN_BYTES_MIN
      );
      await run("python3", ["-c", FORGET, ...large]);
    }),
    services
  };
});
