/** Prints the table of error codes in docs/troubleshooting.md, from that of core/domain/request/Refusal. */
import { REFUSALS, type RefusalRow } from "@winnow/core/domain/request/Refusal";

const refusals: ReadonlyArray<RefusalRow> = Object.values(REFUSALS);

console.log(
  JSON.stringify([
    ["code", "status", "when", "retry"],
    ...refusals.map(({ code, status, when, retry = "no" }) => [`\`${code}\``, String(status), when, retry])
  ])
);
