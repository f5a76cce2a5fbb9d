/** The id of a request in responses and logs: the caller's, if it is safe to log. */
import { randomUUID } from "node:crypto";
import type { Headers } from "effect/http/Headers";

/** Letters, digits and the punctuation of common id formats; nothing that could forge a log line. */
const ACCEPTED = /^[\w.:+/=-]{1,128}$/u;

export const REQUEST_ID_HEADER = "x-request-id";

export const requestIdOf = (headers: Headers): string => {
  const sent = headers[REQUEST_ID_HEADER];
  return sent !== undefined && ACCEPTED.test(sent) ? sent : randomUUID();
};
