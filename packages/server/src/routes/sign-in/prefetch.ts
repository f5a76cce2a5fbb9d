/** Whether a request only looks ahead, and so must not use anything up: link previews, scanners and prefetches. Pure. */
import type { HttpServerRequest } from "effect/http/HttpServerRequest";

/** The standard header (Fetch, "Sec-Purpose"), and those of older Chromium, Safari and Firefox. */
const PURPOSES = ["sec-purpose", "purpose", "x-purpose", "x-moz"];

export const isPrefetch = ({ method, headers }: Pick<HttpServerRequest, "method" | "headers">): boolean =>
  method === "HEAD" || PURPOSES.some((name) => /prefetch|prerender|preview/iu.test(headers[name] ?? ""));
