/** Part of the statement that writes a decision's changes: what they add to the usage of a day, key and schema. */
import type { ByPart } from "@winnow/core/domain/money/PriceParts";
import type { CountedUsage } from "@winnow/core/domain/result/CountedUsage";
import * as Records from "effect/Record";
import type { Columns, Values } from "./StatementValues.ts";

const USAGE_COLUMNS: Columns = [
  ["account_id", "text"],
  ["day", "date"],
  ["api_key_id", "text"],
  ["schema_id", "text"],
  ["runs", "bigint"],
  ["debited", "bigint"],
  ["refunded", "bigint"],
  ["debited_by_part", "jsonb"],
  ["refunded_by_part", "jsonb"]
];

/** The sums in place: a function in SQL would be planned anew in each statement. */
const addedParts = (column: string): string =>
  `${column} = (select coalesce(jsonb_object_agg(s.part, s.credits), '{}') from (` +
  " select p.part, sum(p.credits::bigint) as credits" +
  ` from (select * from jsonb_each_text(u.${column}) union all select * from jsonb_each_text(excluded.${column}))` +
  " p (part, credits) group by p.part) s)";

const partsJson = (credits: ByPart): string => JSON.stringify(Records.filter(credits, (each) => each > 0));

export const countUsage = (values: Values, accountId: string, rows: ReadonlyArray<CountedUsage>): string => {
  const tuples = rows.map((row) => [
    accountId,
    row.day,
    row.apiKeyId ?? "",
    row.schemaId ?? "",
    row.runs,
    row.debited,
    row.refunded,
    partsJson(row.debitedByPart),
    partsJson(row.refundedByPart)
  ]);
  return (
    `insert into winnow.usage_day as u ${values.addRows(USAGE_COLUMNS, tuples)}` +
    " on conflict (account_id, day, api_key_id, schema_id) do update set" +
    " runs = u.runs + excluded.runs, debited = u.debited + excluded.debited," +
    ` refunded = u.refunded + excluded.refunded, ${addedParts("debited_by_part")}, ${addedParts("refunded_by_part")}`
  );
};
