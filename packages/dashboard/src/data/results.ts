/** Results: the rows that match, as they arrive; the schema to begin with; corrections; and links to exports. */
import { MutationObserver, useQuery } from "@tanstack/preact-query";
import type { CsvOptions, Extraction, ResultRow, Support } from "@winnow/client";
import { useMemo } from "preact/hooks";
import { href, serverPath } from "./addresses.ts";
import { cache, changed, every, keys, waitMsOf } from "./cache.ts";
import { winnow } from "./client.ts";
import { countText, midnight } from "./extractions.ts";
import { readLines } from "./streams.ts";
import { watched } from "./watched.ts";

export const RESULT_FILTERS = ["schemaId", "batchId", "since", "support"] as const;

/** As in the URL: `since` is a day in the reader's time zone. */
export type ResultFilters = Readonly<Partial<Record<(typeof RESULT_FILTERS)[number], string>>>;

/** As the API takes them. If somebody edits the URL, the server reports what is wrong. */
const queryOf = ({ since, support, ...rest }: ResultFilters) => ({
  ...rest,
  ...(since === undefined ? {} : { since: midnight(since, 0) ?? since }),
  ...(support === undefined ? {} : { support: support as Support })
});

/** Maximum rows that a browser tab holds; exports have all. */
export const ROWS_MAX = 20_000;

/** Somebody who reads an extraction for a while returns to the same rows. */
const KEPT_MS = 60 * 60_000;

/** Whether a JSON pointer is another one or leads below it. */
export const isWithin = (at: string, pointer: string): boolean => `${at}/`.startsWith(`${pointer}/`);

/** The values of a row that no passage supports and that nobody has corrected or accepted, as the service counts them. */
export const toCheckIn = ({ support, corrections }: ResultRow): ReadonlyArray<string> => {
  const settled = Object.keys(corrections);
  return Object.keys(support).filter(
    (pointer) => support[pointer] === "unsupported" && !settled.some((at) => isWithin(pointer, at))
  );
};

interface Rows {
  readonly rows: ReadonlyArray<ResultRow>;
  /** There are more than a tab holds. */
  readonly isCut: boolean;
}

const load = async (filters: ResultFilters, signal: AbortSignal): Promise<Rows> => {
  const key = [...keys.results, filters];
  const isFirst = cache.getQueryData(key) === undefined;
  const rows: Array<ResultRow> = [];
  let isCut = false;
  const take = (row: ResultRow): boolean => {
    isCut = rows.length === ROWS_MAX;
    // The service counts what a person has settled, too.
    if (!isCut && (filters.support !== "unsupported" || toCheckIn(row).length > 0)) rows.push(row);
    return !isCut;
  };
  const draw = (): void => void (isFirst && cache.setQueryData<Rows>(key, { rows: [...rows], isCut }));
  await readLines(winnow.results.stream({ ...queryOf(filters), signal }), take, draw);
  return { rows, isCut };
};

const TO_CHECK = [...keys.results, "toCheck"];

/** The newest extractions whose values are counted. */
const COUNTED_MAX = 500;
const COUNTED_PER_PAGE = 100;
const COUNT_EVERY_MS = 5 * 60_000;

/** How many values of the account, or of one batch, are to check. */
export const useToCheck = (batchId?: string, complete?: number) =>
  useQuery({
    queryKey: [...TO_CHECK, batchId, complete],
    queryFn: ({ signal }) => {
      const filter = { batchId, outcome: "ok", limit: COUNTED_PER_PAGE, signal } as const;
      const counts = ({ valuesToCheck = 0 }: Extraction): number => valuesToCheck;
      return countText(winnow.extractions.list(filter), counts, { seen: COUNTED_MAX });
    },
    placeholderData: (before) => before,
    refetchInterval: every(COUNT_EVERY_MS)
  });

/** The screen where they are checked one after the other. */
export const reviewOf = (batchId?: string): string =>
  href(`results?${batchId === undefined ? "schemaId=any" : `batchId=${batchId}`}&support=unsupported`);

