/** The server's metrics (`/metrics`, Prometheus' text format) as numbers for the operator's view. Pure. */

interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** docs: prometheus.io/docs/instrumenting/exposition_formats, "Text-based format". */
const SAMPLE = /^(\w+)(?:\{(.*)\})? (\S+)$/u;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/gu;

export const samplesOf = (text: string): ReadonlyArray<Sample> =>
  text.split("\n").flatMap((line) => {
    const [, name, labels = "", value] = SAMPLE.exec(line) ?? [];
    if (name === undefined || value === undefined) return [];
    const pairs = [...labels.matchAll(LABEL)].map(([, key = "", text = ""]) => [key, text] as const);
    return [{ name, labels: Object.fromEntries(pairs), value: Number(value) }];
  });

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
}

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
      .toSorted((left, right) => right.count - left.count)
  };
};
