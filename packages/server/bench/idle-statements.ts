/**
 * Statements per second and connections of an idle server, by role. Takes the URL of an empty database whose server
 * has pg_stat_statements loaded.
 *
 *   node packages/server/bench/idle-statements.ts <database url> [seconds]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as Effect from "effect/Effect";
import { Client } from "pg";
import { serverProcess } from "../test/ServerProcess.ts";

const [url = "", seconds = "60"] = process.argv.slice(2);

/** By then, start-up work has ended and its connections are closed. */
const SETTLE_SECONDS = 70;

const OWN =
  "query not like '%pg_stat_%' and dbid = (select oid from pg_database where datname = current_database())";

const measure = (role: string) =>
  Effect.gen(function* () {
    const folder = mkdtempSync(join(tmpdir(), "winnow-idle-"));
    yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true, force: true })));
    const client = new Client({ connectionString: url });
    yield* Effect.promise(() => client.connect());
    yield* Effect.addFinalizer(() => Effect.promise(() => client.end()));
    const ask = (text: string) =>
      Effect.promise(() => client.query<Record<string, unknown>>(text)).pipe(Effect.map(({ rows }) => rows));
    yield* ask("create extension if not exists pg_stat_statements");
    const server = yield* serverProcess({
      WINNOW_DATABASE_URL: url,
      WINNOW_DATA_DIR: folder,
      WINNOW_PORT: "0",
      WINNOW_ROLE: role
    });
    yield* Effect.sleep(`${SETTLE_SECONDS} seconds`);
    yield* ask("select pg_stat_statements_reset()");
    yield* Effect.sleep(`${Number(seconds)} seconds`);
    const statements = yield* ask(
      `select calls::integer, left(regexp_replace(query, '\\s+', ' ', 'g'), 100) as text
        from pg_stat_statements where ${OWN} order by calls desc`
    );
    const [connections] = yield* ask(
      "select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()"
    );
    const calls = statements.reduce((sum, row) => sum + Number(row["calls"]), 0);
    console.log(
      `${role}: ${(calls / Number(seconds)).toFixed(2)} statements a second, ${String(connections?.["count"])} connections`
    );
    for (const row of statements) console.log(`${String(row["calls"]).padStart(6)}  ${String(row["text"])}`);
    yield* Effect.promise(() => server.kill("SIGTERM"));
  }).pipe(Effect.scoped);

for (const role of ["all", "api", "worker"]) await Effect.runPromise(measure(role));
