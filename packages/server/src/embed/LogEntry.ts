/** Log lines as plain objects, for an embedder's own logger. Tests: createWinnow.test.ts. */
import * as Cause from "effect/Cause";
import * as Logger from "effect/Logger";
import * as References from "effect/References";
import { textOf } from "../Logging.ts";

export interface LogEntry {
  readonly time: Date;
  readonly level: "trace" | "debug" | "info" | "warn" | "error" | "fatal";
  readonly message: string;
  /** Ids, paths, durations and the like; no secrets. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The error, if there is one. */
  readonly error?: unknown;
}

/** Receives every log line of the instance; errors it throws are ignored. */
export const loggerOf = (log: (entry: LogEntry) => void): Logger.Logger<unknown, void> =>
  Logger.make(({ message, logLevel, cause, fiber, date }) => {
    try {
      log({
        time: date,
        level: logLevel.toLowerCase() as LogEntry["level"],
        message: textOf(message),
        fields: { ...fiber.getRef(References.CurrentLogAnnotations) },
        ...(cause.reasons.length === 0 ? {} : { error: Cause.squash(cause) })
      });
    } catch {
      // A failing logger must not fail the operation it logs.
    }
  });
