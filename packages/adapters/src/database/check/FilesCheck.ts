/**
 * Checks that the files named by results exist, and that there are no others. The server may be running: it records
 * an attempt before storing files for it, so a file that was on disk before its attempt was looked up and not found
 * is orphaned.
 */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { ArtifactStore } from "@winnow/core/ports/ArtifactStore";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import * as SqlClient from "effect/sql/SqlClient";
import { FOUND_MAX, type Inconsistency } from "./Inconsistency.ts";

/** Results read at once; each may be large. */
const RESULTS_AT_ONCE = 200;

/** Concurrent file checks: a bucket responds in tens of milliseconds. */
const ASKED_AT_ONCE = 16;

interface Served {
  readonly artifacts: ReadonlyArray<{ readonly name: string; readonly sizeBytes: number }>;
  readonly artifactOwner: { readonly extractionId: string; readonly attempt: number };
}

const missingOf = Effect.fnUntraced(function* (id: string, result: string) {
  const store = yield* ArtifactStore;
  // Parsed here, because the database cannot parse documents that contain NUL.
  const { artifactOwner, artifacts } = JSON.parse(result) as Served;
  const found = yield* Effect.forEach(artifacts, ({ name, sizeBytes }) =>
    Effect.map(store.size({ ...artifactOwner, name }), (size): ReadonlyArray<Inconsistency> => {
      if (Option.isSome(size) && size.value === sizeBytes) return [];
      const there = Option.isNone(size) ? "is missing" : `has ${size.value} bytes`;
      const place = `${artifactOwner.extractionId}/${artifactOwner.attempt}/${name}`;
      return [{ kind: "missing_file", id, detail: `Its file ${place} of ${sizeBytes} bytes ${there}.` }];
    })
  );
  return found.flat();
});

/** Files named by results, without those of extractions deleted during the check. */
export const checkNamedFiles = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient;
  const found: Array<Inconsistency> = [];
  for (let after = ""; found.length < FOUND_MAX;) {
    const rows = yield* sql<{ readonly id: string; readonly result: string }>`
      select id, result::text as result from winnow.extraction
      where id > ${after} and status = 'complete' and result is not null order by id limit ${RESULTS_AT_ONCE}`;
    const missing = yield* Effect.forEach(rows, ({ id, result }) => missingOf(id, result), {
      concurrency: ASKED_AT_ONCE
    });
    const ids = missing.flat().map(({ id }) => id);
    const still = yield* sql<{ readonly id: string }>`select id from winnow.extraction
      where id in (select json_array_elements_text(${JSON.stringify(ids)}::text::json))`;
    const stillThere = new Set(still.map(({ id }) => id));
    found.push(...missing.flat().filter(({ id }) => stillThere.has(id)));
    const last = rows.at(-1);
    if (last === undefined) break;
    after = last.id;
  }
  return found;
});

const names = (folder: string): Effect.Effect<ReadonlyArray<string>> =>
  Effect.promise(() => readdir(folder).catch(() => []));

/** Attempts with a folder that the database does not know. */
const unknownOf = Effect.fnUntraced(function* (extractionId: string, attempts: ReadonlyArray<number>) {
  const sql = yield* SqlClient.SqlClient;
  const rows = yield* sql<{ readonly attempt: number }>`
    select t.attempt::integer as attempt
    from json_array_elements_text(${JSON.stringify(attempts)}::text::json) as t (attempt)
    where not exists (select 1 from winnow.noted_files n
        where n.extraction_id = ${extractionId} and n.attempt = t.attempt::integer)
      and not exists (select 1 from winnow.abandoned_files f where f.extraction_id = ${extractionId})
      and not exists (select 1 from winnow.extraction e
        where (e.id = ${extractionId} or e.cached_from = ${extractionId}) and e.status = 'complete'
          and winnow.serves_files(e.result, ${extractionId}, t.attempt::integer))`;
  return rows.map(({ attempt }): Inconsistency => ({
    kind: "unnamed_file",
    id: `${extractionId}/${attempt}`,
    detail: "No extraction names the files of this attempt."
  }));
});

/** Attempts in the artifacts folder that nothing names and the sweeper is not about to remove. */
export const checkUnnamedFiles = Effect.fnUntraced(function* (folder: string) {
  const found: Array<Inconsistency> = [];
  for (const extractionId of yield* names(folder)) {
    if (extractionId.startsWith(".")) continue;
    const attempts = (yield* names(join(folder, extractionId))).map(Number).filter(Number.isSafeInteger);
    if (attempts.length > 0) found.push(...(yield* unknownOf(extractionId, attempts)));
    if (found.length >= FOUND_MAX) break;
  }
  return found;
});

/** Records them for removal by the sweeper of the next server. `id` is `extraction/attempt`. */
export const noteUnnamed = (id: string) => {
  const [extractionId = "", attempt = ""] = id.split("/");
  return SqlClient.SqlClient.use(
    (sql) => sql`insert into winnow.noted_files (extraction_id, attempt)
      values (${extractionId}, ${Number(attempt)}) on conflict do nothing`
  );
};
