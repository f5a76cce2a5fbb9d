/**
 * Part of PgStore: the list of extractions with its filters, places in the queue, and usage by day.
 *
 * A filtered page scans the index of its narrowest filter, at most SEARCHED_MAX rows, so that its cost does not
 * depend on the size of the account. Before you change a query or its index: bench/rows.ts. Tests: PgStore.test.ts (StoreSearches.ts).
 */
import { PRICE_PARTS } from "@winnow/core/domain/money/PriceParts";
import { NO_BATCH, type ExtractionFilter } from "@winnow/core/domain/result/ExtractionList";
import type { KeyedUsage, PartUsageDay, SchemaUsageDay } from "@winnow/core/domain/run/Usage";
import {
  QUEUE_POSITIONS_MAX,
  SEARCHED_MAX,
  type ExtractionPosition,
  type SearchPage,
  type Store
} from "@winnow/core/ports/Store";
import * as Effect from "effect/Effect";
import type * as SqlClient from "effect/sql/SqlClient";
import { readExtraction, type DocumentRow } from "./Documents.ts";
import { Values } from "./StatementValues.ts";
import { orUnavailable } from "./StorageFault.ts";

/** Indexed columns, presumably narrowest first. */
const INDEXED = {
  batchId: "batch_id",
  schemaId: "schema_id",
  apiKeyId: "api_key_id",
  outcome: "outcome",
  kind: "kind",
  status: "status"
} as const;
type Indexed = keyof typeof INDEXED;

interface ColumnFilter {
  readonly column: (typeof INDEXED)[Indexed];
  readonly value: string;
}

const columnFiltersOf = (filter: ExtractionFilter): ReadonlyArray<ColumnFilter> =>
  (Object.keys(INDEXED) as ReadonlyArray<Indexed>).flatMap((name) => {
    const value = name === "batchId" && filter.batchId === NO_BATCH ? null : filter[name];
    return value === null ? [] : [{ column: INDEXED[name], value }];
  });

/** The index to scan. Most extractions are complete, so that status narrows least. */
const narrowestOf = (filters: ReadonlyArray<ColumnFilter>): ColumnFilter | undefined =>
  filters.find(({ value }) => value !== "complete") ?? filters[0];

/** Conditions of the index scan. */
const walkOf = (values: Values, accountId: string, { after, filter }: SearchPage): string => {
  const narrowest = narrowestOf(columnFiltersOf(filter));
  return [
    `e.account_id = ${values.add(accountId)}`,
    ...(narrowest === undefined ? [] : [`e.${narrowest.column} = ${values.add(narrowest.value)}`]),
    ...(filter.sinceMs === null ? [] : [`e.created_at_ms >= ${values.add(filter.sinceMs)}::bigint`]),
    ...(filter.untilMs === null ? [] : [`e.created_at_ms < ${values.add(filter.untilMs)}::bigint`]),
    ...(after === null
      ? []
      : [`(e.created_at_ms, e.id) < (${values.add(after.createdAtMs)}::bigint, ${values.add(after.id)})`])
  ].join(" and ");
};

/** Conditions on each scanned row. */
const othersOf = (values: Values, { filter }: SearchPage): ReadonlyArray<string> => {
  const columns = columnFiltersOf(filter);
  const narrowest = narrowestOf(columns);
  return [
    ...columns
      .filter(({ column }) => column !== narrowest?.column)
      .map(({ column, value }) => `e.${column} = ${values.add(value)}`),
    ...(filter.batchId === NO_BATCH ? ["e.batch_id is null"] : []),
    ...(filter.text === null ? [] : [`strpos(e.search_text, ${values.add(filter.text)}) > 0`])
  ];
};

const ORDER = "order by e.created_at_ms desc, e.id desc";

/** Of what is large in the document of an extraction, in bytes. */
const SIZE = "(octet_length(e.request::text) + coalesce(octet_length(e.result::text), 4))";

/** The last row that a search may scan; null if there are fewer. */
const lastSearched = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  accountId: string,
  page: SearchPage
) {
  const values = new Values();
  const [row] = yield* sql.unsafe<ExtractionPosition>(
    `select e.created_at_ms::float8 as "createdAtMs", e.id from winnow.extraction e
      where ${walkOf(values, accountId, page)} ${ORDER} offset ${SEARCHED_MAX - 1} limit 1`,
    values.list
  );
  return row ?? null;
});

