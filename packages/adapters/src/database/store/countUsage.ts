/** The part of a decision's statement that adds to the usage of a day, key and schema. Tests: PgStore.test.ts (StoreSearches.ts). */
import { PRICE_PARTS, type ByPart } from "@winnow/core/domain/money/PriceParts";
import type { CountedUsage } from "@winnow/core/domain/result/CountedUsage";
import type { Columns, Values } from "./StatementValues.ts";

const USAGE_COLUMNS: Columns = [
  ["account_id", "text"],
  ["day", "date"],
  ["api_key_id", "text"],
  ["schema_id", "text"],
  ["runs", "bigint"],
  ["debited", "bigint"],
  ["refunded", "bigint"],
  ["debited_by_part", "bigint[]"],
  ["refunded_by_part", "bigint[]"]
];

const addedEach = (column: string): string =>
  `${column} = array(select coalesce(p.before, 0) + coalesce(p.more, 0)` +
  ` from unnest(u.${column}, excluded.${column}) as p (before, more))`;

const arrayOf = (credits: ByPart): string => `{${PRICE_PARTS.map((part) => credits[part]).join(",")}}`;

export const countUsage = (values: Values, accountId: string, rows: ReadonlyArray<CountedUsage>): string => {
  const tuples = rows.map((row) => [
    accountId,
    row.day,
    row.apiKeyId ?? "",
    row.schemaId ?? "",
    row.runs,
    row.debited,
    row.refunded,
    arrayOf(row.debitedByPart),
    arrayOf(row.refundedByPart)
  ]);
  return (
    `insert into winnow.usage_day as u ${values.addRows(USAGE_COLUMNS, tuples)}` +
    " on conflict (account_id, day, api_key_id, schema_id) do update set" +
    " runs = u.runs + excluded.runs, debited = u.debited + excluded.debited," +
    ` refunded = u.refunded + excluded.refunded, ${addedEach("debited_by_part")}, ${addedEach("refunded_by_part")}`
  );
};
