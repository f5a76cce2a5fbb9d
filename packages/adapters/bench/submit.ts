/**
 * Submits per second, 8 at once: PgStore.transact(decideSubmit) with its job, compared with pgbench running the
 * same statements with the same values, alternating on the same durable server.
 *
 *     node packages/adapters/bench/submit.ts [rounds] [seconds]
 */
import { spawn } from "node:child_process";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UNNAMED_REQUESTER } from "@winnow/core/domain/request/Requester";
import { decideSubmit, type Submit } from "@winnow/core/domain/run/Submission";
import { Store } from "@winnow/core/ports/Store";
import * as Console from "effect/Console";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Redacted from "effect/Redacted";
import * as SqlClient from "effect/sql/SqlClient";
import * as PgJobQueue from "../src/database/queue/PgJobQueue.ts";
import * as EmbeddedPostgres from "../src/database/embedded/EmbeddedPostgres.ts";
import * as Migrations from "../src/database/migrations/Migrations.ts";
import * as PgConnection from "../src/database/store/PgConnection.ts";
import * as PgStore from "../src/database/store/PgStore.ts";
import { makeScript, SAMPLE, type PgbenchScript } from "./submitScript.ts";
import { sampleAccount, sampleRequest, sampleView } from "@winnow/testing/samples/samples";

const CLIENTS = 8;
/** Enough that no account needs a third slot. */
const ACCOUNTS = 200_000;
const BALANCE = 1_000_000;
const [rounds = 5, seconds = 4] = process.argv.slice(2).map(Number);

const VIDEO_URL = "https://example.com/watch?v=dQw4w9WgXcQ";

const sampleOf = (accountId: string, id: string): Submit => ({
  id,
  nowMs: 1_700_000_000_000,
  request: sampleRequest({ url: VIDEO_URL, normalizedUrl: VIDEO_URL, submitted: { url: VIDEO_URL } }),
  requester: UNNAMED_REQUESTER,
  cacheKey: "0".repeat(64),
  idempotency: { key: `key-${id}`, bodyDigest: "1".repeat(64) },
  reuse: null,
  seen: { kind: "video", title: null, durationSeconds: 213, imageCount: 0 }
});

const addAccounts = (sql: SqlClient.SqlClient) => sql`
  insert into winnow.account (id, name, balance, slots_used, bonus_granted, created_at_ms)
  select 'acc_' || n, 'Bench', ${BALANCE}, 0, true, 0 from generate_series(1, ${ACCOUNTS}) n`;

/** Submits a second through the store. */
const throughStore = (nextNumber: () => number) =>
  Effect.gen(function* () {
    const store = yield* Store;
    const startMs = performance.now();
    const endMs = startMs + seconds * 1_000;
    let submits = 0;
    const client = Effect.gen(function* () {
      while (performance.now() < endMs) {
        const number = nextNumber();
        const accountId = `acc_${number}`;
        const submit = sampleOf(accountId, `ext_${number}_store`);
        yield* store.transact(accountId, decideSubmit(submit));
        submits += 1;
      }
    });
    yield* Effect.all(
      Array.from({ length: CLIENTS }, () => client),
      { concurrency: CLIENTS }
    );
    return (submits * 1_000) / (performance.now() - startMs);
  });

/** Submits a second through pgbench. */
const throughPgbench = async (url: URL, file: string, script: PgbenchScript): Promise<number> => {
  const variables = Object.entries(script.variables).flatMap(([name, value]) => ["-D", `${name}=${value}`]);
  const options = [
    "-n",
    "-M",
    "prepared",
    "-c",
    String(CLIENTS),
    "-j",
    "2",
    "-T",
    String(seconds),
    "-f",
    file
  ];
  const address = ["-h", url.hostname, "-p", url.port, "-U", url.username];
  const child = spawn("pgbench", [...options, ...variables, ...address, url.pathname.slice(1)], {
    env: { ...process.env, PGPASSWORD: decodeURIComponent(url.password) }
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += String(chunk)));
  child.stderr.on("data", (chunk: Buffer) => (output += String(chunk)));
  await new Promise((resolve, reject) => child.once("close", resolve).once("error", reject));
  const [, rate] = /^tps = ([\d.]+)/mu.exec(output) ?? [];
  if (rate === undefined || /failed transactions: [1-9]/u.test(output)) throw new Error(output);
  return Number(rate);
};

/** Every submit must have written the same five rows on both sides, or the comparison is invalid. */
const assertSameWork = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const [counts] = yield* sql<Record<string, number>>`select
    (select count(*) from winnow.extraction)::integer as extractions,
    (select count(*) from winnow.ledger)::integer as debits,
    (select count(*) from winnow.idempotency)::integer as keys,
    (select count(*) from winnow.job)::integer as jobs,
    (select count(distinct account_id) from winnow.extraction)::integer as "accountsUsed",
    (select count(*) from winnow.account where slots_used > 0)::integer as "accountsChanged"`;
  const { accountsUsed, accountsChanged, ...rows } = counts ?? {};
  if (new Set(Object.values(rows)).size !== 1 || accountsUsed !== accountsChanged) {
    return yield* Effect.die(new Error(`The sides did not do the same: ${JSON.stringify(counts)}`));
  }
});

const median = (values: ReadonlyArray<number>): number =>
  [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;

const compare = (url: Redacted.Redacted, folder: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient;
    yield* addAccounts(sql);
    const account = sampleAccount({ id: SAMPLE.accountId, balance: BALANCE, bonusGranted: true });
    const script = makeScript(sampleView({ account }), sampleOf(SAMPLE.accountId, SAMPLE.id), ACCOUNTS);
    const file = join(folder, "submit.sql");
    yield* Effect.promise(() => writeFile(file, script.text));
    let number = 0;
    const store = throughStore(() => (number += 1));
    const pgbench = Effect.promise(() => throughPgbench(new URL(Redacted.value(url)), file, script));
    yield* store; // warms up both sides: prepared statements, code, the tables in memory
    const ratios: Array<number> = [];
    yield* Console.log("round  submits/s store  submits/s pgbench  time ratio");
    for (let round = 1; round <= rounds; round += 1) {
      const storeFirst = round % 2 === 1;
      const first = yield* storeFirst ? store : pgbench;
      const second = yield* storeFirst ? pgbench : store;
      const [ours, theirs] = storeFirst ? [first, second] : [second, first];
      ratios.push(theirs / ours);
      const cells = [String(round).padStart(5), ours.toFixed(0).padStart(15), theirs.toFixed(0).padStart(17)];
      yield* Console.log(`${cells.join("  ")}  ${(theirs / ours).toFixed(2).padStart(10)}`);
    }
    yield* assertSameWork(sql);
    yield* Console.log(`median time ratio ${median(ratios).toFixed(2)} (budget 2.00)`);
  });

const program = Effect.gen(function* () {
  const folder = yield* Effect.promise(() => mkdtemp(join(tmpdir(), "winnow-bench-")));
  yield* Effect.addFinalizer(() => Effect.promise(() => rm(folder, { recursive: true, force: true })));
  yield* Effect.promise(() => chmod(folder, 0o755)); // as root, PostgreSQL's user must enter
  const { url } = yield* EmbeddedPostgres.start({ dataDir: folder });
  const layer = PgStore.layer.pipe(
    Layer.provideMerge(PgJobQueue.layer()),
    Layer.provideMerge(Migrations.layer),
    Layer.provideMerge(PgConnection.layer({ url, connectionsMax: CLIENTS }))
  );
  yield* Effect.provide(Effect.scoped(compare(url, folder)), layer);
});

await Effect.runPromise(Effect.scoped(program));
