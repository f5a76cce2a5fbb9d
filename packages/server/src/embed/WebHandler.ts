/**
 * Counts the requests of an instance from their start to the last byte of the response, and rejects new ones
 * once it closes. Tests: createWinnow.test.ts, lifecycle.test.ts.
 */
import * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import { GRACE_MS } from "../http/HttpListener.ts";
import { WinnowError } from "@winnow/client";
import { SignInMethods, type SignInMethod } from "@winnow/core/ports/SignInMethod";
import type * as Context from "effect/Context";
import * as HttpEffect from "effect/http/HttpEffect";
import * as HttpRouter from "effect/http/HttpRouter";
import * as HttpServer from "effect/http/HttpServer";
import * as HttpServerRequest from "effect/http/HttpServerRequest";
import * as HttpServerResponse from "effect/http/HttpServerResponse";
import * as Layer from "effect/Layer";
import * as Redacted from "effect/Redacted";
import * as App from "../App.ts";
import type { Settings } from "../settings/Config.ts";
import { EventStreams } from "../http/limits/EventStreams.ts";
import { inProcessFetch, type Routes } from "../http/InProcess.ts";
import { OwnSignIn, OwnSignInUrl, type SessionsOf } from "../http/authentication/webSession.ts";
import { stoppingResponse, REQUEST_ID_HEADER, requestIdOf } from "../http/requestMiddleware.ts";
import { mcpMaxCreditsOf } from "../Serve.ts";
import { findWebFiles } from "../web/WebFiles.ts";

export class RequestGate {
  #open = true;
  #count = 0;
  #onEmpty: () => void = () => undefined;

  get isOpen(): boolean {
    return this.#open;
  }

  /** False when it is closed; counts one until the request's scope closes otherwise. */
  readonly enter: Effect.Effect<boolean, never, Scope.Scope> = Effect.suspend(() =>
    this.#open
      ? Effect.acquireRelease(
          Effect.sync(() => void this.#count++),
          () => Effect.sync(() => this.#leave())
        ).pipe(Effect.as(true))
      : Effect.succeed(false)
  );

  /**
   * Resolves when the last request has ended or the time limit is over. Uses real time, since a test's clock
   * may stand still.
   */
  async close(): Promise<void> {
    this.#open = false;
    if (this.#count === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, GRACE_MS);
      this.#onEmpty = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #leave(): void {
    this.#count--;
    if (this.#count === 0) this.#onEmpty();
  }
}

// The routes as functions from a Request to a Response: for requests from outside, and for clients in this process.

interface WebHandlerOptions {
  readonly settings: Settings;
  readonly publicUrl: string;
  /** Removed from request paths that contain it; without a trailing slash. */
  readonly basePath: string;
  readonly sessions: SessionsOf | null;
  readonly signInUrl: string | null;
  readonly signIn: ReadonlyArray<SignInMethod>;
  readonly streams: EventStreams["Service"];
  readonly gate: RequestGate;
}

export interface WebHandler {
  readonly fetch: (request: Request) => Promise<Response>;
  /** For clients of the embedding program, which act as the operator. Paths have no base path. */
  readonly ownFetch: typeof globalThis.fetch;
}

/** An unknown random token, which disables /admin if the settings have no admin token. */
const noToken = () => Redacted.make(Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("hex"));

const routesOf = ({ settings, publicUrl }: WebHandlerOptions) =>
  settings.role === "worker"
    ? App.workerApi
    : App.api({
        adminToken: settings.adminToken ?? noToken(),
        publicUrl,
        corsOrigins: settings.corsOrigins,
        webFiles: findWebFiles(),
        mcpMaxCredits: mcpMaxCreditsOf(settings)
      });

const router = (options: WebHandlerOptions) =>
  routesOf(options).pipe(
    Layer.provideMerge(
      Layer.provide(HttpRouter.layer, Layer.succeed(HttpRouter.RouterConfig, App.ROUTER_CONFIG))
    ),
    Layer.provide([
      HttpServer.layerServices,
      Layer.succeed(EventStreams, options.streams),
      Layer.succeed(OwnSignIn, options.sessions),
      Layer.succeed(OwnSignInUrl, options.signInUrl),
      Layer.succeed(SignInMethods, options.signIn)
    ])
  ) as Layer.Layer<HttpRouter.HttpRouter, never, App.Services>;

const withoutBase = (url: string, basePath: string): string => {
  if (!url.startsWith(basePath)) return url;
  const rest = url.slice(basePath.length);
  if (rest === "" || rest.startsWith("?")) return `/${rest}`;
  return rest.startsWith("/") ? rest : url;
};

const stopping = ({ headers }: HttpServerRequest.HttpServerRequest) =>
  HttpServerResponse.setHeader(stoppingResponse, REQUEST_ID_HEADER, requestIdOf(headers));

/** After closing, clients are told so, instead of to try again. */
const whileOpen =
  (gate: RequestGate, fetch: typeof globalThis.fetch): typeof globalThis.fetch =>
  (input, init) =>
    gate.isOpen
      ? fetch(input, init)
      : Promise.reject(new WinnowError("This Winnow was closed; create another one."));

/** `services` belong to the instance: its clock, loggers and metrics are used for each request. */
export const webHandler = Effect.fnUntraced(function* (
  options: WebHandlerOptions,
  services: Context.Context<App.Services>
) {
  const { basePath, gate } = options;
  const built = yield* Effect.provideContext(Layer.build(router(options)), services);
  const routed: Routes = Effect.flatMap(HttpRouter.HttpRouter, (made) => made.asHttpEffect()).pipe(
    Effect.provideContext(built)
  );
  const gated: Routes = Effect.flatMap(gate.enter, (entered) =>
    entered ? routed : Effect.map(HttpServerRequest.HttpServerRequest, stopping)
  );
  const mounted = Effect.updateService(gated, HttpServerRequest.HttpServerRequest, (request) =>
    request.modify({ url: withoutBase(request.url, basePath) })
  );
  const handle = HttpEffect.toWebHandlerWith<App.Services, Effect.Services<Routes>>(services)(mounted);
  return {
    fetch: (request) => handle(request),
    ownFetch: whileOpen(gate, inProcessFetch(gated, services, { isOperator: true, madeBy: "api" }))
  } satisfies WebHandler as WebHandler;
});
