/**
 * Real processes (API and workers), a real PostgreSQL, a bucket and a site, under random faults from a seed:
 * kills, frozen processes, cut connections, restarts and crashes of the database, a failing bucket. Afterwards
 * every invariant must hold, every run must have ended, and no orphaned file may be left.
 */
import { chmodSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { SECTIONS_FILE } from "@winnow/core/domain/result/ArtifactName";
import { BUCKET_CREDENTIALS, startFaultyBucket, type FaultyBucket } from "../FaultyBucket.ts";
import { startRestartablePostgres, type RestartablePostgres } from "../RestartablePostgres.ts";
import { processesAbout } from "../ServerProcess.ts";
import { Callers } from "./Callers.ts";
import { Fleet } from "./Fleet.ts";
import { Faults, type FaultCounts, type FaultName } from "./Faults.ts";
import { ChaosDatabase } from "./Laws.ts";
import { seededRandom } from "@winnow/testing/samples/samples";
import { startSite, type ChaosSite } from "./Site.ts";
import { percentile, TakeOvers } from "./TakeOvers.ts";

export interface ChaosOptions {
  readonly seed: number;
  readonly forMs: number;
  readonly apis: number;
  readonly workers: number;
  readonly faults: ReadonlyArray<FaultName>;
  /** Average time between two faults. */
  readonly faultEveryMs: number;
  readonly callers: number;
  /** Items of a batch that is created before the first fault; 0 for none. */
  readonly batchItems: number;
  /** Maximum delay of a page, so that faults hit running runs. */
  readonly pageMsMax: number;
  /** Delay between two requests of a caller. */
  readonly pauseMsMax: number;
  /** Maximum time until everything has settled after the last fault. */
  readonly restMsMax: number;
  /** Ends earlier after this many kills. */
  readonly killsMax: number;
  /** Receives occasional status messages. */
  readonly tell?: (line: string) => void;
}

/** In seconds; zeros if there were none. */
interface Times {
  readonly count: number;
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
}

export interface ChaosReport extends FaultCounts {
  readonly forSeconds: number;
  readonly submits: number;
  readonly batches: number;
  /** Counts of the large batch after the last fault. */
  readonly largeBatch: Readonly<Record<string, number>>;
  readonly cutRequests: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly runs: number;
  readonly failed: Readonly<Record<string, number>>;
  readonly attemptsMost: number;
  /** With the database available, and in total. */
  readonly takeOversQuiet: Times;
  readonly takeOvers: Times;
  readonly settledSeconds: number;
  readonly sweptSeconds: number;
  readonly failuresWithoutLine: number;
  readonly errorLines: Readonly<Record<string, number>>;
  /** Violations; empty if there are none. */
  readonly broken: ReadonlyArray<string>;
}

/** Maximum active runs for further submits, so that all of them end in time. */
const LIVE_MAX = 30;
const RUNS_AT_ONCE = 2;
const LOOK_MS = 1_000;
const TELL_MS = 10_000;
const ADMIN_TOKEN = "admin-token-of-the-chaos";

interface Stage {
  readonly folder: string;
  readonly database: RestartablePostgres;
  readonly bucket: FaultyBucket;
  readonly site: ChaosSite;
}

const withStage = async <A>(pageMsMax: number, use: (stage: Stage) => Promise<A>): Promise<A> => {
  const folder = mkdtempSync(join(tmpdir(), "winnow-chaos-"));
  chmodSync(folder, 0o711);
  const [database, bucket, site] = await Promise.all([
    startRestartablePostgres(),
    startFaultyBucket(),
    startSite(pageMsMax)
  ]);
  try {
    return await use({ folder, database, bucket, site });
  } finally {
    await Promise.all([database.end(), bucket.stop(), site.stop()]);
    rmSync(folder, { recursive: true, force: true });
  }
};

const fleetOf = ({ folder, database, bucket, site }: Stage, takeOvers: TakeOvers): Fleet =>
  new Fleet({
    folder,
    takeOvers,
    env: {
      ...BUCKET_CREDENTIALS,
      WINNOW_DATABASE_URL: database.url,
      WINNOW_ARTIFACTS_URL: bucket.url,
      WINNOW_ADMIN_TOKEN: ADMIN_TOKEN,
      WINNOW_EGRESS_ALLOW: site.host,
      WINNOW_WORKERS: String(RUNS_AT_ONCE),
      WINNOW_MIN_FREE_BYTES: "0",
      // Shows which worker executes which run.
      WINNOW_LOG_LEVEL: "debug"
    }
  });

const timesOf = (waitedMs: ReadonlyArray<number>): Times => {
  const at = (share: number): number => Math.round(percentile(waitedMs, share) / 100) / 10;
  return { count: waitedMs.length, p50: at(0.5), p95: at(0.95), max: at(1) };
};

const tally = (words: ReadonlyArray<string>): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
};

