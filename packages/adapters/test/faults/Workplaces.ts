/** Databases and folders for engines, and how to wait until killed engines no longer use them. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as Effect from "effect/Effect";
import * as Redacted from "effect/Redacted";
import * as Schedule from "effect/Schedule";
import * as SqlClient from "effect/sql/SqlClient";
import { TestPostgres } from "../database/store/TestPostgres.ts";
import type { Workplace } from "./TestEngine.ts";

/** A new database and a new folder. */
export const workplace = Effect.gen(function* () {
  const { url, tcpUrl } = yield* Effect.flatMap(TestPostgres, (server) => server.migratedDatabase);
  const artifactsFolder = yield* Effect.acquireRelease(
    Effect.promise(() => mkdtemp(join(tmpdir(), "winnow-faults-"))),
    (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
  );
  return {
    databaseUrl: Redacted.value(url),
    tcpUrl: Redacted.value(tcpUrl),
    artifactsFolder
  } satisfies Workplace;
});

/**
 * PostgreSQL may still execute statements of a killed process, until it notices that the connection is lost. Waits
 * until no connection of a child is left.
 */
export const untilChildrenAreGone = SqlClient.SqlClient.use((sql) =>
  sql<{ readonly open: number }>`select count(*)::integer as open from pg_stat_activity
    where datname = current_database() and client_addr is not null`.pipe(
    Effect.repeat({ schedule: Schedule.spaced("10 millis"), until: ([row]) => row?.open === 0 })
  )
);
