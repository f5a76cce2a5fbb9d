/**
 * Classifies PostgreSQL errors: transient ones, such as an unavailable database or contention (core's
 * ports/Unavailable), and real faults.
 */
import { Unavailable } from "@winnow/core/ports/Unavailable";
import { codeOf } from "@winnow/isolation/runtime/ErrorCode";
import * as Cause from "effect/Cause";
import * as Effect from "effect/Effect";
import { isSqlError, type SqlError } from "effect/sql/SqlError";

/** Retry delay: a restart takes seconds. */
const AWAY_RETRY_SECONDS = 5;
/** A session that holds a lock too long is ended after PgConnection's `idleInTransactionMs`. */
export const BUSY_RETRY_SECONDS = 2;

const BUSY: ReadonlySet<string> = new Set([
  "DeadlockError",
  "LockTimeoutError",
  "SerializationError",
  "StatementTimeoutError"
]);

/** A changed password while we run counts as an outage, which the operator will fix. */
const AWAY: ReadonlySet<string> = new Set(["AuthenticationError", "ConnectionError"]);

/**
 * PostgreSQL's appendix A: 53 (no connection, memory or disk left), 57P (ended or starting), 58 (system error),
 * 25P03 (ended for idling in a transaction), 25006 (a standby that accepts no writes).
 */
const AWAY_CODE = /^(?:53...|57P..|58...|25P03|25006)$/u;

const sqlStateOf = ({ reason }: SqlError): string => codeOf("cause" in reason ? reason.cause : null);

const DISK_FULL = "53100";

/** The server has no database of this name. */
const NO_DATABASE = "3D000";

/** Messages for the operator, by what can be done about the error. */
const REFUSALS: Readonly<Partial<Record<SqlError["reason"]["_tag"], string>>> = {
  ConnectionError: "The database does not respond. Check its address and whether it is running.",
  LockTimeoutError:
    "The database is busy: its tables are locked by long transactions. Try again, or end them.",
  AuthenticationError: "The database rejected the user name or password. Check both.",
  AuthorizationError:
    "The database user lacks the permission to create the schema. Make it the owner of the database."
};

/** Cause and remedy on one line, without an address; null if only the log has details. */
export const refusalOf = (error: SqlError): string | null =>
  sqlStateOf(error) === NO_DATABASE
    ? "The server has no database of this name. Create it (create database …), or correct the name."
    : (REFUSALS[error.reason._tag] ?? null);

const unavailable = (reason: Unavailable["reason"], message: string, cause: SqlError): Unavailable =>
  new Unavailable({
    what: "database",
    reason,
    message,
    retryAfterSeconds: reason === "busy" ? BUSY_RETRY_SECONDS : AWAY_RETRY_SECONDS,
    cause
  });

/** Null if it is not transient. */
export const unavailableOf = (error: SqlError): Unavailable | null => {
  const { _tag } = error.reason;
  const code = sqlStateOf(error);
  if (BUSY.has(_tag)) {
    const message = "The database is busy: the rows are locked.";
    return unavailable("busy", message, error);
  }
  if (!AWAY.has(_tag) && !AWAY_CODE.test(code)) return null;
  return code === DISK_FULL
    ? unavailable("full", "The disk of the database is full.", error)
    : unavailable("away", `The database is unavailable (${code || _tag}).`, error);
};

/** At start-up, where a rejected password is a configuration error: whether the database may recover by itself. */
export const isUnavailable = (error: SqlError): boolean =>
  error.reason._tag !== "AuthenticationError" && unavailableOf(error) !== null;

/** For any start-up failure. */
export const isDatabaseUnavailable = (error: unknown): boolean => isSqlError(error) && isUnavailable(error);

/** The connection was lost while a failed transaction was rolled back; the original failure is not reported. */
const lostInRollback = (cause: Cause.Cause<unknown>): Unavailable | null => {
  if (Cause.hasInterrupts(cause)) return null;
  const found = cause.reasons.find((reason) => Cause.isDieReason(reason) && isSqlError(reason.defect));
  return found !== undefined && Cause.isDieReason(found) && isSqlError(found.defect)
    ? unavailableOf(found.defect)
    : null;
};

/** Turns PostgreSQL errors into defects, transient ones into Unavailable. */
export const orUnavailable = <A, E, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, Exclude<E, SqlError>, R> =>
  Effect.catchCause(effect, (cause) => {
    const error = Cause.squash(cause);
    if (isSqlError(error)) return Effect.die(unavailableOf(error) ?? error);
    const rollbackFault = lostInRollback(cause);
    return rollbackFault === null
      ? Effect.failCause(cause as Cause.Cause<Exclude<E, SqlError>>)
      : Effect.die(rollbackFault);
  });
