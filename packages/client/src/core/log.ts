/** The `logger` hook of the client. Tests: settings.test.ts. */

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

const PATIENCE_MS = 10_000;

/** For clients without a logger: the first time that one waits for long is told, since it looks like a hang. */
export const warnOfWaits = (): Logger => {
  let isTold = false;
  return ({ message, fields: { delayMs = 0 } }) => {
    if (isTold || delayMs < PATIENCE_MS) return;
    isTold = true;
    // oxlint-disable-next-line no-console -- the only voice of a library without a logger
    console.warn(`Winnow: ${message} Later waits are not told; pass a logger to hear of each.`);
  };
};

export const writeLog = (logger: Logger | undefined, entry: LogEntry): void => {
  try {
    logger?.(entry);
  } catch {
    // A logging error must not fail the request.
  }
};
