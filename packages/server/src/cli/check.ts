/** `winnow check`: whether a server can start here, and whether its data is consistent. */
import type { InconsistencyKind } from "@winnow/adapters/database/check/Inconsistency";
import * as Command from "effect/cli/Command";
import * as Flag from "effect/cli/Flag";
import * as Effect from "effect/Effect";
import type { Settings } from "../settings/Config.ts";
import { examine, json, report, type Finding } from "./doctor.ts";
import { CliFailed, usableSettings } from "./Inputs.ts";

const REPAIR = "winnow check --data --repair, which may run while the server runs";
const MONEY = "it is reported but never changed: compare it with a backup, and report it as a bug";

const REMEDIES: Readonly<Record<InconsistencyKind, string>> = {
  balance: MONEY,
  ledger: MONEY,
  charge: MONEY,
  slots: REPAIR,
  waiting: REPAIR,
  ending: "delete the extraction (DELETE /v1/extractions/{id}), and report it as a bug",
  missing_file: "restore the file from a copy, or delete the extraction (DELETE /v1/extractions/{id})",
  unnamed_file: `${REPAIR}; a worker removes them within a minute`
};

const checkData = Effect.fnUntraced(function* (settings: Settings, isRepairing: boolean) {
  const { checkData: check } = yield* Effect.promise(() => import("../adapters/dataCheck.ts"));
  const found = yield* check(settings, isRepairing).pipe(
    Effect.mapError(({ message }) => new CliFailed({ message }))
  );
  if (found.length === 0) {
    const detail = "accounts, ledger, runs and files are consistent";
    return [{ name: "data", state: "ok", detail, remedy: null } satisfies Finding];
  }
  return found.map(({ detail, id, isRepaired, kind }): Finding => ({
    name: kind,
    state: isRepaired ? "warning" : "wrong",
    detail: `${id}: ${detail}${isRepaired ? " Repaired." : ""}`,
    remedy: isRepaired ? null : REMEDIES[kind]
  }));
});

/** Settings are valid by the time the report is created: an invalid one is reported before, in one sentence. */
export const check = Command.make(
  "check",
  {
    json,
    data: Flag.Boolean("data").pipe(
      Flag.withDescription(
        "Also check the stored data for consistency: balances and ledger, slots, results and files. Reads everything, " +
          "and may run while the server runs"
      ),
      Flag.withDefault(false)
    ),
    repair: Flag.Boolean("repair").pipe(
      Flag.withDescription(
        "With --data: repair run counts, and have the server remove orphaned files; money is never changed"
      ),
      Flag.withDefault(false)
    )
  },
  Effect.fnUntraced(function* ({ data, json: asJson, repair }) {
    if (repair && !data) return yield* new CliFailed({ message: "--repair requires --data." });
    const settings = yield* usableSettings;
    const findings = yield* examine(settings);
    const isReachable = findings.some(({ name, state }) => name === "database" && state === "ok");
    yield* report([...findings, ...(data && isReachable ? yield* checkData(settings, repair) : [])], asJson);
  })
).pipe(
  Command.withDescription(
    "Check settings, programs, database, bucket and disk without starting a server; with --data also the stored data"
  )
);
