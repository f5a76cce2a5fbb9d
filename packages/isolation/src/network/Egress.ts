/** What goes out to strangers' addresses (GuardedEgress): for pages, media and children. Tests: EgressFetch.test.ts. */
import type { UnreachableCause } from "@winnow/core/domain/source/Failed";
import * as Context from "effect/Context";
import type * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import type { EgressFailed, ProxyFailed } from "./guard/EgressFailed.ts";
import type { RefusalReason } from "./guard/EgressRefused.ts";
import type { UpstreamProxy } from "./guard/UpstreamProxy.ts";

export interface FetchOptions {
  /** Limit on the decoded body. */
  readonly maxBytes: number;
  /** Wall clock limit of the whole request: resolving, connecting, redirects and the body. */
  readonly timeoutMs: number;
  /** Maximum redirects, each checked; default 5. */
  readonly maxRedirects?: number;
  /** Followed on the way to this URL, by other means; they count towards the maximum. Default 0. */
  readonly redirectCount?: number;
  /** Only accept, accept-language, range, referer and user-agent are sent on to another origin. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Any status is a response, including 404 and 500. */
export interface FetchedBody {
  readonly status: number;
  /** The final URL, after redirects. */
  readonly url: string;
  /** As sent, lower-case names; repeated headers are joined by a comma and a space. */
  readonly headers: Readonly<Record<string, string>>;
  /** Followed so far. */
  readonly redirectCount: number;
  /** Decoded (Content-Encoding undone). */
  readonly body: Uint8Array;
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

/** What leaves one way. */
export interface EgressWay {
  /** GET. */
  readonly fetch: (url: string, options: FetchOptions) => Effect.Effect<FetchedBody, EgressFailed>;

  /** Programs that use this proxy can reach what the guard allows, until `budgetBytes` are used up. */
  readonly openProxy: (options: {
    readonly budgetBytes: number;
  }) => Effect.Effect<EgressProxy, never, Scope.Scope>;
}

/** Another way out than that of the settings; the guard stays the same. */
export interface WayOptions {
  /** Ways of one name and proxy share connections. */
  readonly name: string;
  /** Null: as the settings say, which is direct or through their proxy. */
  readonly upstream: UpstreamProxy | null;
  /** Called when a connection through the upstream proxy was not made. */
  readonly onProxyFailed?: (failure: ProxyFailed) => void;
}

export class Egress extends Context.Service<
  Egress,
  EgressWay & {
    readonly through: (options: WayOptions) => EgressWay;

    /** The same for all proxies opened here; created on first use. */
    readonly proxySocket: Effect.Effect<ProxySocket>;
  }
>()("@winnow/isolation/network/Egress") {}