const searchExtractions = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  accountId: string,
  page: SearchPage
) {
  const values = new Values();
  const searched = `select e.* from winnow.extraction e where ${walkOf(values, accountId, page)}
    ${ORDER} limit ${SEARCHED_MAX}`;
  const others = othersOf(values, page);
  const found = `select e.* from (${searched}) e
    ${others.length === 0 ? "" : `where ${others.join(" and ")}`} ${ORDER} limit ${values.add(page.limit)}`;
  const size = page.maxBytes === undefined ? "0" : SIZE;
  const rows = yield* sql.unsafe<DocumentRow & { readonly found: number }>(
    `select winnow.extraction_json(e.extraction) as document, e.found from (
      select e::winnow.extraction as extraction, e.created_at_ms, e.id, count(*) over ()::integer as found,
        sum(${size}) over (${ORDER} rows unbounded preceding) - ${size} as bytes_before from (${found}) e) e
      where e.bytes_before < ${values.add(page.maxBytes ?? 1)}::bigint ${ORDER}`,
    values.list
  );
  const extractions = rows.map(({ document }) => readExtraction(document));
  const last = extractions.at(-1);
  if (last !== undefined && rows.length < (rows[0]?.found ?? 0)) {
    return { extractions, searchedTo: { createdAtMs: last.createdAtMs, id: last.id } };
  }
  const isWhole = others.length === 0 || extractions.length === page.limit;
  return { extractions, searchedTo: isWhole ? null : yield* lastSearched(sql, accountId, page) };
});

/** Of rows of `usage_day`. */
export const USAGE_SUMS =
  "sum(u.runs)::float8 as runs, sum(u.debited)::float8 as debited, sum(u.refunded)::float8 as refunded";

const PARTS = `{${PRICE_PARTS.join(",")}}`;

const usageBy = (column: string, field: string): string =>
  `select to_char(u.day, 'YYYY-MM-DD') as day, nullif(u.${column}, '') as "${field}", ${USAGE_SUMS}
    from winnow.usage_day u where u.account_id = $1 and u.day >= $2::date
    group by u.day, u.${column} order by u.day, u.${column}`;

export const makeLists = (sql: SqlClient.SqlClient) =>
  ({
    listExtractions: Effect.fn("PgStore.listExtractions")(function* (accountId, { after, limit }) {
      const beforeMs = after === null ? null : String(after.createdAtMs);
      const rows = yield* sql<DocumentRow>`select winnow.list_extractions(
        ${accountId}, ${beforeMs}, ${after?.id ?? null}, ${limit}) as document`;
      return rows.map(({ document }) => readExtraction(document));
    }, orUnavailable),
    searchExtractions: Effect.fn("PgStore.searchExtractions")(
      (accountId: string, page: SearchPage) => searchExtractions(sql, accountId, page),
      orUnavailable
    ),
    findQueuePositions: Effect.fn("PgStore.findQueuePositions")(function* (accountId, extractionIds) {
      const rows = yield* sql<{ readonly id: string; readonly place: number }>`
        select w.id, w.place::integer as place from (
          select e.id, row_number() over (order by e.turn, e.position) as place from winnow.extraction e
          where e.account_id = ${accountId} and e.status = 'queued' and e.turn is not null
          order by e.turn, e.position limit ${QUEUE_POSITIONS_MAX}) w
        where w.id in (select json_array_elements_text(${JSON.stringify(extractionIds)}::text::json))`;
      return new Map(rows.map(({ id, place }) => [id, place]));
    }, orUnavailable),
    listUsage: Effect.fn("PgStore.listUsage")(
      (accountId: string, sinceDay: string) =>
        sql.unsafe<KeyedUsage>(usageBy("api_key_id", "apiKeyId"), [accountId, sinceDay]),
      orUnavailable
    ),
    listSchemaUsage: Effect.fn("PgStore.listSchemaUsage")(
      (accountId: string, sinceDay: string) =>
        sql.unsafe<SchemaUsageDay>(usageBy("schema_id", "schemaId"), [accountId, sinceDay]),
      orUnavailable
    ),
    listPartUsage: Effect.fn("PgStore.listPartUsage")(
      (accountId: string, sinceDay: string) => sql<PartUsageDay>`
        select to_char(u.day, 'YYYY-MM-DD') as day, p.part,
          sum(p.debited)::float8 as debited, sum(p.refunded)::float8 as refunded
        from winnow.usage_day u, unnest(${PARTS}::text[], u.debited_by_part, u.refunded_by_part)
          as p (part, debited, refunded)
        where u.account_id = ${accountId} and u.day >= ${sinceDay}::date and p.debited > 0
        group by u.day, p.part order by u.day, p.part collate "C"`,
      orUnavailable
    )
  }) satisfies Partial<Store["Service"]>;
