/**
 * Locks one account's row externally while its requests continue, and measures reads and submits of another account:
 * with the lock, with the same callers without the lock, and alone. The three alternate, so that other load affects all
 * of them. One API process, a site on loopback. Exits with 1 if the lock slows the other account by more than a fifth,
 * or fails one of its requests.
 *
 *     node packages/server/bench/frozen.ts --seconds 600 --turns 5
 */
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import * as Effect from "effect/Effect";
import { Client } from "pg";
import { restartablePostgres } from "../test/RestartablePostgres.ts";
import { serverProcess } from "../test/ServerProcess.ts";
import { temporaryFolder } from "../test/TemporaryFolder.ts";
import { startSite } from "./chaos/Site.ts";
import { percentile } from "./chaos/TakeOvers.ts";

const { values } = parseArgs({
  options: {
    /** Total seconds of the lock; the other two conditions take as long. */
    seconds: { type: "string", default: "600" },
    turns: { type: "string", default: "5" }
  }
});

const TOKEN = "admin-token-of-the-frozen";
const MANY = 1_000_000;
/** Concurrent requests of the locked account: more than the pool has connections. */
const STUCK_AT_ONCE = 20;
const PAUSE_MS = 50;
const BUSY_PAUSE_MS = 200;
/** Requests of the measured account; a tenth are submits of an already inspected source. */
const SUBMIT_EVERY = 10;
const SLOWER_MAX = 1.2;
const WARM_UP_MS = 3_000;

const call = async (url: string, token: string, method: string, body?: object) => {
  const response = await fetch(url, {
    method,
    body: body === undefined ? null : JSON.stringify(body),
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" }
  });
  return { status: response.status, json: (await response.json()) as Record<string, string> };
};

const openAccount = async (server: string) => {
  const { json } = await call(`${server}/admin/v1/accounts`, TOKEN, "POST", { name: "frozen" });
  const at = `${server}/admin/v1/accounts/${json["id"]}`;
  const limits = { submitsPerMinute: MANY, readsPerMinute: MANY, othersPerMinute: MANY, waitingMax: MANY };
  await call(at, TOKEN, "PATCH", { limits });
  await call(`${at}/top-ups`, TOKEN, "POST", { credits: 10_000_000 });
  const made = await call(`${at}/api-keys`, TOKEN, "POST", { name: "frozen" });
  return { id: json["id"] ?? "", key: made.json["key"] ?? "" };
};

/** Results of the measured account's requests. */
class Samples {
  readonly failed: Array<number> = [];
  private readonly tookMs: Array<number> = [];

  add(tookMs: number, status: number): void {
    this.tookMs.push(tookMs);
    if (status >= 400) this.failed.push(status);
  }

  get p95(): number {
    return percentile(this.tookMs, 0.95);
  }

  toJSON() {
    const [p50, p95] = [percentile(this.tookMs, 0.5), this.p95].map((ms) => Math.round(ms * 10) / 10);
    return { requests: this.tookMs.length, p50, p95, failed: this.failed };
  }
}

/** One request after another, for the given time. */
const measure = async (into: Samples, server: string, key: string, url: string, forMs: number) => {
  const endMs = performance.now() + forMs;
  for (let turn = 1; performance.now() < endMs; turn += 1) {
    const startMs = performance.now();
    const { status } =
      turn % SUBMIT_EVERY === 0
        ? await call(`${server}/v1/extractions`, key, "POST", { url })
        : await call(`${server}/v1/account`, key, "GET");
    into.add(performance.now() - startMs, status);
    await wait(PAUSE_MS);
  }
};

type Answers = Record<string, number>;

/** Sends concurrent requests of the account while `during` runs; records the responses. */
const pressing = async (
  answers: Answers,
  [server, key, url]: readonly [string, string, string],
  during: () => Promise<void>
): Promise<void> => {
  const over = new AbortController();
  const one = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const { status, json } = await call(`${server}/v1/extractions`, key, "POST", { url });
      const reason = JSON.stringify(json).match(/"reason":"(\w+)"/u)?.[1] ?? "";
      const answer = `${status} ${reason}`.trim();
      answers[answer] = (answers[answer] ?? 0) + 1;
      await wait(BUSY_PAUSE_MS);
    }
  };
  const done = Promise.all(Array.from({ length: STUCK_AT_ONCE }, one));
  await during();
  over.abort();
  await done;
};

/** While another session holds the lock on the account's row. */
const locked = async (database: string, accountId: string, during: () => Promise<void>): Promise<void> => {
  const locker = new Client({ connectionString: database });
  await locker.connect();
  await locker.query("begin");
  await locker.query("select 1 from winnow.account where id = $1 for update", [accountId]);
  await during();
  await locker.query("rollback");
  await locker.end();
};

/** Returns whether the lock slowed others too much. */
const takeTurns = async (server: string, database: string, url: string): Promise<boolean> => {
  const [frozen, other] = [await openAccount(server), await openAccount(server)];
  const turns = Number(values.turns);
  const turnMs = (Number(values.seconds) * 1_000) / turns;
  const [alone, free, stuck] = [new Samples(), new Samples(), new Samples()];
  const [freeAnswers, stuckAnswers]: [Answers, Answers] = [{}, {}];
  const caller = [server, frozen.key, url] as const;
  const measured = (into: Samples, forMs = turnMs) => measure(into, server, other.key, url, forMs);
  await pressing({}, caller, () => measured(new Samples(), WARM_UP_MS));
  for (let turn = 0; turn < turns; turn += 1) {
    await measured(alone);
    await pressing(freeAnswers, caller, () => measured(free));
    await locked(database, frozen.id, () => pressing(stuckAnswers, caller, () => measured(stuck)));
  }
  const ratioTo = ({ p95 }: Samples): number => Math.round((stuck.p95 / p95) * 100) / 100;
  const ratios = { toTheSameLoad: ratioTo(free), toAlone: ratioTo(alone) };
  console.log(JSON.stringify({ alone, free, stuck, ratios, freeAnswers, stuckAnswers }, null, 2));
  return ratios.toTheSameLoad > SLOWER_MAX || stuck.failed.length > 0;
};

const bench = Effect.gen(function* () {
  const { url: database } = yield* restartablePostgres;
  const site = yield* Effect.acquireRelease(
    Effect.promise(() => startSite(0)),
    ({ stop }) => Effect.promise(stop)
  );
  const server = yield* serverProcess({
    WINNOW_DATA_DIR: yield* temporaryFolder("frozen"),
    WINNOW_PORT: "0",
    WINNOW_ROLE: "api",
    WINNOW_DATABASE_URL: database,
    WINNOW_ADMIN_TOKEN: TOKEN,
    WINNOW_EGRESS_ALLOW: site.host,
    WINNOW_LOG_LEVEL: "error"
  });
  const isTooSlow = yield* Effect.promise(() => takeTurns(server.url, database, site.urlOf(2)));
  yield* Effect.promise(() => server.kill("SIGTERM"));
  return isTooSlow;
}).pipe(Effect.scoped);

process.exitCode = (await Effect.runPromise(bench)) ? 1 : 0;
