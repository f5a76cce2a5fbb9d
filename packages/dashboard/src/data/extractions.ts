/**
 * Queries and actions for extractions: the list with its filters, one run, its result, retry, cancel and delete.
 * Tests: lists.test.ts, failedToday.test.ts.
 */
import { useQuery } from "@tanstack/preact-query";
import { ConnectionError } from "@winnow/client";
import type { Extraction, ExtractionDetail, Outcome, Submission, TerminalResult } from "@winnow/client";
import { cache, keys, every, hideRow, changed, PAGE_SIZE, usePages, type Page } from "./cache.ts";
import { number } from "../words/format.ts";
import { winnow } from "./client.ts";

export type ExtractionItem = Extraction;

const LIST = ["extractions"];

export const FILTER_NAMES = [
  "status",
  "outcome",
  "kind",
  "schemaId",
  "apiKeyId",
  "batchId",
  "since",
  "until",
  "q"
] as const;

/** As in the URL: `since` and `until` are days in the reader's time zone, both included. */
export type Filters = Readonly<Partial<Record<(typeof FILTER_NAMES)[number], string | undefined>>>;

export const hasEnded = ({ status }: { readonly status: string }): boolean =>
  status === "complete" || status === "failed";

/** Midnight at which a day starts, or the one after it; anything else is left to the server. */
export const midnight = (day: string | undefined, daysLater: number): string | undefined => {
  if (day === undefined || !/^\d{4}-\d{2}-\d{2}$/u.test(day)) return day;
  const at = new Date(`${day}T00:00`);
  if (Number.isNaN(at.getTime())) return day;
  at.setDate(at.getDate() + daysLater);
  return at.toISOString();
};

interface PageWanted {
  readonly limit?: number;
  readonly cursor?: string | undefined;
  readonly signal?: AbortSignal;
}

/** Running ones are also those that are about to start, as in the account's count: the first page begins with them. */
export const extractionsPage = async (
  { status, outcome, since, until, ...rest }: Filters,
  { limit = PAGE_SIZE, ...wanted }: PageWanted = {}
): Promise<Page<ExtractionItem>> => {
  // If somebody edits the URL, the server reports what is wrong.
  const outcomes = outcome === undefined ? {} : { outcome: outcome as Outcome };
  const times = { since: midnight(since, 0), until: midnight(until, 1) };
  const page = (of: string | undefined) =>
    winnow.extractions.page({ ...rest, ...outcomes, ...times, ...wanted, limit, status: of });
  if (status !== "running" || wanted.cursor !== undefined) return page(status);
  const [starting, running] = await Promise.all([page("pending"), page("running")]);
  // One may have started in between.
  const ids = new Set(running.data.map(({ id }) => id));
  return { ...running, data: [...starting.data.filter(({ id }) => !ids.has(id)), ...running.data] };
};

/** With the list's own pages and the counts within the 60 requests a minute of a session. */
const RUNNING_EVERY_MS = 10_000;

/** Running extractions that match; other statuses are not asked for. */
export const useRunning = (filters: Filters, isWanted: boolean) =>
  useQuery({
    queryKey: [...LIST, "running", filters],
    queryFn: ({ signal }) => extractionsPage({ ...filters, status: "running" }, { signal }),
    enabled: isWanted,
    refetchInterval: every(RUNNING_EVERY_MS)
  });

/** In place of a batch's id: extractions of none. */
export const NO_BATCH = "none";

export const useExtractions = (filters: Filters) =>
  usePages<ExtractionItem>([...LIST, filters], (cursor, signal) =>
    extractionsPage(filters, { cursor, signal })
  );

export type Extractions = ReturnType<typeof useExtractions>;

/** The reader's day, as in the URL. */
export const today = (): string => {
  const now = new Date();
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
};

/** A sum over the newest, `12+` if there may be more; null if so many count for nothing that it is not known. */
export const countText = async <Item>(
  items: AsyncIterable<Item>,
  counts: (item: Item) => number,
  max: { readonly seen: number; readonly sum?: number }
): Promise<string | null> => {
  let seen = 0;
  let sum = 0;
  for await (const item of items) {
    if (sum === max.sum || seen === max.seen) return sum === 0 ? null : `${number(sum)}+`;
    seen += 1;
    sum += counts(item);
  }
  return number(sum);
};

/** Counted at most. */
export const FAILED_MAX = 100;
/** Looked at for it: a batch that was cancelled is up to a thousand. */
const ENDED_MAX = 2_000;

/** How many of these failed, less those that somebody stopped. */
export const failedText = (ended: AsyncIterable<Pick<Extraction, "failureReason">>) =>
  countText(ended, ({ failureReason }) => (failureReason === "cancelled" ? 0 : 1), {
    seen: ENDED_MAX,
    sum: FAILED_MAX
  });

const POLL_MS = 5_000;

export const useRun = (id: string, isWanted = true) =>
  useQuery({
    queryKey: keys.run(id),
    enabled: isWanted,
    queryFn: async ({ signal }): Promise<ExtractionDetail> => {
      const before = cache.getQueryData<ExtractionDetail>(keys.run(id));
      const run = await winnow.extractions.get(id, { signal });
      if (before !== undefined && before.status !== run.status) runsChanged();
      return run;
    },
    refetchInterval: (query) =>
      query.state.data !== undefined && hasEnded(query.state.data) ? false : every(POLL_MS)(query)
  });

/** A result never changes. */
export const useResult = (id: string, isOver: boolean) =>
  useQuery({
    queryKey: ["result", id],
    queryFn: async ({ signal }) => (await winnow.extractions.result(id, { signal })) as TerminalResult,
    enabled: isOver,
    staleTime: Infinity
  });

/** The body as submitted. */
export const useRequest = (id: string, isWanted = true) =>
  useQuery({
    queryKey: ["request", id],
    queryFn: ({ signal }): Promise<Submission> => winnow.extractions.request(id, { signal }),
    enabled: isWanted,
    staleTime: Infinity
  });

const asIs = (text: string): never => text as never;

/** A text artifact as `read` (stable) makes it. */
export const useText = <A = string>(id: string, name: string | null, read: (text: string) => A = asIs) =>
  useQuery({
    queryKey: ["text", id, name],
    select: read,
    queryFn: async ({ signal }) => {
      const file = await winnow.files.get(id, name ?? "", { signal });
      return file.text().catch((cause: unknown) => {
        throw new ConnectionError("The file was interrupted.", { cause });
      });
    },
    enabled: name !== null,
    staleTime: Infinity
  });

/** After a submit, a change of status or a deletion. */
export const runsChanged = (): void => {
  changed(LIST, keys.failedToday, keys.account);
  // When they are shown next: not under somebody who is checking them.
  void cache.invalidateQueries({ queryKey: keys.results, refetchType: "none" });
};

export const cancelRun = async (id: string): Promise<void> => {
  const run = await winnow.extractions.cancel(id);
  cache.setQueryData(keys.run(id), run);
  runsChanged();
};

/** Without asking for the lists again. */
export const deleteQuietly = async (id: string): Promise<void> => {
  await winnow.extractions.delete(id);
  cache.removeQueries({ queryKey: keys.run(id) });
  cache.removeQueries({ queryKey: ["result", id] });
  hideRow(id);
};

export const deleteRun = async (id: string): Promise<void> => {
  await deleteQuietly(id);
  runsChanged();
};
