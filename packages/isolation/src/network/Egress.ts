/**
 * The guard of all outgoing connections: pages, media, webhooks, and the proxy for child processes.
 *
 * It resolves a name once, requires every address to be public, connects only to a checked address, and checks
 * every redirect. Its messages never reveal an internal address.
 */
import type { UnreachableCause } from "@winnow/core/domain/source/Failed";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Scope from "effect/Scope";
import {
  EgressFailed,
  ProxyFailed,
  timedOut,
  toEgressFailed,
  type RefusalReason,
  type EgressRefused,
  countRefusal,
  recordRefusal
} from "./guard/EgressFailed.ts";
import * as References from "effect/References";
import { LRUCache } from "lru-cache";
import type { Agent } from "undici";
import { type EgressRoute, makeRoute, type RouteSettings } from "./guard/EgressRoute.ts";
import { openGet, type GuardedClient } from "./guard/GuardedClient.ts";
import type { InvalidEgressSetting } from "./guard/Guard.ts";
import { makePinnedAgent } from "./guard/PinnedAgent.ts";
import type { UpstreamProxy } from "./guard/UpstreamProxy.ts";
import { startProxyServer } from "./ProxyServer.ts";

export { EgressFailed, EgressReason, ProxyFailed } from "./guard/EgressFailed.ts";

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
export interface EgressResponse {
  readonly status: number;
  /** The final URL, after redirects. */
  readonly url: string;
  /** As sent, lower-case names; repeated headers are joined by a comma and a space. */
  readonly headers: Readonly<Record<string, string>>;
  /** Followed so far. */
  readonly redirectCount: number;
}

export interface FetchedBody extends EgressResponse {
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
>()("@winnow/isolation/network/Egress") {
  /** Fails with `InvalidEgressSetting` on settings that cannot be read. */
  static readonly layer = (settings: EgressSettings) => Layer.effect(this, makeEgress(settings));
}

// Assembles the guard: parses its settings and creates one connection pool and, on demand, one proxy server.

export interface EgressSettings extends RouteSettings {
  /** Should include the operator's page, as in `Winnow/0.1 (+https://winnow.example.org)`. */
  readonly userAgent?: string | undefined;
}

const USER_AGENT_DEFAULT = "Winnow/0.1";

/** Shared: without a reason, each abort would create an error with an unused stack trace. */
const OVER = new Error("The request has ended.");

/**
 * Runs `work` with a time limit. Its signal is aborted when it ends for any reason, and interruption waits for its
 * clean-up.
 */
const within = <A>(
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<A>
): Effect.Effect<A, EgressFailed> =>
  Effect.callback<A, EgressFailed>((resume) => {
    const controller = new AbortController();
    const working = work(controller.signal)
      .then(
        (value) => resume(Effect.succeed(value)),
        (error) => resume(Effect.fail(toEgressFailed(error, 0)))
      )
      .finally(() => controller.abort(OVER));
    return Effect.promise(() => {
      controller.abort(OVER);
      return working;
    });
  }).pipe(Effect.timeoutOrElse({ duration: timeoutMs, orElse: () => Effect.fail(timedOut(timeoutMs)) }));

const fetchBody = async (client: GuardedClient, url: string, options: FetchOptions, signal: AbortSignal) => {
  const { body, ...response } = await openGet(client, url, options, signal);
  const chunks: Array<Uint8Array> = [];
  for await (const chunk of body) chunks.push(chunk);
  return { ...response, body: Buffer.concat(chunks) } satisfies FetchedBody;
};

/** Ways remembered with their connections; unused ones keep none for longer than a minute. */
const WAYS_MAX = 256;

/** A route with its own connections. */
interface Way {
  readonly route: EgressRoute;
  readonly agent: Agent;
}

const keyOf = ({ name, upstream }: WayOptions): string => JSON.stringify([name, upstream]);

/** The ways that were asked for, each with one connection pool. */
const makeWays = (guarded: EgressRoute) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(
        () =>
          new LRUCache<string, Way>({
            max: WAYS_MAX,
            // Requests under way end first.
            dispose: ({ agent }) => void agent.close().catch(() => {})
          })
      ),
      (ways) => Effect.promise(() => Promise.all([...ways.values()].map(({ agent }) => agent.destroy())))
    ),
    (ways) =>
      (options: WayOptions): Way => {
        const key = keyOf(options);
        const known = ways.get(key);
        if (known !== undefined) return known;
        const route = { ...guarded, upstream: options.upstream ?? guarded.upstream };
        const way = { route, agent: makePinnedAgent(route) };
        ways.set(key, way);
        return way;
      }
  );

const makeEgress: (
  settings: EgressSettings
) => Effect.Effect<Egress["Service"], InvalidEgressSetting, Scope.Scope> = Effect.fnUntraced(
  function* (settings) {
    const guarded = yield* makeRoute(settings, "page");
    const scope = yield* Effect.scope;
    const runFork = Effect.runForkWith(yield* Effect.context<never>());

    /** Log lines about denials carry the annotations of the requester, above all the run. */
    const onRefused = Effect.map(
      References.CurrentLogAnnotations,
      (annotations) =>
        (refused: EgressRefused, isRecorded = true): void => {
          const report = isRecorded ? recordRefusal(refused) : countRefusal(refused);
          runFork(Effect.annotateLogs(report, annotations));
        }
    );

    const wayOf = yield* makeWays(guarded);
    const userAgent = settings.userAgent ?? USER_AGENT_DEFAULT;

    const proxyServer = yield* Effect.acquireRelease(Effect.promise(startProxyServer), (server) =>
      Effect.promise(server.close)
    ).pipe(Effect.provideService(Scope.Scope, scope), Effect.cached);

    const proxySocket = Effect.flatMap(proxyServer, (server) => Effect.promise(server.socket));

    const through = (options: WayOptions): EgressWay => {
      const { onProxyFailed = () => {} } = options;
      const onFailed = (error: unknown): void => {
        if (error instanceof ProxyFailed) onProxyFailed(error);
      };
      const client: Effect.Effect<GuardedClient> = Effect.map(onRefused, (refusing) => ({
        ...wayOf(options),
        userAgent,
        onRefused: refusing,
        onFailed
      }));
      return {
        fetch: Effect.fn("Egress.fetch")((url: string, fetchOptions: FetchOptions) =>
          Effect.flatMap(client, (httpClient) =>
            within(fetchOptions.timeoutMs, (signal) => fetchBody(httpClient, url, fetchOptions, signal))
          )
        ),
        openProxy: Effect.fn("Egress.openProxy")(function* ({
          budgetBytes
        }: {
          readonly budgetBytes: number;
        }) {
          const server = yield* proxyServer;
          const refusing = yield* onRefused;
          const { route } = wayOf(options);
          const { run, url } = yield* Effect.acquireRelease(
            Effect.sync(() => server.open({ route, budgetBytes, onRefused: refusing, onFailed })),
            (opened) => Effect.promise(() => server.closeRun(opened.run))
          );
          return {
            url,
            denials: Effect.sync(() => [...run.denials]),
            unreachableCause: Effect.sync(() => run.unreachableCause),
            nextConnection: Effect.callback<void>((resume) => {
              const stop = run.onConnection(() => resume(Effect.void));
              return Effect.sync(stop);
            }),
            exhausted: Effect.sync(() => run.exhausted)
          };
        })
      };
    };

    return { ...through({ name: "", upstream: null }), through, proxySocket };
  }
);
