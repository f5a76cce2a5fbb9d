/** Why a request failed, and what errors of sockets, TLS and HTTP mean. Denials: EgressRefused.ts. */
import { UnreachableCause } from "@winnow/core/domain/source/Failed";
import * as Schema from "effect/Schema";
import { errors } from "undici";
import { codeOf } from "../../runtime/ErrorCode.ts";
import { EgressRefused, refusalSentence } from "./EgressRefused.ts";

/**
 * `away`: the proxy cannot be reached; `credentials`: it does not admit us; `protocol`: it is no proxy of this kind;
 * `declined`: it did not connect to the host.
 */
export type ProxyFailure = "away" | "credentials" | "protocol" | "declined";

/** A connection through an upstream proxy was not made. The code is that of its cause. */
export class ProxyFailed extends Error {
  override readonly name = "ProxyFailed";
  readonly reason: ProxyFailure;
  readonly code: string;

  constructor(reason: ProxyFailure, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.reason = reason;
    this.code = codeOf(cause);
  }

  /** Whether the proxy itself does not work: then it reaches no other host either. */
  get isProxy(): boolean {
    return this.reason !== "declined";
  }
}

/** The name has no address: nothing was denied, but there is nothing to connect to. */
export class Unresolvable extends Error {}

/** A body that cannot be decoded: several encodings, an unknown one, or damaged. */
export class UndecodableBody extends Error {}

/** `host_not_public`: the first URL names such a host; `blocked_address`: a later one does. */
export const EgressReason = Schema.Literals([
  "host_not_public",
  "blocked_address",
  "timeout",
  "too_large",
  "unreachable",
  "redirect_loop",
  "bad_response"
]);
export type EgressReason = typeof EgressReason.Type;

/** The message is for people and never reveals an internal address. */
export class EgressFailed extends Schema.TaggedError<EgressFailed>()("EgressFailed", {
  reason: EgressReason,
  message: Schema.String,
  /** Of `unreachable`; absent if unknown. */
  unreachableCause: Schema.optionalKey(UnreachableCause),
  /** Of `too_large`: that is what a compressed response unpacks to. */
  isPacked: Schema.optionalKey(Schema.Literal(true))
}) {}

const failed = (reason: EgressReason, message: string, unreachableCause?: UnreachableCause) =>
  new EgressFailed({ reason, message, ...(unreachableCause === undefined ? {} : { unreachableCause }) });

export const timedOut = (timeoutMs: number) =>
  failed("timeout", `The response did not arrive within ${timeoutMs / 1000} s.`);
export const tooLarge = (maxBytes: number, isPacked = false) =>
  new EgressFailed({
    reason: "too_large",
    message: `The response is larger than ${maxBytes} bytes.`,
    ...(isPacked ? { isPacked } : {})
  });
export const redirectLoop = (maxRedirects: number) =>
  failed("redirect_loop", `The server redirected more than ${maxRedirects} times.`);
export const badRedirect = () => failed("bad_response", "The server redirected to an invalid address.");

const TIMEOUT_CODES = /^(?:ETIMEDOUT|UND_ERR_(?:CONNECT|HEADERS|BODY)_TIMEOUT)$/u;
/** Of Node's HTTP parser (`HPE_`), zlib, brotli, zstd and undici. */
const BAD_RESPONSE_CODES =
  /^(?:HPE_|Z_|ERR_(?:BROTLI|ZSTD|PADDING|_ERROR)|BR_|ZSTD_|UND_ERR_(?:HEADERS_OVERFLOW|RES|RESPONSE|INVALID))/u;

/** Connection errors by the codes of Node and OpenSSL; the first match wins. */
const CONNECTION_WORDS: ReadonlyArray<readonly [RegExp, UnreachableCause, string]> = [
  [/^ECONNREFUSED$/u, "refused", "The server refused the connection."],
  [/^E(?:HOST|NET)UNREACH$/u, "timeout", "There is no route to the server."],
  [/^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET)$/u, "reset", "The server closed the connection early."],
  [/^CERT_HAS_EXPIRED$/u, "tls", "The server's TLS certificate has expired."],
  [/^CERT_NOT_YET_VALID$/u, "tls", "The server's TLS certificate is not valid yet."],
  [/SELF_SIGNED/u, "tls", "The server's TLS certificate is self-signed."],
  [/ALTNAME/u, "tls", "The server's TLS certificate is for another host."],
  [/UNABLE_TO_/u, "tls", "The server's TLS certificate is from an unknown authority."],
  [/^ERR_SSL_|^EPROTO/u, "tls", "The TLS handshake with the server failed."],
  [/CERT|^ERR_TLS_/u, "tls", "The server's TLS certificate is not valid."]
];

/** Whether `error` closed a connection before a response, for example a stale kept-alive one. */
export const isConnectionLost = (error: unknown): boolean =>
  ["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"].includes(codeOf(error));

/** Only our own sentences are used, because system errors contain the address. */
export const toEgressFailed = (error: unknown, redirects: number): EgressFailed => {
  if (error instanceof EgressFailed) return error;
  if (error instanceof EgressRefused) {
    const where = redirects === 0 ? "The URL" : "A redirect of the URL";
    const message = `${where} ${refusalSentence(error.reason)}.`;
    return failed(redirects === 0 ? "host_not_public" : "blocked_address", message);
  }
  if (error instanceof Unresolvable)
    return failed("unreachable", "The host does not exist or does not resolve.", "dns");
  const code = codeOf(error);
  if (error instanceof UndecodableBody) return failed("bad_response", `${error.message}.`);
  if (TIMEOUT_CODES.test(code))
    return failed("timeout", "The server took too long to connect or to respond.");
  const isUnparsable = error instanceof errors.HTTPParserError;
  if (isUnparsable || BAD_RESPONSE_CODES.test(code))
    return failed("bad_response", "The server's response is malformed.");
  const [, cause, words] = CONNECTION_WORDS.find(([codes]) => codes.test(code)) ?? [];
  return failed(
    "unreachable",
    words ?? "The server could not be reached or closed the connection early.",
    cause
  );
};
