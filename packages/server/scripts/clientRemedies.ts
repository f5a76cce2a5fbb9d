/** Prints what agents do about each code of the API, from the table of core/domain/request/Refusal. */
import { CODES, type CodeRow } from "@winnow/core/domain/request/ErrorCodes";

const rows: ReadonlyArray<readonly [code: string, row: CodeRow]> = Object.entries(CODES);

const remedies = rows.flatMap(([code, { remedy, remedies: byReason = {} }]) => [
  ...(remedy === null ? [] : [[code, remedy]]),
  ...Object.entries(byReason)
]);

console.log(`// @generated from packages/core/src/domain/request/Refusal.ts by packages/server/scripts/clientRemedies.ts: do not edit.

/** By code, or by \`details.reason\` where that is more helpful. */
export const REMEDIES: Readonly<Record<string, string>> = {
${remedies.map(([name, text]) => `  ${name}: ${JSON.stringify(text)}`).join(",\n")}
};`);
