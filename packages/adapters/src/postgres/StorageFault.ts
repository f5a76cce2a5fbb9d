/**
 * What an error of PostgreSQL means for whoever asked: that the database is away or others are in the way, which
 * passes (core's ports/Unavailable), or that something is wrong.
 */
import { Unavailable } from "@winnow/core/ports/Unavailable";
import * as Cause from "effect/Cause";
import * as Effect from "effect/Effect";
import { isSqlError, type SqlError } from "effect/sql/SqlError";

/** A restart takes seconds. */
const AWAY_RETRY_SECONDS = 5;
/** What holds a lock too long is thrown out after PgConnection's IDLE_IN_TRANSACTION_MS_MAX. */
export const BUSY_RETRY_SECONDS = 2;

const BUSY: ReadonlySet<string> = new Set([
  "DeadlockError",
  "LockTimeoutError",
  "SerializationError",
  "StatementTimeoutError"
]);

/** That somebody changed a password while we run is an outage too: whoever did will set it right. */
const AWAY: ReadonlySet<string> = new Set(["AuthenticationError", "ConnectionError"]);

/**
 * PostgreSQL's appendix A: 53 (no connection, memory or disk left), 57P (ended or starting), 58 (system error),
 * 25P03 (thrown out for idling in a transaction), 25006 (a standby that takes no writes).
 */
const AWAY_CODE = /^(?:53...|57P..|58...|25P03|25006)$/u;

const codeOf = ({ reason }: SqlError): string => {
  const cause = "cause" in reason ? reason.cause : null;
  return cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : "";
};

const DISK_FULL = "53100";

/** Nobody waits for it: it is not there. */
const NO_DATABASE = "3D000";

/** By what the operator can do about it. */
const REFUSALS: Readonly<Partial<Record<SqlError["reason"]["_tag"], string>>> = {
  ConnectionError: "The database does not respond. Check its address and whether it is running.",
  LockTimeoutError:
    "The database is busy: its tables are locked by long transactions. Try again, or end them.",
  AuthenticationError: "The database rejected the user name or password. Check both.",
  AuthorizationError:
    "The database user lacks the permission to create the schema. Make it the owner of the database."
};

/** Cause and remedy in one line, without an address; null for what only the log can tell. */
export const refusalOf = (error: SqlError): string | null =>
  codeOf(error) === NO_DATABASE
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

/** Null for what does not pass by itself. */
export const unavailableOf = (error: SqlError): Unavailable | null => {
  const { _tag } = error.reason;
  const code = codeOf(error);
  if (BUSY.has(_tag)) {
    const message = "The database is busy: the rows are locked.";
    return unavailable("busy", message, error);
  }
  if (!AWAY.has(_tag) && !AWAY_CODE.test(code)) return null;
  return code === DISK_FULL
    ? unavailable("full", "The disk of the database is full.", error)
    : unavailable("away", `The database is unavailable (${code || _tag}).`, error);
};

/** At a start, where a password that is refused is wrong: whether the database comes back by itself. */
export const isAway = (error: SqlError): boolean =>
  error.reason._tag !== "AuthenticationError" && unavailableOf(error) !== null;

/** What Node's sockets and the driver of pg-boss say of a connection that ended, or did not come about. */
const LOST_CODE = /^(?:ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)$/u;
const LOST_WORDS = /^Connection terminated|connection timeout|timeout exceeded when trying to connect/iu;

/** Of whatever a start failed with: an error of a statement, of a driver or of a socket. */
export const hasGoneAway = (error: unknown): boolean => {
  if (isSqlError(error)) return isAway(error);
  if (error instanceof Unavailable) return error.what === "database";
  if (!(error instanceof Error)) return false;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  return AWAY_CODE.test(code) || LOST_CODE.test(code) || LOST_WORDS.test(error.message);
};

/**
 * Errors of PostgreSQL as defects: as Unavailable where they pass. What pg-boss runs in our transactions fails
 * with them as defects already.
 */
export const orUnavailable = <A, E, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, Exclude<E, SqlError>, R> =>
  Effect.catchCause(effect, (cause) => {
    const error = Cause.squash(cause);
    if (!isSqlError(error)) return Effect.failCause(cause as Cause.Cause<Exclude<E, SqlError>>);
    return Effect.die(unavailableOf(error) ?? error);
  });
