/**
 * The one guard of every outgoing connection: pages, media, webhooks, and the proxy of child processes.
 *
 * It resolves a name once, demands that every answer is public, connects to the vetted address only, and
 * vets every redirect anew. Nothing it reports reveals an internal address.
 */
import * as Context from "effect/Context";
import type * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import type * as Scope from "effect/Scope";
import type { EgressFailed } from "./EgressFailed.ts";
import { makeEgress, type EgressSettings } from "./MakeEgress.ts";
import type { RefusalReason } from "./Refusal.ts";

export { EgressFailed, EgressReason } from "./EgressFailed.ts";

export interface FetchOptions {
  /** Limit on the decoded body. */
  readonly maxBytes: number;
  /** Wall clock limit in all: resolving, connecting, redirects and the whole body. */
  readonly timeoutMs: number;
  /** Redirects followed, each vetted anew; default 5. */
  readonly maxRedirects?: number;
  /** Only accept, accept-language, range, referer and user-agent are sent on to another origin. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface DownloadOptions extends FetchOptions {
  /** Told the decoded bytes written so far, at every chunk. */
  readonly onBytes?: (sizeBytes: number) => void;
}

/** Any status counts as an answer, 404 and 500 too. */
export interface EgressResponse {
  readonly status: number;
  /** The URL that answered, after redirects. */
  readonly url: string;
  /** As sent, lower-case names; repeated headers are joined by a comma and a space. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface FetchedBody extends EgressResponse {
  /** Decoded (Content-Encoding undone). */
  readonly body: Uint8Array;
}

export interface DownloadedFile extends EgressResponse {
  /** Of the file written, decoded. */
  readonly sizeBytes: number;
}

/** A connection the proxy refused. */
export interface Denial {
  /** As the child asked for it, never what it resolved to. */
  readonly host: string;
  /** 0 where none could be read. */
  readonly port: number;
  readonly reason: RefusalReason;
}

/** The proxy as one run sees it; closing its scope kills its connections and its credentials. */
export interface EgressProxy {
  /** `http://user:password@127.0.0.1:port`, credentials of this run. */
  readonly url: string;
  /** The first 100. */
  readonly denials: Effect.Effect<ReadonlyArray<Denial>>;
  /** Both directions, between the children and the proxy. */
  readonly bytesUsed: Effect.Effect<number>;
  /** The budget is spent: all connections were destroyed and new ones are refused. */
  readonly exhausted: Effect.Effect<boolean>;
}

/** Where a relay in a network of its own gets through to the proxy. */
export interface ProxyDoor {
  /** The port in the proxies' URLs, which the relay has to listen on. */
  readonly port: number;
  /** A Unix socket of this process alone. */
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

    /** Programs that are given `url` reach what the guard allows, until `budgetBytes` have passed. */
    readonly openProxy: (options: {
      readonly budgetBytes: number;
    }) => Effect.Effect<EgressProxy, never, Scope.Scope>;

    /** The same for all proxies opened here; made when it is first asked for. */
    readonly proxyDoor: Effect.Effect<ProxyDoor>;
  }
>()("@winnow/adapters/egress/Egress") {
  /** Fails with `InvalidEgressSetting` on settings that cannot be read. */
  static readonly layer = (settings: EgressSettings) => Layer.effect(this, makeEgress(settings));
}
