/** Combined abort signals. */

const joined = (signals: ReadonlyArray<AbortSignal>): AbortSignal => {
  const both = new AbortController();
  for (const signal of signals) {
    const abort = (): void => both.abort(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
  }
  return both.signal;
};

/** Aborts when any of the signals does, with its reason. Some edge runtimes have no `AbortSignal.any`. */
export const anySignal = (...signals: ReadonlyArray<AbortSignal | undefined>): AbortSignal => {
  const present = signals.filter((signal) => signal !== undefined);
  return typeof AbortSignal.any === "function" ? AbortSignal.any(present) : joined(present);
};
