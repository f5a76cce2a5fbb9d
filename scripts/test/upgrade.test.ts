/**
 * Processes of a build are replaced by those of another one with the same schema, one by one, under load, on one
 * database. Both are packed, installed as npm would, and run as programs.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, assert, beforeAll, describe, it, vi } from "vitest";
import { ROOT } from "../repository.ts";
import { unpacked } from "./installed.ts";
import { archives } from "./PackagesBroker.ts";
import { startLoad, startSite } from "./upgrade/load.ts";
import { type Database, startDatabase } from "./upgrade/database.ts";
import { serve, type Serving } from "./upgrade/serving.ts";

/** Packers and several starts, on a busy machine. */
vi.setConfig({ testTimeout: 600_000, hookTimeout: 1_200_000 });

const TOKEN = "admin-of-upgrades";
const LIMITS = { runningMax: 6, submitsPerMinute: 100_000, readsPerMinute: 100_000 };

/** Number of runs submitted between two steps of the upgrade. */
const RUNS_BETWEEN = 12;

let folder = "";
let database: Database;
const started = new Set<Serving>();

const at = (name: string): string => path.join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "winnow-upgrade-"));
  for (const [name, archive] of Object.entries(await archives())) {
    for (const build of ["old", "new"]) await unpacked(ROOT, at(build), name, archive);
  }
});

afterEach(async () => {
  await Promise.all([...started].map((each) => each.kill("SIGKILL")));
  started.clear();
  await database?.stop();
});

afterAll(() => rm(folder, { recursive: true, force: true }));

let processes = 0;

/** Starts a process of the build; all share the database and the files. */
const start = async (build: "old" | "new"): Promise<Serving> => {
  processes += 1;
  const serving = await serve(at(build), {
    WINNOW_DATABASE_URL: database.url,
    WINNOW_ARTIFACTS_URL: `file:${at("artifacts")}`,
    WINNOW_DATA_DIR: at(`data-${processes}`),
    WINNOW_PORT: "0",
    WINNOW_ADMIN_TOKEN: TOKEN,
    WINNOW_EGRESS_ALLOW: "127.0.0.1",
    WINNOW_MIN_FREE_BYTES: "0"
  });
  started.add(serving);
  return serving;
};

const ask = async (url: string, headers: Record<string, string>, body?: object): Promise<any> => {
  const method = body === undefined ? "GET" : "POST";
  const answer = await fetch(url, {
    method,
    headers: { ...headers, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  });
  assert.isTrue(answer.ok, `${method} ${url}: ${answer.status}`);
  return answer.json();
};

const openAccount = async (url: string): Promise<string> => {
  const admin = { authorization: `Bearer ${TOKEN}` };
  const account = await ask(`${url}/admin/v1/accounts`, admin, { name: "Rolled" });
  const own = `${url}/admin/v1/accounts/${account.id}`;
  await ask(`${own}/top-ups`, admin, { credits: 1_000_000 });
  const limited = await fetch(own, {
    method: "PATCH",
    headers: { ...admin, "content-type": "application/json" },
    body: JSON.stringify({ limits: LIMITS })
  });
  assert.isTrue(limited.ok);
  return (await ask(`${own}/api-keys`, admin, {})).key;
};

/** All items of a paginated list. */
const all = async (url: string, key: string): Promise<Array<any>> => {
  const found: Array<any> = [];
  let cursor = "";
  do {
    const page = await ask(`${url}?limit=100${cursor}`, { "x-api-key": key });
    found.push(...page.data);
    cursor = page.next_cursor === null ? "" : `&cursor=${encodeURIComponent(page.next_cursor)}`;
  } while (cursor !== "");
  return found;
};

/** All runs, once none is in progress. */
const ended = async (url: string, key: string): Promise<Array<any>> => {
  for (;;) {
    const runs = await all(`${url}/v1/extractions`, key);
    if (runs.every(({ status }) => status === "complete" || status === "failed")) return runs;
    await new Promise((resolve) => void setTimeout(resolve, 500));
  }
};

describe("a rolling upgrade", () => {
  it("replaces two processes one by one under load, even if an old one crashes: each run is debited once and completes", async () => {
    database = await startDatabase();
    const site = await startSite();
    try {
      const first = await start("old");
      let second = await start("old");
      const key = await openAccount(first.url);
      const load = startLoad(key, site.url);
      for (const { url } of [first, second]) load.addresses.add(url);
      await load.more(RUNS_BETWEEN);

      const third = await start("new");
      load.addresses.add(third.url);
      await load.more(RUNS_BETWEEN);

      // While runs are in progress, which the site holds up.
      site.hold();
      await vi.waitUntil(() => site.waiting() > 2, { timeout: 120_000 });
      await second.kill("SIGKILL");
      load.addresses.delete(second.url);
      second = await start("old");
      load.addresses.add(second.url);
      site.release();
      await load.more(RUNS_BETWEEN);

      load.addresses.delete(first.url);
      assert.strictEqual(await first.kill("SIGTERM"), 0, first.told());
      const fourth = await start("new");
      load.addresses.add(fourth.url);
      await load.more(RUNS_BETWEEN);
      load.addresses.delete(second.url);
      assert.strictEqual(await second.kill("SIGTERM"), 0, second.told());
      await load.more(RUNS_BETWEEN);
      await load.stop();

      assert.deepStrictEqual(load.faults, []);
      const runs = await ended(fourth.url, key);
      assert.sameMembers(
        runs.map(({ id }) => id),
        [...load.submitted.values()]
      );
      for (const run of runs) assert.strictEqual(run.status, "complete", JSON.stringify(run));
      const entries = await all(`${fourth.url}/v1/ledger`, key);
      const sum = entries.reduce((total: number, { credits }) => total + credits, 0);
      const { balance } = await ask(`${fourth.url}/v1/account`, { "x-api-key": key });
      assert.strictEqual(balance, sum);
      assert.lengthOf(
        entries.filter(({ kind }) => kind === "debit"),
        runs.length
      );
      for (const { told } of [first, second, third, fourth]) assert.notMatch(told(), /"level":"ERROR"/u);
    } finally {
      site.close();
    }
  });
});
