/** Prints what agents do about each code of the API, and what a call of theirs may cost. */
import { CODES, type CodeRow } from "@winnow/core/domain/request/ErrorCodes";
import { SETTINGS } from "../src/settings/SettingsTable.ts";

const rows: ReadonlyArray<readonly [code: string, row: CodeRow]> = Object.entries(CODES);

const remedies = rows.flatMap(([code, { remedy, remedies: byReason = {} }]) => [
  ...(remedy === null ? [] : [[code, remedy]]),
  ...Object.entries(byReason)
]);

console.log(`// @generated from core/domain/request/ErrorCodes and the settings by packages/server/scripts/clientRemedies.ts: do not edit.

/** Highest price of a call, in credits, if the operator sets no other. */
export const MAX_CREDITS_DEFAULT = ${SETTINGS.mcpMaxCredits.default};

/** By code, or by \`details.reason\` where that is more helpful. */
export const REMEDIES: Readonly<Record<string, string>> = {
${remedies.map(([name, text]) => `  ${name}: ${JSON.stringify(text)}`).join(",\n")}
};`);