/** Returns the time it took, in seconds; null on a timeout. */
const until = async (restMsMax: number, isSo: () => Promise<boolean>): Promise<number | null> => {
  const startMs = Date.now();
  for (;;) {
    if (await isSo()) return Math.round((Date.now() - startMs) / 1_000);
    if (Date.now() - startMs > restMsMax) return null;
    await wait(LOOK_MS);
  }
};

/** Of the objects; the sections of a text are kept with the files of its attempt. */
const unnamedIn = async (bucket: FaultyBucket, database: ChaosDatabase): Promise<ReadonlyArray<string>> => {
  const named = await database.named();
  const kept = new Set([...named].map((name) => `${dirname(name)}/${SECTIONS_FILE}`));
  return (await bucket.names()).filter(
    (name) => !name.startsWith(".") && !named.has(name) && !kept.has(name)
  );
};

/** Remaining run folders in a data folder. */
const workFoldersIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder).flatMap((name) => {
    try {
      return readdirSync(join(folder, name, "work"), { recursive: true })
        .filter((run) => run !== "programs")
        .map((run) => `${name}/work/${String(run)}`);
    } catch {
      return [];
    }
  });

/** Waits until everything has settled; returns what has not. */
const settle = async (
  { folder, bucket }: Stage,
  database: ChaosDatabase,
  fleet: Fleet,
  { restMsMax, tell = () => undefined }: ChaosOptions
) => {
  const broken: Array<string> = [];
  const settledSeconds = await until(restMsMax, async () => (await database.live()) === 0);
  tell(`every run is over after ${settledSeconds} s`);
  if (settledSeconds === null) broken.push(`${await database.live()} runs are not over`);
  const sweptSeconds = await until(restMsMax, async () => (await unnamedIn(bucket, database)).length === 0);
  if (sweptSeconds === null) {
    const unnamed = await unnamedIn(bucket, database);
    broken.push(`${unnamed.length} files that no result names: ${unnamed.slice(0, 3).join(", ")}`);
  }
  tell(`what nobody names is gone after ${sweptSeconds} s`);
  const stored = new Set(await bucket.names());
  const missing = [...(await database.named())].filter((name) => !stored.has(name));
  if (missing.length > 0) broken.push(`${missing.length} files of results are not there: ${missing[0]}`);
  // A replaced process may still be starting, and would not handle SIGTERM yet.
  if ((await until(restMsMax, async () => fleet.isUp())) === null) broken.push("not every process listens");
  const codes = await fleet.end();
  if (codes.some((code) => code !== 0)) broken.push(`SIGTERM led to ${codes.join(", ")}`);
  const left = await until(restMsMax, async () => processesAbout(folder).length === 0);
  if (left === null) broken.push(`processes stay: ${processesAbout(folder).join("; ")}`);
  broken.push(...workFoldersIn(folder).map((path) => `left behind: ${path}`));
  return { broken, settledSeconds: settledSeconds ?? -1, sweptSeconds: sweptSeconds ?? -1 };
};

