/**
 * The pgbench script of one submit: the exact statements of PgStore and PgJobQueue, captured from them, with the
 * same values.
 */
import type { AccountView } from "@winnow/core/domain/run/Decision";
import { decideSubmit, type Submit } from "@winnow/core/domain/run/Submission";
import * as Result from "effect/Result";
import { ENQUEUE } from "../src/database/queue/JobTable.ts";
import { changesStatements } from "../src/database/store/ChangesStatement.ts";

/** Values that must differ between two submits, as SQL with pgbench's variables. */
const UNIQUE = { account: "'acc_' || :account::text", id: "'ext_' || :n::text" } as const;

/** Placeholders for them while the statements are captured. */
export const SAMPLE = { accountId: "acc_sample", id: "ext_sample" } as const;

export interface PgbenchScript {
  readonly text: string;
  /** Values of the variables, for `-D`. */
  readonly variables: Readonly<Record<string, string>>;
}

const withoutLineBreaks = (text: string): string => text.replaceAll(/\s+/gu, " ").trim();

/** `value` as SQL: placeholders become the expressions that vary, everything else a variable. */
const asExpression = (value: string, name: string, variables: Record<string, string>): string => {
  if (value === "") return "''";
  const parts = value.split(/(acc_sample|ext_sample)/u).filter((part) => part !== "");
  const expressions = parts.map((part, index) => {
    if (part === SAMPLE.accountId) return UNIQUE.account;
    if (part === SAMPLE.id) return UNIQUE.id;
    variables[`${name}_${index}`] = part;
    return parts.length === 1 ? `:${name}_${index}` : `:${name}_${index}::text`;
  });
  return expressions.length === 1 ? String(expressions[0]) : `(${expressions.join(" || ")})`;
};

/** `null` if it has no value. */
const bind = (
  text: string,
  values: ReadonlyArray<unknown>,
  name: string,
  variables: Record<string, string>
): string =>
  text.replaceAll(/\$(\d+)/gu, (_, index: string) => {
    const value = values[Number(index) - 1];
    if (value === null || value === undefined) return "null";
    return asExpression(String(value), `${name}${index}`, variables);
  });

export const makeScript = (view: AccountView, submit: Submit, accounts: number): PgbenchScript => {
  const { changes } = Result.getOrThrow(decideSubmit(submit).decide(view));
  const [job] = changes.jobs;
  const [write] = changesStatements(view, changes, submit.nowMs);
  if (write === undefined || job === undefined) throw new Error("The sample submit writes nothing");
  const variables: Record<string, string> = {};
  const bound = bind(write.text, write.values, "w", variables);
  const enqueued = bind(
    withoutLineBreaks(ENQUEUE),
    [job.extractionId, job.accountId, job.traceparent],
    "j",
    variables
  );
  const key = asExpression(submit.idempotency?.key ?? "", "k", variables);
  const text = [
    `\\set account random(1, ${accounts})`,
    "\\set n random(1, 9000000000000000000)",
    "begin;",
    `select winnow.lock_view(${UNIQUE.account}, null, ${key}, 3, null, '{}', false) as document;`,
    `${bound};`,
    `${enqueued};`,
    "commit;"
  ].join("\n");
  return { text, variables };
};
