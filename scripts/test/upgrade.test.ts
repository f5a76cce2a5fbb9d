/**
 * Processes of a release are replaced by those of the next one, one by one, under load, on one database. All
 * are packed, installed as npm would, and run as programs.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, assert, beforeAll, describe, it, vi } from "vitest";
import { ROOT } from "../repository.ts";
import { unpacked } from "./installed.ts";
import { archives } from "./PackagesBroker.ts";
import { startLoad, startSite } from "./upgrade/load.ts";
import { checkOut, installRelease, laterRelease, releaseBefore } from "./upgrade/releases.ts";
import { type Database, startDatabase } from "./upgrade/database.ts";
import { serve, type Serving, StartRefused } from "./upgrade/serving.ts";

/** Compilers, packers and a dozen starts, on a busy machine. */
vi.setConfig({ testTimeout: 600_000, hookTimeout: 1_200_000 });

const TOKEN = "admin-of-upgrades";
const LIMITS = { runningMax: 6, submitsPerMinute: 100_000, readsPerMinute: 100_000 };

/** Number of runs submitted between two steps of the upgrade. */
const RUNS_BETWEEN = 12;

const before = releaseBefore();

let folder = "";
let database: Database;
const started = new Set<Serving>();

const at = (name: string): string => path.join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "winnow-upgrade-"));
  for (const [name, archive] of Object.entries(await archives())) {
    await unpacked(ROOT, at("this"), name, archive);
  }
  await laterRelease(at("this"), at("next"), false);
  await laterRelease(at("this"), at("after-next"), true);
  if (before === null) return;
  await checkOut(before, at("checkout-before"));
  await installRelease(at("checkout-before"), at("before"));
});

afterEach(async () => {
  await Promise.all([...started].map((each) => each.kill("SIGKILL")));
  started.clear();
  await database?.stop();
});

afterAll(() => rm(folder, { recursive: true, force: true }));

let processes = 0;

/** Starts a process of the release; all share the database and the files. */
const start = async (release: string): Promise<Serving> => {
  processes += 1;
  const serving = await serve(at(release), {
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

/** Replaces two processes of `old` by `young`, one after the other; one of the old ones crashes in between. */
const roll = async (old: string, young: string): Promise<void> => {
  database = await startDatabase();
  const site = await startSite();
  try {
    const first = await start(old);
    let second = await start(old);
    const key = await openAccount(first.url);
    const load = startLoad(key, site.url);
    for (const { url } of [first, second]) load.addresses.add(url);
    await load.more(RUNS_BETWEEN);

    const third = await start(young);
    load.addresses.add(third.url);
    await load.more(RUNS_BETWEEN);

    // While runs are in progress, which the site holds up.
    site.hold();
    await vi.waitUntil(() => site.waiting() > 2, { timeout: 120_000 });
    await second.kill("SIGKILL");
    load.addresses.delete(second.url);
    second = await start(old);
    load.addresses.add(second.url);
    site.release();
    await load.more(RUNS_BETWEEN);

    load.addresses.delete(first.url);
    assert.strictEqual(await first.kill("SIGTERM"), 0, first.told());
    const fourth = await start(young);
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
};

describe("a rolling upgrade", () => {
  // oxlint-disable-next-line vitest/expect-expect
  it("works from this release to one that adds to its tables, under load, even if an old process crashes", () =>
    roll("this", "next"));

  // oxlint-disable-next-line vitest/expect-expect
  it.skipIf(before === null)(
    `works from the previous release (${before ?? "there is none"}) to this one`,
    () => roll("before", "this")
  );

  it("is refused if a process would be two releases behind its database", async () => {
    database = await startDatabase();
    // That one release is allowed is shown above: old processes start beside new ones.
    await start("after-next");
    const refused = await start("this").then(
      () => "",
      (error: unknown) => (error instanceof StartRefused ? error.message : String(error))
    );
    assert.match(refused, /ended with 1/u);
    assert.match(refused, /9002_after_next is 2 releases ahead/u);
    assert.notMatch(refused, /^\s+at /mu);
  });
});
