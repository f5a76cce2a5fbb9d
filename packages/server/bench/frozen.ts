/**
 * One account's row is locked from outside for as long as one likes, while its own requests keep coming: what reads and
 * submits of another account take, beside what they took before. One API process, a site on loopback.
 *
 *     node packages/server/bench/frozen.ts --seconds 600
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

const { values } = parseArgs({ options: { seconds: { type: "string", default: "600" } } });

const TOKEN = "admin-token-of-the-frozen";
const MANY = 1_000_000;
/** Requests of the locked account that wait at once: more than a pool has connections. */
const STUCK_AT_ONCE = 20;
const PAUSE_MS = 50;
const BUSY_PAUSE_MS = 200;
/** Of the measured account; a tenth are submits of a source that was looked at before. */
const SUBMIT_EVERY = 10;

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

/** How long each request took, in milliseconds, for so long. */
const measure = async (server: string, key: string, url: string, forMs: number) => {
  const took: Array<number> = [];
  const failed: Array<number> = [];
  const endMs = performance.now() + forMs;
  for (let turn = 1; performance.now() < endMs; turn += 1) {
    const startMs = performance.now();
    const { status } =
      turn % SUBMIT_EVERY === 0
        ? await call(`${server}/v1/extractions`, key, "POST", { url })
        : await call(`${server}/v1/account`, key, "GET");
    took.push(performance.now() - startMs);
    if (status >= 400) failed.push(status);
    await wait(PAUSE_MS);
  }
  return { p50: percentile(took, 0.5), p95: percentile(took, 0.95), requests: took.length, failed };
};

/** Requests of the locked account one after the other, until told; answers what they were answered. */
const press = (server: string, key: string, url: string, signal: AbortSignal) => {
  const statuses: Record<string, number> = {};
  const one = async (): Promise<void> => {
    while (!signal.aborted) {
      const { status, json } = await call(`${server}/v1/extractions`, key, "POST", { url });
      const reason = JSON.stringify(json).match(/"reason":"(\w+)"/u)?.[1] ?? "";
      const answer = `${status} ${reason}`.trim();
      statuses[answer] = (statuses[answer] ?? 0) + 1;
      await wait(BUSY_PAUSE_MS);
    }
  };
  const done = Promise.all(Array.from({ length: STUCK_AT_ONCE }, one));
  return done.then(() => statuses);
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
  yield* Effect.promise(async () => {
    const forMs = Number(values.seconds) * 1_000;
    const [frozen, other] = [await openAccount(server.url), await openAccount(server.url)];
    const url = site.urlOf(2);
    const locker = new Client({ connectionString: database });
    await locker.connect();
    await measure(server.url, other.key, url, 3_000);
    const alone = await measure(server.url, other.key, url, Math.min(forMs, 60_000));
    // Both accounts at work, but no lock.
    const calm = new AbortController();
    const calmPress = press(server.url, frozen.key, url, calm.signal);
    const before = await measure(server.url, other.key, url, Math.min(forMs, 60_000));
    calm.abort();
    await calmPress;
    await locker.query("begin");
    await locker.query("select 1 from winnow.account where id = $1 for update", [frozen.id]);
    const stuck = new AbortController();
    const stuckPress = press(server.url, frozen.key, url, stuck.signal);
    const during = await measure(server.url, other.key, url, forMs);
    stuck.abort();
    const answers = await stuckPress;
    await locker.query("rollback");
    await locker.end();
    const ratioTo = (p95: number): number => Math.round((during.p95 / p95) * 100) / 100;
    const ratios = { toAlone: ratioTo(alone.p95), toBoth: ratioTo(before.p95) };
    console.log(JSON.stringify({ alone, before, during, ratios, answers }));
    await server.kill("SIGTERM");
  });
}).pipe(Effect.scoped);

await Effect.runPromise(bench);
