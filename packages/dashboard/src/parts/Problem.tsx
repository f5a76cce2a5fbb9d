/**
 * An error in the server's words with its request id, possible actions, and how long to wait; and actions that may
 * fail.
 */
import { useEffect, useState } from "preact/hooks";
import { ApiError, ConnectionError, TimeoutError } from "@winnow/client";
import { waitMsOf } from "../data/cache.ts";
import { words } from "../words/words.ts";
import { sessionIsOver } from "../data/session.ts";

const SECOND_MS = 1_000;

const messageOf = (error: unknown): string => {
  if (error instanceof ConnectionError || error instanceof TimeoutError) {
    return navigator.onLine ? words.problem.unreachable : words.problem.offline;
  }
  return error instanceof Error ? error.message : String(error);
};

/** Seconds until a retry is allowed, which then happens automatically; 0 for immediately. */
const useCountdown = (error: unknown, retry: (() => void) | undefined): number => {
  const retryAfterSeconds = waitMsOf(error) / SECOND_MS;
  const [left, set] = useState(retryAfterSeconds);
  useEffect(() => {
    set(retryAfterSeconds);
    if (retryAfterSeconds === 0) return undefined;
    const timer = setInterval(() => set((seconds) => Math.max(0, seconds - 1)), SECOND_MS);
    return () => clearInterval(timer);
  }, [error]);
  useEffect(() => {
    if (retryAfterSeconds === 0 || retry === undefined) return undefined;
    const timer = setTimeout(retry, retryAfterSeconds * SECOND_MS);
    return () => clearTimeout(timer);
  }, [error]);
  return left;
};

export interface ProblemProps {
  readonly error: unknown;
  readonly retry?: () => void;
}

export const Problem = ({ error, retry }: ProblemProps) => {
  const seconds = useCountdown(error, retry);
  // Nothing is wrong: it continues by itself.
  const isWait = seconds > 0 && retry !== undefined;
  const requestId = error instanceof ApiError ? error.requestId : null;
  useEffect(() => {
    if (!(error instanceof ConnectionError) || retry === undefined) return undefined;
    addEventListener("online", retry);
    return () => removeEventListener("online", retry);
  }, [error, retry]);
  return (
    <div class={isWait ? "problem waits" : "problem"} role={isWait ? "status" : "alert"}>
      <p>{isWait ? words.problem.busy : messageOf(error)}</p>
      {requestId === null || isWait ? null : (
        <p class="hint">
          {words.problem.requestId} <code>{requestId}</code>
        </p>
      )}
      {retry === undefined ? null : (
        <button class="button" type="button" disabled={seconds > 0} onClick={retry}>
          {seconds > 0 ? words.problem.againIn(seconds) : words.problem.again}
        </button>
      )}
    </div>
  );
};

/** An action started by a click: its busy state and error. */
export const useAct = () => {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const act = async <A,>(does: () => Promise<A>, then?: (answer: A) => void): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      const answer = await does();
      then?.(answer);
    } catch (failure) {
      if (failure instanceof ApiError && failure.status === 401) sessionIsOver();
      setError(failure);
    }
    setBusy(false);
  };
  return { act, isBusy, error, clear: () => setError(null) };
};
