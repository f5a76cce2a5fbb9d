/**
 * Errors of the object store, described for the operator. Of the store's response only the error code is included,
 * so that nothing secret or untrusted is logged. Tests: S3Faults.test.ts.
 */
import { S3Errors } from "@bradenmacdonald/s3-lite-client";
import * as Schema from "effect/Schema";
import { endpointOf, type S3Location } from "./S3Location.ts";

/** The store's configuration does not work. */
export class S3ArtifactsRefused extends Schema.TaggedError<S3ArtifactsRefused>()("S3ArtifactsRefused", {
  message: Schema.String,
  /** Whether the store does not respond or reports a temporary problem. */
  isAway: Schema.optionalKey(Schema.Boolean)
}) {}

/** No response in time. */
export class S3TimedOut extends Error {
  readonly timeoutMs: number;

  constructor(timeoutMs: number) {
    super(`no response within ${timeoutMs / 1_000} seconds`);
    this.timeoutMs = timeoutMs;
  }
}

/** An unexpected response; the message completes "the object store ...". */
export class S3AnswerBroken extends Error {}

const WRONG_REGION: ReadonlySet<string> = new Set([
  "AuthorizationHeaderMalformed",
  "PermanentRedirect",
  "TemporaryRedirect",
  "UnexpectedRedirect"
]);

const CODE = /^[A-Za-z0-9._-]{1,64}$/u;

/** A transient fault: worth retrying. */
export const isPassing = (cause: unknown): boolean =>
  cause instanceof S3Errors.ServerError
    ? cause.statusCode >= 500 || cause.statusCode === 429 || cause.code === "RequestTimeout"
    : cause instanceof S3TimedOut || cause instanceof TypeError;

/**
 * Caused by the object store or its network, as opposed to local files. Transient, or fixable by the operator, such
 * as expired credentials.
 */
export const isOfStore = (cause: unknown): boolean =>
  cause instanceof S3Errors.ServerError ||
  cause instanceof S3TimedOut ||
  cause instanceof S3AnswerBroken ||
  cause instanceof TypeError;

export const isNotFound = (cause: unknown): boolean =>
  cause instanceof S3Errors.ServerError && cause.statusCode === 404;

const refusal = ({ statusCode, code }: S3Errors.ServerError, { bucket, region }: S3Location): string => {
  const status =
    CODE.test(code) && code !== "UnrecognizedError" ? `${statusCode} ${code}` : String(statusCode);
  if (code === "NoSuchBucket") return `has no bucket "${bucket}" (${status})`;
  if (WRONG_REGION.has(code)) return `says that the bucket is not in the region "${region}" (${status})`;
  if (statusCode === 401 || statusCode === 403) {
    return (
      `refused the credentials for the bucket "${bucket}" (${status}): check AWS_ACCESS_KEY_ID, ` +
      `AWS_SECRET_ACCESS_KEY and their permissions`
    );
  }
  return `answered ${status}`;
};

/** The error code of a failed connection, such as `ECONNREFUSED`. */
const networkCode = (cause: unknown): string | null => {
  if (!(cause instanceof Error)) return null;
  if ("code" in cause && typeof cause.code === "string" && CODE.test(cause.code)) return cause.code;
  return networkCode(cause.cause);
};

/** One clause: which object store, and what went wrong. */
export const s3ErrorMessage = (cause: unknown, location: S3Location): string => {
  const store = `the object store at ${endpointOf(location)}`;
  if (cause instanceof S3Errors.ServerError) return `${store} ${refusal(cause, location)}`;
  if (cause instanceof S3TimedOut) return `${store} gave ${cause.message}`;
  if (cause instanceof S3AnswerBroken) return `${store} ${cause.message}`;
  // Network errors of fetch; errors of local files and arguments describe themselves.
  if (cause instanceof TypeError) {
    const code = networkCode(cause);
    return `${store} cannot be reached${code === null ? "" : ` (${code})`}`;
  }
  return cause instanceof Error ? cause.message : String(cause);
};
