/** Queries that are repeated while the page is visible; TanStack Query pauses them in hidden pages. */
import { ApiError } from "@winnow/client";

const SECOND_MS = 1_000;

/** How long the server asks to wait after too many requests; 0 for other errors. */
export const waitMsOf = (error: unknown): number =>
  error instanceof ApiError && error.status === 429 ? (error.retryAfterSeconds ?? 1) * SECOND_MS : 0;

/** For `refetchInterval`: later if the server asks to wait. */
export const every =
  (ms: number) =>
  ({ state }: { readonly state: { readonly error: Error | null } }): number =>
    Math.max(ms, waitMsOf(state.error));
