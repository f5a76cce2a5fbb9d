/**
 * The operator's access to the service and its metrics, with the admin token. It is kept only in memory: it is lost
 * when the tab is closed or reloaded, and a password manager can fill it in again. Tests: metrics.test.ts.
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

/** `winnow_runs{state="queued"} 3` (prometheus.io/docs/instrumenting/exposition_formats, "Text-based format"). */
const SAMPLE = /^(\w+)(?:\{(.*)\})? (\S+)$/su;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/gu;

export const samplesOf = (text: string): ReadonlyArray<Sample> =>
  text.split("\n").flatMap((line) => {
    const [, name, labels = "", value] = SAMPLE.exec(line) ?? [];
    if (name === undefined || value === undefined) return [];
    const pairs = [...labels.matchAll(LABEL)].map(([, key = "", text = ""]) => [key, text] as const);
    return [{ name, labels: Object.fromEntries(pairs), value: Number(value) }];
  });

export const loadOf = (samples: ReadonlyArray<Sample>) => {
  const named = (wanted: string) => samples.filter(({ name }) => name === wanted);
  const sum = (name: string, ...states: ReadonlyArray<string | undefined>): number =>
    named(name)
      .filter(({ labels }) => states.length === 0 || states.includes(labels["state"]))
      .reduce((total, { value }) => total + value, 0);
  /** Null if there is none. */
  const versionIn = (state: string): string | null =>
    named("winnow_ytdlp_version_info").find(({ labels, value }) => labels["state"] === state && value === 1)
      ?.labels["version"] ?? null;
  const reads = new Map<string, { version: string; host: string; read: number; failed: number }>();
  for (const { labels, value } of named("winnow_ytdlp_inspections_total")) {
    const { version = "", host = "", outcome } = labels;
    const key = `${version} ${host}`;
    const sums = reads.get(key) ?? { version, host, read: 0, failed: 0 };
    if (outcome === "read" || outcome === "failed") sums[outcome] += value;
    reads.set(key, sums);
  }
  return {
    waiting: sum("winnow_runs", "queued", "pending"),
    running: sum("winnow_runs", "running"),
    oldestWaitingSeconds: sum("winnow_queue_oldest_waiting_seconds"),
    webhooksPending: sum("winnow_webhook_deliveries_pending"),
    memoryBytes: sum("process_resident_memory_bytes"),
    /** Free disk space by folder; empty on a process without workers. */
    disks: named("winnow_disk_free_bytes").map(({ labels, value }) => ({
      place: labels["place"] ?? "",
      freeBytes: value
    })),
    /** Most frequent first; what somebody cancelled did not fail. */
    failures: named("winnow_runs_failed")
      .map(({ labels, value }) => ({ reason: labels["reason"] ?? "", count: value }))
      .filter(({ reason, count }) => count > 0 && reason !== "cancelled")
      .toSorted((left, right) => right.count - left.count),
    /** The versions of yt-dlp; the one on probation was installed by itself, and is not proven yet. */
    programs: {
      current: versionIn("current"),
      probation: versionIn("probation"),
      available: versionIn("available"),
      /** Inspections of a large platform, or of all others, by one version; most failures first. */
      reads: [...reads.values()].toSorted(
        (left, right) => right.failed - left.failed || right.read - left.read
      )
    }
  };
};

export type Load = ReturnType<typeof loadOf>;

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
