/** Serves the web app below /app/, and redirects browsers there from the server's root. */
import { isFree } from "@winnow/core/domain/money/Plan";
import { Plans } from "@winnow/core/ports/Plans";
import * as HttpServerResponse from "effect/http/HttpServerResponse";
import { matchesEtag } from "../http/byteRange.ts";
import { etagOfBytes, type WebEncoding, type WebFile, type WebFiles } from "./WebFiles.ts";
import * as Effect from "effect/Effect";
import * as HttpRouter from "effect/http/HttpRouter";
import * as HttpServerError from "effect/http/HttpServerError";
import * as HttpServerRequest from "effect/http/HttpServerRequest";
import * as Layer from "effect/Layer";
import { publicPath, PublicUrl } from "../http/PublicUrl.ts";

// The response to a request below /app/: file, coding and headers. Pure.

type Response = HttpServerResponse.HttpServerResponse;

/** Everything comes from the server itself; pages contain no inline scripts or styles. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "media-src 'self'",
  "connect-src 'self'",
  "font-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'"
].join("; ");

const HEADERS = {
  "content-security-policy": POLICY,
  // URLs of screens contain ids of runs and schemas.
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()"
};

const YEAR_SECONDS = 31_536_000;
const IMMUTABLE = `public, max-age=${YEAR_SECONDS}, immutable`;

/** A screen's path may contain a dot, for example in the id of a predefined schema; these suffixes are files. */
const FILE_NAME = /^assets\/|\.(?:js|css|map|svg|png|ico|json|txt|webmanifest)$/u;

interface WebRequest {
  readonly method: string;
  /** Below the app, without query. */
  readonly path: string;
  /** The app was requested without the trailing slash: relative links then start one level above. */
  readonly isBare: boolean;
  /** Nothing has a price, which the app reads in its page. */
  readonly isFree: boolean;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** RFC 9110, section 12.5.3: a coding with weight 0 is not acceptable. */
const accepts = (header: string, encoding: string): boolean =>
  header.split(",").some((part) => {
    const [name = "", ...parameters] = part
      .trim()
      .toLowerCase()
      .split(/\s*;\s*/u);
    return (name === encoding || name === "*") && !parameters.some((each) => /^q=0(?:\.0*)?$/u.test(each));
  });

const encodingOf = (file: WebFile, header: string): WebEncoding | null =>
  file.encodings.find((encoding) => accepts(header, encoding)) ?? null;

const respond = (
  { method, headers }: WebRequest,
  bytes: Uint8Array,
  answer: Readonly<Record<"etag" | "content-type", string>> & Readonly<Record<string, string>>
): Response => {
  const all = { ...HEADERS, ...answer, vary: "accept-encoding" };
  if (matchesEtag(headers["if-none-match"] ?? "", answer.etag)) {
    return HttpServerResponse.empty({ status: 304, headers: all });
  }
  return method === "HEAD"
    ? HttpServerResponse.empty({ status: 200, headers: { ...all, "content-length": String(bytes.length) } })
    : HttpServerResponse.uint8Array(bytes, { headers: all, contentType: answer["content-type"] });
};

const fileAnswer = (request: WebRequest, file: WebFile): Response => {
  const encoding = encodingOf(file, request.headers["accept-encoding"] ?? "");
  const bytes = (encoding === null ? undefined : file.encoded[encoding]) ?? file.bytes;
  return respond(request, bytes, {
    "content-type": file.contentType,
    "cache-control": file.isImmutable ? IMMUTABLE : "no-cache",
    // Of the encoded bytes: two codings are two representations (RFC 9110, section 8.8.3).
    etag: encoding === null ? file.etag : file.etag.replace(/"$/u, `-${encoding}"`),
    ...(encoding === null ? {} : { "content-encoding": encoding })
  });
};

/**
 * The HTML page of a screen. Its links go up as many levels as the screen is deep, so that the app works below any
 * path without configuration.
 */
const pageAnswer = (request: WebRequest, page: string): Response => {
  const steps = request.isBare ? "./app/" : "../".repeat(request.path.split("/").length - 1) || "./";
  const rooted = page.replaceAll('"./', `"${steps}`);
  const text = request.isFree ? rooted.replace("<html", "<html data-free") : rooted;
  return respond(request, new TextEncoder().encode(text), {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-cache",
    etag: etagOfBytes(text)
  });
};

/** Null for unknown paths, which the caller handles like any other. */
const webResponse = (files: WebFiles, request: WebRequest): Response | null => {
  const file = files.file(request.path);
  if (file !== undefined) return fileAnswer(request, file);
  return FILE_NAME.test(request.path) ? null : pageAnswer(request, files.page());
};

const APP = "/app/";

/** No redirect to the path with a slash: frameworks that remove it (Next) would redirect in a loop. */
const BARE = "/app";

const pathOf = ({ url }: HttpServerRequest.HttpServerRequest): string => url.split(/[?#]/u, 1)[0] ?? "";

/**
 * Next drops the Content-Encoding of its routes' responses and compresses them itself, so they must be
 * uncompressed.
 */
const isNextRequest = (source: object): boolean => "nextUrl" in source;

const headersOf = ({ headers, source }: HttpServerRequest.HttpServerRequest) =>
  isNextRequest(source) ? { ...headers, "accept-encoding": "" } : headers;

const serve = (files: WebFiles) =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest;
    const { method } = request;
    const headers = headersOf(request);
    const path = pathOf(request);
    const response = webResponse(files, {
      method,
      headers,
      path: path.slice(APP.length),
      isBare: path === BARE,
      isFree: isFree((yield* Plans).book())
    });
    if (response !== null) return response;
    return yield* new HttpServerError.HttpServerError({
      reason: new HttpServerError.RouteNotFound({ request })
    });
  });

const home = (isServed: boolean) =>
  Layer.unwrap(
    Effect.map(PublicUrl, (publicUrl) =>
      HttpRouter.add(
        "GET",
        "/",
        HttpServerResponse.redirect(`${publicPath(publicUrl)}${isServed ? "app/" : "docs"}`)
      )
    )
  );

/** `files` null: there is no web app, and the root redirects to the API's description. */
export const layer = (files: WebFiles | null) =>
  files === null
    ? home(false)
    : // Its wildcard takes `/app` too.
      Layer.mergeAll(home(true), HttpRouter.add("GET", `${APP}*`, serve(files)));