const act = async (stage: Stage, options: ChaosOptions, takeOvers: TakeOvers, fleet: Fleet) => {
  const random = seededRandom(options.seed);
  const database = new ChaosDatabase(stage.database.url);
  let isFull = false;
  const callers = new Callers({
    adminToken: ADMIN_TOKEN,
    urls: () => fleet.urls("api"),
    urlOf: stage.site.urlOf,
    random: seededRandom(options.seed + 1),
    isFull: () => isFull,
    pauseMsMax: options.pauseMsMax
  });
  await callers.open();
  if (options.batchItems > 0) await callers.openBatch(options.batchItems);
  options.tell?.(`a batch: ${JSON.stringify(await callers.largeCounts())}`);
  const calling = callers.run(options.callers);
  const watching = setInterval(() => {
    database.live().then(
      (live) => (isFull = live >= LIVE_MAX),
      () => undefined
    );
  }, LOOK_MS);
  const faults = new Faults({
    ...options,
    random,
    fleet,
    takeOvers,
    database,
    server: stage.database,
    bucket: stage.bucket
  });
  const startMs = Date.now();
  const telling = setInterval(() => {
    const statuses = JSON.stringify(Object.fromEntries(callers.statuses));
    options.tell?.(`${JSON.stringify(faults.counts)} ${callers.submits} submits ${statuses}`);
  }, TELL_MS);
  await faults.run();
  options.tell?.("the faults are over");
  const forSeconds = Math.round((Date.now() - startMs) / 1_000);
  callers.stop();
  await calling;
  clearInterval(watching);
  clearInterval(telling);
  return { callers, database, faults, forSeconds, largeBatch: await callers.largeCounts() };
};

const report = async (stage: Stage, options: ChaosOptions): Promise<ChaosReport> => {
  const takeOvers = new TakeOvers();
  const fleet = fleetOf(stage, takeOvers);
  try {
    for (let index = 0; index < options.apis; index += 1) fleet.add("api", `api-${index}`);
    for (let index = 0; index < options.workers; index += 1) fleet.add("worker", `worker-${index}`);
    await fleet.untilUp();
    const { callers, database, faults, forSeconds, largeBatch } = await act(stage, options, takeOvers, fleet);
    const { broken, ...rest } = await settle(stage, database, fleet, options);
    const runs = await database.runs();
    const known = new Set(callers.runOf.values());
    const lost = [...known].filter((id) => !runs.some((run) => run.id === id));
    const strangers = runs.filter(({ id }) => !known.has(id));
    const internal = runs.filter(({ reason }) => reason === "internal");
    const twice = internal.filter(({ id }) => (fleet.failureLines.get(id) ?? 0) > 1);
    const waitedMs = takeOvers.done.map((one) => one.waitedMs);
    return {
      forSeconds,
      ...faults.counts,
      submits: callers.submits,
      batches: callers.batches,
      largeBatch,
      cutRequests: callers.cut,
      statuses: Object.fromEntries(callers.statuses),
      runs: runs.length,
      failed: tally(runs.flatMap(({ reason, message }) => (reason === null ? [] : `${reason}: ${message}`))),
      attemptsMost: Math.max(0, ...runs.map(({ attempt }) => attempt)),
      takeOversQuiet: timesOf(takeOvers.done.filter(({ isQuiet }) => isQuiet).map((one) => one.waitedMs)),
      takeOvers: timesOf(waitedMs),
      ...rest,
      failuresWithoutLine: internal.filter(({ id }) => !fleet.failureLines.has(id)).length,
      errorLines: tally(fleet.errorLines.map((line) => line.slice(0, 120))),
      broken: [
        ...callers.broken,
        ...broken,
        ...(await database.brokenLaws()),
        ...lost.map((id) => `a run is lost: ${id}`),
        ...strangers.map(({ id }) => `a run that nobody was told of: ${id}`),
        ...twice.map(({ id }) => `two lines about the failure of ${id}`),
        ...fleet.endedAlone
      ]
    };
  } finally {
    await fleet.destroy();
  }
};

export const runChaos = (options: ChaosOptions): Promise<ChaosReport> =>
  withStage(options.pageMsMax, (stage) => report(stage, options));
