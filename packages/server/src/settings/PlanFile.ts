/** The plans of a server: a JSON file of plans by name, read at the start and on SIGHUP. */
import { readFile } from "node:fs/promises";
import {
  DEFAULT_LIMITS,
  DEFAULT_PLAN,
  plansFrom,
  type PlansGiven,
  type PlanTable,
  readPlans
} from "@winnow/core/domain/money/Plan";
import { Plans, replaceablePlans } from "@winnow/core/ports/Plans";
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Result from "effect/Result";
import { readOperatorJson } from "./OperatorJson.ts";
import { readAgainOnHangUp } from "./ReloadedFile.ts";
import { told } from "./SettingRow.ts";
import { SETTINGS, type Settings } from "./SettingsTable.ts";
import { StartFailed } from "./StartFailed.ts";

const notRead = (path: string, why: string): StartFailed =>
  new StartFailed(told`${SETTINGS.plans} is "${path}", but ${why}`);

const readFileOf = (path: string): Effect.Effect<PlansGiven, StartFailed> =>
  Effect.gen(function* () {
    const text = yield* Effect.tryPromise({
      try: () => readFile(path, "utf8"),
      catch: () => notRead(path, "the file cannot be read.")
    });
    const plans = Result.flatMap(readOperatorJson(text), (json) =>
      Result.mapError(readPlans(json), (message) => `the file is invalid. ${message}`)
    );
    return yield* Effect.fromResult(Result.mapError(plans, (why) => notRead(path, why)));
  });

/** More than a server can do. */
const PER_MINUTE_MAX = 1_000_000;

/** For the owner of a server: nothing has a price, and one account may keep every worker busy. */
const privatePlans = ({ workers }: Settings): PlansGiven => ({
  [DEFAULT_PLAN]: {
    prices: "free",
    runningMax: workers,
    submitsPerMinute: PER_MINUTE_MAX,
    probesPerMinute: PER_MINUTE_MAX,
    readsPerMinute: PER_MINUTE_MAX,
    othersPerMinute: PER_MINUTE_MAX
  }
});

/** Settings that correspond to a plan's fields apply to the plan `default`. */
const tableOf = (settings: Settings, given: PlansGiven): PlanTable => {
  const { maxQueuedExtractions, retentionDays } = settings;
  const plans = settings.private === "on" ? privatePlans(settings) : given;
  return plansFrom(plans, { ...DEFAULT_LIMITS, waitingMax: maxQueuedExtractions, retentionDays });
};

/** The embedder's plans, or those of the file; SIGHUP reloads the file. */
export const layer = (settings: Settings, given: PlansGiven | null = null): Layer.Layer<never, StartFailed> =>
  Layer.effect(
    Plans,
    Effect.gen(function* () {
      if (given !== null && settings.private === "on") {
        return yield* new StartFailed(told`${SETTINGS.private} is "on", so there can be no plans.`);
      }
      const path = given === null ? settings.plans : null;
      const read = Effect.map(path === null ? Effect.succeed(given ?? {}) : readFileOf(path), (plans) =>
        tableOf(settings, plans)
      );
      const plans = replaceablePlans(yield* read);
      if (path !== null) {
        yield* readAgainOnHangUp("Plans", read, (table) =>
          Effect.map(Clock.currentTimeMillis, (nowMs) => {
            plans.replace(table, nowMs);
            return [...table.keys()].join(", ");
          })
        );
      }
      return plans;
    })
  );
