/**
 * The guard of all outgoing connections: pages, media, webhooks, and the proxy for child processes.
 *
 * It resolves a name once, requires every address to be public, connects only to a checked address, and checks
 * every redirect. Its messages never reveal an internal address.
 */
import type { UnreachableCause } from "@winnow/core/domain/source/Failure";
import * as Context from "effect/Context";
import type * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import type * as Scope from "effect/Scope";
import type { EgressFailed } from "./guard/EgressFailed.ts";
import { makeEgress, type EgressSettings } from "./MakeEgress.ts";
import type { RefusalReason } from "./guard/EgressRefused.ts";

export { EgressFailed, EgressReason } from "./guard/EgressFailed.ts";

export interface FetchOptions {
  /** Limit on the decoded body. */
  readonly maxBytes: number;
  /** Wall clock limit of the whole request: resolving, connecting, redirects and the body. */
  readonly timeoutMs: number;
  /** Maximum redirects, each checked; default 5. */
  readonly maxRedirects?: number;
  /** Only accept, accept-language, range, referer and user-agent are sent on to another origin. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface DownloadOptions extends FetchOptions {
  /** Receives the decoded bytes written so far, at every chunk. */
  readonly onBytes?: (sizeBytes: number) => void;
}

/** Any status is a response, including 404 and 500. */
export interface EgressResponse {
  readonly status: number;
  /** The final URL, after redirects. */
  readonly url: string;
  /** As sent, lower-case names; repeated headers are joined by a comma and a space. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface FetchedBody extends EgressResponse {
  /** Decoded (Content-Encoding undone). */
  readonly body: Uint8Array;
}

export interface DownloadedFile extends EgressResponse {
  /** Size of the written file, decoded. */
  readonly sizeBytes: number;
}

/** A connection denied by the proxy. */
export interface Denial {
  /** The host as requested by the child, never the resolved address. */
  readonly host: string;
  /** 0 if the port could not be parsed. */
  readonly port: number;
  readonly reason: RefusalReason;
}

/** The proxy of one run; closing its scope destroys its connections and revokes its credentials. */
export interface EgressProxy {
  /** `http://user:password@127.0.0.1:port`, credentials of this run. */
  readonly url: string;
  /** The first 100 denials. */
  readonly denials: Effect.Effect<ReadonlyArray<Denial>>;
  /** Why the newest connection that could not be made failed; null if there is none or it is unknown. */
  readonly unreachableCause: Effect.Effect<UnreachableCause | null>;
  /** Completes at the next new connection of a child. */
  readonly nextConnection: Effect.Effect<void>;
  /** Bytes in both directions, between the children and the proxy. */
  readonly bytesUsed: Effect.Effect<number>;
  /** Whether the budget is exhausted: all connections were destroyed and new ones are denied. */
  readonly exhausted: Effect.Effect<boolean>;
}

/** Where a relay in an isolated network namespace reaches the proxy. */
export interface ProxySocket {
  /** The port in the proxies' URLs, which the relay has to listen on. */
  readonly port: number;
  /** A Unix socket that only this process uses. */
  readonly socketPath: string;
}

export class Egress extends Context.Service<
  Egress,
  {
    /** GET. */
    readonly fetch: (url: string, options: FetchOptions) => Effect.Effect<FetchedBody, EgressFailed>;

    /** GET, streamed to a new or overwritten file at `path`, which is removed when it fails. */
    readonly download: (
      url: string,
      path: string,
      options: DownloadOptions
    ) => Effect.Effect<DownloadedFile, EgressFailed>;

    /** Programs that use this proxy can reach what the guard allows, until `budgetBytes` are used up. */
    readonly openProxy: (options: {
      readonly budgetBytes: number;
    }) => Effect.Effect<EgressProxy, never, Scope.Scope>;

    /** The same for all proxies opened here; created on first use. */
    readonly proxySocket: Effect.Effect<ProxySocket>;
  }
>()("@winnow/adapters/network/Egress") {
  /** Fails with `InvalidEgressSetting` on settings that cannot be read. */
  static readonly layer = (settings: EgressSettings) => Layer.effect(this, makeEgress(settings));
}
