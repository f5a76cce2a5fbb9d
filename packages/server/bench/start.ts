/**
 * Start of a server on a database that is up and migrated, from the first instruction of the process to
 * the line that says it listens. Budget: 1 s.
 *
 *     node packages/server/bench/start.ts [rounds]
 */
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as EmbeddedPostgres from "@winnow/adapters/database/embedded/EmbeddedPostgres";
import * as Effect from "effect/Effect";
import * as Redacted from "effect/Redacted";
import { serverProcess } from "../test/ServerProcess.ts";

const [rounds = 9] = process.argv.slice(2).map(Number);

const start = (databaseUrl: string, folder: string) =>
  Effect.gen(function* () {
    const startMs = performance.now();
    const server = yield* serverProcess({
      WINNOW_DATABASE_URL: databaseUrl,
      WINNOW_DATA_DIR: folder,
      WINNOW_PORT: "0"
    });
    const tookMs = performance.now() - startMs;
    yield* Effect.promise(() => server.kill("SIGTERM"));
    return tookMs;
  }).pipe(Effect.scoped);

const program = Effect.gen(function* () {
  const folder = mkdtempSync(join(tmpdir(), "winnow-bench-"));
  yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true, force: true })));
  chmodSync(folder, 0o755); // as root, PostgreSQL's user must enter
  const { url } = yield* EmbeddedPostgres.start({ dataDir: folder });
  const first = yield* start(Redacted.value(url), folder);
  console.log(`first start, which migrates: ${first.toFixed(0)} ms`);
  const times: Array<number> = [];
  for (let round = 1; round <= rounds; round++) times.push(yield* start(Redacted.value(url), folder));
  const [least = 0, median = 0] = [0, rounds >> 1].map((place) => times.toSorted((a, b) => a - b)[place]);
  console.log(`later starts: median ${median.toFixed(0)} ms, least ${least.toFixed(0)} ms (budget 1000)`);
}).pipe(Effect.scoped);

await Effect.runPromise(program);
