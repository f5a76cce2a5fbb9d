/**
 * The operator's access to the service and its metrics, with the admin token. The token is kept only in memory: it is lost when the
 * tab is closed or reloaded, and a password manager can fill it in again.
 */
import { ApiError, UnauthorizedError } from "@winnow/client";
import { AdminClient } from "@winnow/client/admin";
import { SERVER } from "./addresses.ts";

// The server's metrics (`/metrics`, Prometheus' text format) as numbers for the operator's view. Pure.

interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** docs: prometheus.io/docs/instrumenting/exposition_formats, "Text-based format". */
const SAMPLE = /^(\w+)(?:\{(.*)\})? (\S+)$/su;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/gu;

export const samplesOf = (text: string): ReadonlyArray<Sample> =>
  text.split("\n").flatMap((line) => {
    const [, name, labels = "", value] = SAMPLE.exec(line) ?? [];
    if (name === undefined || value === undefined) return [];
    const pairs = [...labels.matchAll(LABEL)].map(([, key = "", text = ""]) => [key, text] as const);
    return [{ name, labels: Object.fromEntries(pairs), value: Number(value) }];
  });

/** Inspections of a large platform, or of all others, by one version of yt-dlp. */
interface VersionReads {
  readonly version: string;
  readonly host: string;
  readonly read: number;
  readonly failed: number;
}

/** The versions of yt-dlp, as far as there are any; null if none. */
export interface Programs {
  readonly current: string | null;
  /** Installed by itself, and not proven yet. */
  readonly probation: string | null;
  readonly available: string | null;
  /** Most failures first. */
  readonly reads: ReadonlyArray<VersionReads>;
}

export interface Load {
  readonly waiting: number;
  readonly running: number;
  readonly oldestWaitingSeconds: number;
  readonly webhooksPending: number;
  readonly memoryBytes: number;
  /** Free disk space by folder; empty on a process without workers. */
  readonly disks: ReadonlyArray<{ readonly place: string; readonly freeBytes: number }>;
  /** Most frequent first. */
  readonly failures: ReadonlyArray<{ readonly reason: string; readonly count: number }>;
  readonly programs: Programs;
}

const programsOf = (samples: ReadonlyArray<Sample>): Programs => {
  const inState = (state: string): string | null =>
    samples.find(
      ({ name, labels, value }) =>
        name === "winnow_ytdlp_version_info" && labels["state"] === state && value === 1
    )?.labels["version"] ?? null;
  const inspections = samples.filter(({ name }) => name === "winnow_ytdlp_inspections_total");
  const reads = new Map<string, Array<Sample>>();
  for (const sample of inspections) {
    const key = `${sample.labels["version"]} ${sample.labels["host"]}`;
    reads.set(key, [...(reads.get(key) ?? []), sample]);
  }
  const sum = (all: ReadonlyArray<Sample>, outcome: string): number =>
    all.reduce((total, { labels, value }) => total + (labels["outcome"] === outcome ? value : 0), 0);
  return {
    current: inState("current"),
    probation: inState("probation"),
    available: inState("available"),
    reads: [...reads.values()]
      .map((all) => ({
        version: all[0]?.labels["version"] ?? "",
        host: all[0]?.labels["host"] ?? "",
        read: sum(all, "read"),
        failed: sum(all, "failed")
      }))
      .toSorted((left, right) => right.failed - left.failed || right.read - left.read)
  };
};

export const loadOf = (samples: ReadonlyArray<Sample>): Load => {
  const sum = (name: string, fits: (labels: Sample["labels"]) => boolean = () => true): number =>
    samples
      .filter((sample) => sample.name === name && fits(sample.labels))
      .reduce((total, { value }) => total + value, 0);
  const counts = new Map<string, number>();
  for (const { name, labels, value } of samples) {
    const reason = labels["reason"] ?? "";
    if (name !== "winnow_runs_ended_total" || reason === "" || labels["state"] !== "failed") continue;
    counts.set(reason, (counts.get(reason) ?? 0) + value);
  }
  return {
    waiting: sum("winnow_runs", ({ state }) => state === "queued" || state === "pending"),
    running: sum("winnow_runs", ({ state }) => state === "running"),
    oldestWaitingSeconds: sum("winnow_queue_oldest_waiting_seconds"),
    webhooksPending: sum("winnow_webhook_deliveries_pending"),
    memoryBytes: sum("process_resident_memory_bytes"),
    disks: samples.flatMap(({ name, labels, value }) =>
      name === "winnow_disk_free_bytes" ? [{ place: labels["place"] ?? "", freeBytes: value }] : []
    ),
    failures: [...counts]
      .map(([reason, count]) => ({ reason, count }))
      .toSorted((left, right) => right.count - left.count),
    programs: programsOf(samples)
  };
};

/** Null if the token is not the server's. */
export const operatorOf = async (token: string): Promise<AdminClient | null> => {
  // As in client.ts.
  const admin = new AdminClient({ token, baseUrl: SERVER.pathname, maxRetries: 0 });
  try {
    await admin.accounts.page({ limit: 1 });
    return admin;
  } catch (error) {
    if (error instanceof UnauthorizedError) return null;
    throw error;
  }
};

/** Null if the server is ready, else why it is not. */
export const readiness = async (admin: AdminClient): Promise<string | null> => {
  try {
    await admin.health();
    return null;
  } catch (error) {
    return (error as Error).message;
  }
};

/** Null if there are no metrics, because a proxy blocks them from outside. */
export const askLoad = async (admin: AdminClient): Promise<Load | null> => {
  try {
    return loadOf(samplesOf(await admin.metrics()));
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
};
