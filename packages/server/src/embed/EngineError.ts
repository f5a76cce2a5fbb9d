/**
 * The error of calls to the embedded engine: the API's error envelope as an Error.
 */
import type { ErrorCode } from "../http/ApiErrors.ts";

/** The codes of the API, `timeout` from `wait`, and `closed` after the instance was closed. */
export type EngineErrorCode = ErrorCode | "timeout" | "closed";

export class EngineError extends Error {
  override readonly name = "EngineError";
  /** Stable; the message is for people and may change. */
  readonly code: EngineErrorCode;
  /** Structured context like the API's `details`; empty if there is none. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    code: EngineErrorCode,
    message: string,
    details: Readonly<Record<string, unknown>> = {},
    cause?: unknown
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.details = details;
  }
}
