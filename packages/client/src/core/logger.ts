/** The `logger` hook of the client. */

export interface LogFields {
  readonly method: string;
  /** Path with query. */
  readonly path: string;
  /** Status of the response. */
  readonly status?: number;
  readonly durationMs?: number;
  /** `X-Request-Id` of the response. */
  readonly requestId?: string | null;
  /** Delay before the next attempt. */
  readonly delayMs?: number;
}

export interface LogEntry {
  /**
   * `debug` for each response, `warn` for failures that are retried. Entries never contain keys, bodies or
   * headers.
   */
  readonly level: "debug" | "warn";
  readonly message: string;
  readonly fields: LogFields;
  readonly error?: unknown;
}

/** Errors it throws are ignored. */
export type Logger = (entry: LogEntry) => void;

export const writeLog = (logger: Logger | undefined, entry: LogEntry): void => {
  try {
    logger?.(entry);
  } catch {
    // A logging error must not fail the request.
  }
};
