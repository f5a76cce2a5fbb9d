/**
 * What a call of the embedded engine rejects with: the error envelope of the API as an Error.
 */
import type { ErrorCode } from "../api/ApiErrors.ts";

/** The codes of the API, `timeout` of `wait`, and `closed` of a Winnow that was closed. */
export type EngineErrorCode = ErrorCode | "timeout" | "closed";

export class EngineError extends Error {
  override readonly name = "EngineError";
  /** Stable; the message is for people and may change. */
  readonly code: EngineErrorCode;
  /** Structured context, as the API's `details`; empty when there is none. */
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
