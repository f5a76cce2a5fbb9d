/** Series that trigger each alert within two hours, and those of a healthy server; one value a minute. */

/** Series as `name{label="value"}`, with values in promtool's short form. */
export type Series = Readonly<Record<string, string>>;

const MINUTES = 130;

const always = (value: number): string => `${value}x${MINUTES}`;
const growing = (aMinute: number): string => `0+${aMinute}x${MINUTES}`;

const ended = (state: string, reason: string): string =>
  `winnow_runs_ended_total{kind="video",state="${state}",reason="${reason}"}`;

export const FIRING: Readonly<Record<string, Series>> = {
  WinnowProcessAway: { 'up{job="winnow",instance="a"}': always(0) },
  WinnowDatabaseAway: { 'winnow_database_up{instance="a"}': always(0) },
  WinnowRunsNotTakenUp: { winnow_queue_oldest_waiting_seconds: "0+60x130" },
  WinnowWebhooksNotSent: { winnow_webhook_oldest_due_seconds: "0+60x130" },
  WinnowDiskFilling: { 'winnow_disk_free_bytes{place="artifacts"}': always(4e9) },
  WinnowRequestsFail: { 'winnow_http_requests_total{status="500",route="/v1/account"}': growing(1) },
  WinnowRunsFailInside: { [ended("failed", "internal")]: growing(1) },
  WinnowBlockedBySources: {
    [ended("failed", "bot_blocked")]: growing(1),
    [ended("complete", "")]: growing(3)
  },
  WinnowMemoryGrows: { process_resident_memory_bytes: always(1.6e9) }
};

export const QUIET: Series = {
  'up{job="winnow",instance="a"}': always(1),
  'winnow_database_up{instance="a"}': always(1),
  winnow_queue_oldest_waiting_seconds: "0 5 0 20 0x126",
  winnow_webhook_oldest_due_seconds: "0 50 0x128",
  'winnow_disk_free_bytes{place="artifacts"}': always(5e10),
  'winnow_http_requests_total{status="200",route="/v1/account"}': growing(60),
  'winnow_http_requests_total{status="503",route="/v1/account"}': growing(1),
  [ended("failed", "internal")]: always(2),
  [ended("failed", "bot_blocked")]: growing(1),
  [ended("complete", "")]: growing(30),
  process_resident_memory_bytes: always(4e8)
};
