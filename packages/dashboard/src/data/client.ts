/**
 * The one way to the service: @winnow/client in the web session of whoever is signed in.
 */
import { Winnow } from "@winnow/client";
import { SERVER } from "../base.ts";

/** Deletions that were put off for "undo" are sent even while the page goes away. */
const lastingFetch: typeof fetch = (input, init) =>
  fetch(input, { ...init, keepalive: init?.method === "DELETE" });

export const winnow = new Winnow({
  session: true,
  baseUrl: SERVER.pathname,
  // Queries retry by themselves, and show a person how long 429 asks them to wait.
  maxRetries: 0,
  fetch: lastingFetch
});
