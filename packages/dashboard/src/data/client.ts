/** The only access to the service: @winnow/client with the web session of the current user. */
import { Winnow } from "@winnow/client";
import { SERVER } from "../base.ts";

/** Deletions delayed for "undo" are sent even while the page is closing. */
const lastingFetch: typeof fetch = (input, init) =>
  fetch(input, { ...init, keepalive: init?.method === "DELETE" });

export const winnow = new Winnow({
  session: true,
  baseUrl: SERVER.pathname,
  // Queries have their own retries, and show how long to wait after a 429.
  maxRetries: 0,
  fetch: lastingFetch
});
