/**
 * Why the guard denies a connection, as a code and as a sentence, neither of which ever contains a resolved address; and how
 * denials are counted and logged for the operator. Also: adapters' Denials.test.ts.
 */
import * as Effect from "effect/Effect";
import * as Metric from "effect/Metric";

export type RefusalReason =
  | "invalid_url"
  | "scheme"
  | "credentials"
  | "host_name"
  | "port"
  | "address"
  | "unresolvable";

const SENTENCES: Readonly<Record<RefusalReason, string>> = {
  invalid_url: "is not an absolute URL of the form https://host/path",
  scheme: "has a scheme that is not allowed",
  credentials: "contains a user name or a password",
  host_name: "names a host that is not public",
  port: "uses a port that is not allowed",
  address: "leads to an address that is not public",
  unresolvable: "names a host that does not exist or does not resolve"
};

/** Completes a sentence that starts with the request: "The URL ...". */
export const refusalSentence = (reason: RefusalReason): string => SENTENCES[reason];

/** RFC 1035 allows names of 253 characters. */
const SHOWN_MAX_LENGTH = 255;

/** An unparsable authority in loggable form: without credentials, truncated. */
export const shownHost = (authority: string): string =>
  authority.slice(authority.lastIndexOf("@") + 1).slice(0, SHOWN_MAX_LENGTH);

/** Thrown at promise boundaries when the guard denies a connection; `host` is the requested name. */
export class EgressRefused extends Error {
  override readonly name = "EgressRefused";
  readonly reason: RefusalReason;
  readonly host: string;
  readonly port: number;

  constructor(reason: RefusalReason, host: string, port: number) {
    super(`The address ${refusalSentence(reason)}.`);
    this.reason = reason;
    this.host = host;
    this.port = port;
  }
}

/** Denied connections, by attribute `reason` (a RefusalReason). */
export const deniedConnections = Metric.counter("winnow_egress_denied_total", {
  description: "Outgoing connections refused by the egress guard",
  incremental: true
});

export const countRefusal = ({ reason }: EgressRefused): Effect.Effect<void> =>
  Metric.update(Metric.withAttributes(deniedConnections, { reason }), 1);

/** Counts and logs a denial with the requested name, never with its address. */
export const recordRefusal = (refused: EgressRefused): Effect.Effect<void> => {
  const { host, port, reason } = refused;
  const logged = Effect.logWarning("Outgoing connection refused").pipe(
    Effect.annotateLogs({
      host,
      port,
      reason,
      ...(reason === "address" || reason === "host_name"
        ? { remedy: `to allow it: WINNOW_EGRESS_ALLOW=${host}` }
        : {})
    })
  );
  return Effect.andThen(countRefusal(refused), logged);
};
