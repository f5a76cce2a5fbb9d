/** What the client tells a `logger` of what it does. */

export interface LogFields {
  readonly method: string;
  /** With its query; never a key, a body or a header. */
  readonly path: string;
  /** Of the answer. */
  readonly status?: number;
  readonly durationMs?: number;
  /** `X-Request-Id` of the answer. */
  readonly requestId?: string | null;
  /** Until the next try. */
  readonly delayMs?: number;
}

export interface LogEntry {
  /** `debug` for each answer, `warn` for what went wrong and is tried again. */
  readonly level: "debug" | "warn";
  readonly message: string;
  readonly fields: LogFields;
  readonly error?: unknown;
}

/** What it throws is not heard. */
export type Logger = (entry: LogEntry) => void;

export const tell = (logger: Logger | undefined, entry: LogEntry): void => {
  try {
    logger?.(entry);
  } catch {
    // A request does not fail for its log.
  }
};
