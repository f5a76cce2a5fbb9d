/** Prints the client's errors, a class for each code, from the tables of core/domain/request/Refusal. */
import { CODES, type CodeRow } from "@winnow/core/domain/request/ErrorCodes";
import { REFUSALS } from "@winnow/core/domain/request/Refusal";

const refusals = Object.values(REFUSALS);
const codes: ReadonlyArray<readonly [code: string, row: CodeRow]> = Object.entries(CODES);

const pascal = (code: string): string =>
  code.replaceAll(/(?:^|_)([a-z])/gu, (_, letter: string) => letter.toUpperCase());

const union = (values: ReadonlyArray<string | number>): string =>
  values.map((value) => JSON.stringify(value)).join(" | ");

const reasonsOf = ({ reasons, hasFailureReasons }: CodeRow): string =>
  [
    ...(hasFailureReasons === true ? ["FailureReason"] : []),
    ...(reasons === undefined ? [] : [`Open<${union(reasons.split(" "))}>`])
  ].join(" | ");

const meaningOf = ({ reasonMeans }: CodeRow): string =>
  reasonMeans === undefined ? "" : `  /** ${reasonMeans} */\n`;

const detailsOf = (name: string, row: CodeRow): string => {
  const reasons = reasonsOf(row);
  const members = [
    ...Object.entries(row.details ?? {}).map(
      ([member, meaning]) => `  /** ${meaning} */\n  readonly ${member};`
    ),
    ...(reasons === "" ? [] : [`${meaningOf(row)}  readonly reason?: ${reasons};`])
  ];
  return members.length === 0
    ? ""
    : `export interface ${name} extends ErrorDetails {\n${members.join("\n")}\n}\n`;
};

const nameOf = (code: string): string => `${pascal(code).replace(/Error$/u, "")}Error`;

const classOf = ([code, row]: (typeof codes)[number]): string => {
  const details = detailsOf(`${pascal(code)}Details`, row);
  return `${details}/** ${refusals.find((refusal) => refusal.code === code)?.when ?? ""} */
export class ${nameOf(code)} extends ApiError {
  override name = "${nameOf(code)}";
  declare readonly code: "${code}";
${details === "" ? "" : `  declare readonly details: ${pascal(code)}Details;\n`}}
`;
};

const statuses = [...new Set(refusals.map(({ status }) => status))].toSorted((a, b) => a - b);

console.log(`/**
 * The errors of the API, one class a code.
 *
 * @generated from packages/core/src/domain/request/Refusal.ts by packages/server/scripts/clientErrors.ts: do not edit.
 */
import { ApiError, type ErrorDetails } from "../core/apiError.ts";
import type { FailureReason } from "./types.ts";

/** HTTP statuses of the API; proxies may return others. */
export type ErrorStatus = ${union(statuses)} | (number & {});

/** Later versions may add some. */
type Open<Known extends string> = Known | (string & {});

${codes.map(classOf).join("\n")}
/** The class of each code. */
export const API_ERRORS = {
${codes.map(([code]) => `  ${code}: ${nameOf(code)}`).join(",\n")}
};`);