/** Corrections that were made on this page, by extraction: newer than those of the rows. */
const made = watched<Readonly<Record<string, ResultRow["corrections"]>>>({});

/** Rows are not asked for again by themselves: somebody is checking them. */
export const useResults = (filters: ResultFilters, isWanted: boolean) =>
  useQuery({
    queryKey: [...keys.results, filters],
    queryFn: ({ signal }) => load(filters, signal),
    enabled: isWanted,
    staleTime: Infinity,
    gcTime: KEPT_MS
  });

/** The rows with what was corrected on this page; the others stay the same objects. */
export const useCorrected = (rows: ReadonlyArray<ResultRow>): ReadonlyArray<ResultRow> => {
  const newer = made.useValue();
  return useMemo(
    () =>
      rows.map((row) => {
        const corrections = newer[row.extractionId];
        return corrections === undefined ? row : { ...row, corrections };
      }),
    [rows, newer]
  );
};

/** The schema of the newest row of these filters; null if that has no saved schema, or there is no row. */
export const useNewestSchema = (filters: ResultFilters, isWanted: boolean) =>
  useQuery({
    queryKey: ["resultSchema", filters],
    queryFn: async ({ signal }): Promise<string | null> => {
      for await (const { extractionId } of winnow.results.stream({ ...queryOf(filters), signal })) {
        const result = await winnow.extractions.result(extractionId, { signal });
        return ("schemaId" in result ? result.schemaId : null) ?? null;
      }
      return null;
    },
    enabled: isWanted,
    gcTime: 0
  });

// Corrections. A request replaces all of an extraction, so those of one extraction follow one another, each beginning
// with what the server has after the one before.

type Change = (corrections: ResultRow["corrections"]) => ResultRow["corrections"];

/** What the server has, by extraction. */
const saved = new Map<string, ResultRow["corrections"]>();
let open: Promise<unknown> = Promise.resolve();

const WAITS_MAX = 3;

const show = ({ extractionId, corrections }: ResultRow, change: Change): void => {
  const before = made.get();
  made.set({ ...before, [extractionId]: change(before[extractionId] ?? corrections) });
};

/** Shown at once, and shown as before with `revert` if the server refuses it. */
export const correct = (row: ResultRow, change: Change, revert: Change): Promise<void> => {
  const { extractionId: id, corrections } = row;
  if (!saved.has(id)) saved.set(id, corrections);
  show(row, change);
  const correction = new MutationObserver(cache, {
    scope: { id },
    mutationFn: async () => {
      const values = change(saved.get(id) ?? corrections);
      await winnow.results.correct(id, { values });
      saved.set(id, values);
    },
    retry: (failures, error) => failures < WAITS_MAX && waitMsOf(error) > 0,
    retryDelay: (_, error) => waitMsOf(error),
    onSuccess: () => changed(TO_CHECK),
    onError: () => show(row, revert)
  });
  const sent = correction.mutate();
  open = Promise.allSettled([open, sent]);
  return sent;
};

/** All rows anew, with the corrections that others made. */
export const refreshResults = async (): Promise<void> => {
  await open;
  saved.clear();
  made.set({});
  await cache.resetQueries({ queryKey: keys.results });
};

// Exports.

export interface ExportOptions {
  readonly format: "csv" | "jsonl";
  /** For CSV: what to add. */
  readonly columns: NonNullable<CsvOptions["columns"]>;
}

const exportQuery = (filters: ResultFilters, { format, columns }: ExportOptions) => ({
  ...queryOf(filters),
  format,
  ...(format === "csv" && columns.length > 0 ? { columns: columns.join(",") } : {})
});

/** The URL of a download; the browser sends the session. */
export const downloadUrl = (filters: ResultFilters, options: ExportOptions): string =>
  serverPath(`v1/results?${new URLSearchParams(exportQuery(filters, options))}`);

export const spreadsheetLink = (filters: ResultFilters, options: ExportOptions) =>
  winnow.results.link(exportQuery(filters, options));
