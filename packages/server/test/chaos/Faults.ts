/** Random faults, one after another, with their counts. */
import { setTimeout as wait } from "node:timers/promises";
import { BUCKET_FAULTS, type FaultyBucket } from "../FaultyBucket.ts";
import type { RestartablePostgres } from "../RestartablePostgres.ts";
import type { Fleet } from "./Fleet.ts";
import type { ChaosDatabase } from "./Laws.ts";
import { indexBelow, type Random } from "@winnow/testing/samples/samples";
import type { TakeOvers } from "./TakeOvers.ts";

/** Relative frequency of each fault. */
const SHARES = { killWorker: 10, killApi: 3, freeze: 3, cut: 5, restartDatabase: 0.7, bucket: 0.8 };

export type FaultName = keyof typeof SHARES;
export const FAULT_NAMES = Object.keys(SHARES) as ReadonlyArray<FaultName>;

export interface FaultCounts {
  readonly workerKills: number;
  readonly apiKills: number;
  readonly freezes: number;
  readonly cutConnections: number;
  readonly databaseRestarts: number;
  readonly databaseCrashes: number;
  readonly bucketFaults: number;
}

export interface FaultsOptions {
  readonly random: Random;
  readonly forMs: number;
  readonly faults: ReadonlyArray<FaultName>;
  readonly faultEveryMs: number;
  readonly killsMax: number;
  readonly fleet: Fleet;
  readonly takeOvers: TakeOvers;
  readonly database: ChaosDatabase;
  readonly server: RestartablePostgres;
  readonly bucket: FaultyBucket;
}

/** Freeze of a worker, longer than its leases. */
const FREEZE_MS_MAX = { worker: 30_000, api: 5_000 };
const DATABASE_AWAY_MS_MAX = 15_000;
const BUCKET_AWAY_MS_MAX = 60_000;
const CRASH_SHARE = 0.3;
/** Kills that may hit a process while it starts. */
const STARTING_SHARE = 0.1;
const MANY_MEMBERS = 1_000;

export class Faults {
  private readonly count = {
    workerKills: 0,
    apiKills: 0,
    freezes: 0,
    cutConnections: 0,
    databaseRestarts: 0,
    databaseCrashes: 0,
    bucketFaults: 0
  };
  /** Faults that end by themselves, at most one of a kind. */
  private readonly lasting = new Map<FaultName, Promise<void>>();
  private readonly over = new AbortController();
  private readonly options: FaultsOptions;

  constructor(options: FaultsOptions) {
    this.options = options;
  }

  get counts(): FaultCounts {
    return this.count;
  }

  /** Runs for the given time; all faults have ended afterwards. */
  async run(): Promise<void> {
    const { random, forMs, faultEveryMs, killsMax, fleet } = this.options;
    const endMs = Date.now() + forMs;
    while (Date.now() < endMs && this.count.workerKills + this.count.apiKills < killsMax) {
      await wait(2 * random() * faultEveryMs);
      await this.strike(this.choose());
    }
    this.over.abort();
    await Promise.all(this.lasting.values());
    fleet.thaw();
  }

  private choose(): FaultName {
    const { random, faults } = this.options;
    let left = random() * faults.reduce((sum, name) => sum + SHARES[name], 0);
    return faults.find((name) => (left -= SHARES[name]) < 0) ?? "killWorker";
  }

  private async strike(fault: FaultName): Promise<void> {
    const { random, fleet, database } = this.options;
    const index = indexBelow(random, MANY_MEMBERS);
    if (fault === "killWorker") {
      if (fleet.kill("worker", index, random() < STARTING_SHARE)) this.count.workerKills += 1;
    } else if (fault === "killApi") {
      if (fleet.kill("api", index, random() < STARTING_SHARE)) this.count.apiKills += 1;
    } else if (fault === "freeze") {
      this.count.freezes += 1;
      const role = random() < 0.7 ? "worker" : "api";
      fleet.freeze(role, index, random() * FREEZE_MS_MAX[role]);
    } else if (fault === "cut") {
      this.count.cutConnections += await database.cut().catch(() => 0);
    } else if (!this.lasting.has(fault)) {
      const done = fault === "bucket" ? this.failBucket() : this.restartDatabase();
      this.lasting.set(
        fault,
        done.finally(() => this.lasting.delete(fault))
      );
    }
  }

  /** Cut short at the end of the test. */
  private async last(forMs: number): Promise<void> {
    await wait(forMs, undefined, { signal: this.over.signal }).catch(() => undefined);
  }

  private async failBucket(): Promise<void> {
    const { bucket, random } = this.options;
    this.count.bucketFaults += 1;
    const fault = BUCKET_FAULTS[indexBelow(random, BUCKET_FAULTS.length)] ?? null;
    const awayMs = random() * BUCKET_AWAY_MS_MAX;
    bucket.fail(fault);
    await this.last(awayMs);
    bucket.fail(null);
  }

  private async restartDatabase(): Promise<void> {
    const { random, server, takeOvers } = this.options;
    const isCrash = random() < CRASH_SHARE;
    // Drawn before any wait, so that a slow machine does not change the sequence.
    const awayMs = random() * DATABASE_AWAY_MS_MAX;
    this.count[isCrash ? "databaseCrashes" : "databaseRestarts"] += 1;
    takeOvers.databaseAway();
    await server.stop(isCrash ? "crash" : "orderly");
    await this.last(awayMs);
    takeOvers.databaseAway();
    await server.start();
    takeOvers.databaseAway();
  }
}
