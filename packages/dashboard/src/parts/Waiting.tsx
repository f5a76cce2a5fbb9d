/**
 * What is shown for content that is not there: a placeholder, an error and its retry, an empty state, more rows.
 * Tests: states.test.ts, lists.test.ts.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import { ApiError, ConnectionError, TimeoutError } from "@winnow/client";
import { href } from "../data/addresses.ts";
import { isRetryable, waitMsOf } from "../data/cache.ts";
import { timeOfDay } from "../words/format.ts";
import { refusalText } from "../words/refusals.ts";
import { problemWords, words } from "../words/words.ts";
import type { ComponentChildren } from "preact";

// An error in the server's words with its request id, possible actions, and how long to wait.

/** Thrown by the engine: this app, or what it needs of the browser, is at fault. */
const isOfProgram = (error: unknown): boolean =>
  [TypeError, ReferenceError, RangeError, SyntaxError].some((kind) => error instanceof kind);

const messageOf = (error: unknown): string => {
  if (error instanceof ConnectionError || error instanceof TimeoutError) {
    return navigator.onLine ? problemWords.unreachable : problemWords.offline;
  }
  if (isOfProgram(error)) return problemWords.program(String(error));
  return error instanceof Error ? refusalText(error) : String(error);
};

/** Seconds until a retry is allowed, which then happens automatically; 0 for immediately. */
const useCountdown = (error: unknown, retry: (() => void) | undefined): number => {
  const [left, set] = useState(waitMsOf(error) / 1_000);
  useEffect(() => {
    let seconds = waitMsOf(error) / 1_000;
    set(seconds);
    if (seconds === 0) return undefined;
    const timer = setInterval(() => {
      seconds -= 1;
      set(Math.max(0, seconds));
      if (seconds > 0) return;
      clearInterval(timer);
      retry?.();
    }, 1_000);
    return () => clearInterval(timer);
  }, [error]);
  return left;
};

interface ProblemProps {
  /** Null if nothing went wrong. */
  readonly error: unknown;
  readonly retry?: () => void;
}

/** Asking again would be refused again: what was asked for has to change. */
const LASTING: ReadonlySet<number> = new Set([400, 402, 404, 422]);
const isLasting = (error: unknown): boolean => error instanceof ApiError && LASTING.has(error.status);

export const Problem = ({ error, retry: again }: ProblemProps) => {
  const isForGood = isLasting(error);
  const retry = isForGood ? undefined : again;
  const seconds = useCountdown(error, retry);
  // Nothing is wrong: it continues by itself.
  const isWait = seconds > 0 && retry !== undefined;
  const requestId = error instanceof ApiError ? error.requestId : null;
  useEffect(() => {
    if (!(error instanceof ConnectionError) || retry === undefined) return undefined;
    addEventListener("online", retry);
    return () => removeEventListener("online", retry);
  }, [error, retry]);
  if (error === null) return null;
  return (
    <div class={isWait ? "problem waits" : "problem"} role={isWait ? "status" : "alert"}>
      <p>{isWait ? problemWords.busy : messageOf(error)}</p>
      {requestId === null || isWait || isForGood ? null : (
        <p class="hint">
          {problemWords.requestId} <code>{requestId}</code>
        </p>
      )}
      {error instanceof ApiError && error.status === 402 ? (
        <a href={href("settings/usage")}>{problemWords.topUp}</a>
      ) : null}
      {error instanceof ApiError && error.status === 404 ? (
        <a href={href("")}>{problemWords.onward}</a>
      ) : null}
      {retry === undefined ? null : (
        <button class="button" type="button" disabled={seconds > 0} onClick={retry}>
          {seconds > 0 ? problemWords.againIn(seconds) : problemWords.again}
        </button>
      )}
    </div>
  );
};

/** Placeholders with the size of the content, so that nothing moves when it is loaded. */
export const Loading = ({ lines = 6 }: { readonly lines?: number }) => (
  <div class="loading" role="status">
    <span class="sr">{words.loading}</span>
    {Array.from({ length: lines }, (_, index) => (
      <span key={index} class="skeleton" aria-hidden="true" />
    ))}
  </div>
);

interface StaleProps {
  readonly query: {
    readonly data: unknown;
    readonly dataUpdatedAt: number;
    /** Of the last attempt, also while another one follows; null after an answer. */
    readonly failureReason: Error | null;
  };
}

/** Above data that is shown although it could not be asked for again: the server is away, or the network. */
export const Stale = ({ query: { data, dataUpdatedAt, failureReason } }: StaleProps) =>
  data === undefined || !isRetryable(failureReason) ? null : (
    <p class="notice calm stale" role="status">
      {problemWords.stale(timeOfDay(dataUpdatedAt))}
    </p>
  );

interface WaitingProps<Answer> {
  readonly query: StaleProps["query"] & {
    readonly data: Answer | undefined;
    readonly error: Error | null;
    readonly refetch: () => unknown;
  };
  readonly lines?: number;
  readonly children: (answer: Answer) => ComponentChildren;
}

/** A query's placeholder, error or result. */
export const Waiting = <Answer,>({ query, lines = 4, children }: WaitingProps<Answer>) => {
  if (query.data !== undefined) {
    return (
      <>
        <Stale query={query} />
        {children(query.data)}
      </>
    );
  }
  if (query.error === null) return <Loading lines={lines} />;
  return <Problem error={query.error} retry={() => void query.refetch()} />;
};

interface EmptyProps {
  readonly title: string;
  readonly children?: ComponentChildren;
}

/** An empty state with a first step. */
export const Empty = ({ title, children }: EmptyProps) => (
  <section class="empty panel">
    <h2>{title}</h2>
    {children}
  </section>
);

interface MoreProps {
  readonly query: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly isFetchNextPageError: boolean;
    readonly error: Error | null;
    readonly fetchNextPage: () => unknown;
  };
  /** Also loads them before the end of the list comes into sight. */
  readonly isEndless?: boolean;
}

/** How far below the window the end of an endless list may be. */
const AHEAD = "800px";

/** The button that loads more rows of a list. */
export const More = ({ query, isEndless = false }: MoreProps) => {
  const button = useRef<HTMLButtonElement>(null);
  const more = (): void => {
    if (!query.isFetchingNextPage) void query.fetchNextPage();
  };
  useEffect(() => {
    if (!isEndless || query.isFetchingNextPage || button.current === null) return undefined;
    const observer = new IntersectionObserver(
      // A busy page gets several at once: out of sight, then in sight.
      (entries) => {
        if (entries.at(-1)?.isIntersecting === true) more();
      },
      { rootMargin: AHEAD }
    );
    observer.observe(button.current);
    return () => observer.disconnect();
  }, [isEndless, query.isFetchingNextPage, query.hasNextPage, query.isFetchNextPageError]);
  // Rows that are shown are requested again every few seconds, whatever comes of it once.
  if (query.isFetchNextPageError) return <Problem error={query.error} retry={more} />;
  if (!query.hasNextPage) return null;
  return (
    <button
      ref={button}
      class="button wide"
      type="button"
      aria-disabled={query.isFetchingNextPage}
      onClick={more}
    >
      {query.isFetchingNextPage ? words.loading : words.more}
    </button>
  );
};
