/**
 * The layers of the engine, the API and the worker, which require the ports: main.ts provides the adapters, tests
 * the memory implementations. Tests: errors.test.ts (CORS), roles.test.ts.
 */
import * as Accounts from "@winnow/core/engine/accounts/Accounts";
import * as CommitHook from "@winnow/core/engine/CommitHook";
import * as FileLinks from "@winnow/core/engine/extractions/FileLinks";
import * as ResultLinks from "@winnow/core/engine/extractions/ResultLinks";
import * as Batches from "@winnow/core/engine/batches/Batches";
import * as Billing from "@winnow/core/engine/accounts/Billing";
import * as UntakenRuns from "@winnow/core/engine/runs/UntakenRuns";
import * as AccountPlans from "@winnow/core/engine/accounts/AccountPlans";
import * as Extractions from "@winnow/core/engine/extractions/Extractions";
import * as Probes from "@winnow/core/engine/extractions/Probes";
import * as Results from "@winnow/core/engine/extractions/Results";
import * as Runs from "@winnow/core/engine/runs/Runs";
import * as Worker from "@winnow/core/engine/runs/Worker";
import * as Members from "@winnow/core/engine/accounts/Members";
import * as SignIn from "@winnow/core/engine/accounts/SignIn";
import * as Schemas from "@winnow/core/engine/accounts/Schemas";
import * as WebhookDispatcher from "@winnow/core/engine/webhooks/WebhookDispatcher";
import * as Webhooks from "@winnow/core/engine/webhooks/Webhooks";
import type { ArtifactStore } from "@winnow/core/ports/ArtifactStore";
import type { JobQueue } from "@winnow/core/ports/JobQueue";
import type { RateLimits } from "@winnow/core/ports/RateLimits";
import type { Store } from "@winnow/core/ports/Store";
import type { WebhookOutbox } from "@winnow/core/ports/WebhookOutbox";
import * as Effect from "effect/Effect";
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder";
import * as HttpMiddleware from "effect/http/HttpMiddleware";
import * as HttpRouter from "effect/http/HttpRouter";
import * as Layer from "effect/Layer";
import type * as Redacted from "effect/Redacted";
import { Api } from "./routes/Api.ts";
import { WorkerApi } from "./routes/system/HealthApi.ts";
import * as AccountHttp from "./routes/account/AccountHttp.ts";
import * as AdminHttp from "./routes/admin/AdminHttp.ts";
import * as AuthorizationHttp from "./http/authentication/AuthorizationHttp.ts";
import * as BatchesHttp from "./routes/batches/BatchesHttp.ts";
import * as BillingHttp from "./routes/billing/BillingHttp.ts";
import * as DocsHttp from "./routes/docs/DocsHttp.ts";
import * as GuidesHttp from "./routes/docs/GuidesHttp.ts";
import * as ExtractionsHttp from "./routes/extractions/ExtractionsHttp.ts";
import * as HealthHttp from "./routes/system/HealthHttp.ts";
import { countedRateLimits } from "./http/HttpMetrics.ts";
import { Operator } from "./http/authentication/Operator.ts";
import * as RequestMiddleware from "./http/requestMiddleware.ts";
import { PublicUrl } from "./http/PublicUrl.ts";
import { routeTable } from "./http/routeTable.ts";
import * as OpenDownloads from "./http/limits/OpenDownloads.ts";
import * as RateLimitingHttp from "./http/limits/RateLimitingHttp.ts";
import * as SignInHttp from "./routes/sign-in/SignInHttp.ts";
import * as ResultsHttp from "./routes/results/ResultsHttp.ts";
import * as SchemasHttp from "./routes/schemas/SchemasHttp.ts";
import * as WebhooksHttp from "./routes/webhooks/WebhooksHttp.ts";
import { WorkerState } from "./routes/system/WorkerState.ts";
import * as McpHttp from "./mcp/McpHttp.ts";
import type { WebFiles } from "./web/WebFiles.ts";
import * as WebHttp from "./web/WebHttp.ts";
import { jsonBodies } from "./http/JsonBody.ts";

/** The use cases; require the ports. */
export const engine = Layer.mergeAll(
  Accounts.layer,
  SignIn.layer.pipe(Layer.provide(Accounts.layer)),
  Members.layer,
  Probes.layer,
  Results.layer.pipe(Layer.provide(Extractions.layer)),
  Batches.layer.pipe(Layer.provide(Runs.layer)),
  FileLinks.layer.pipe(Layer.provideMerge(Extractions.layer)),
  ResultLinks.layer,
  Schemas.layer,
  Runs.layer,
  Worker.layer,
  Webhooks.layer,
  Billing.layer,
  AccountPlans.layer,
  UntakenRuns.layer
).pipe(Layer.provide(CommitHook.layer), Layer.provideMerge(WebhookDispatcher.layer));

/** What the API and the worker need: the use cases and their ports. */
export type Services =
  | Layer.Success<typeof engine>
  | Store
  | JobQueue
  | ArtifactStore
  | RateLimits
  | WebhookOutbox
  | WorkerState;

interface ApiOptions {
  readonly adminToken: Redacted.Redacted;
  /** Base URL of artifacts, without a trailing slash. */
  readonly publicUrl: string;
  /** Empty: no CORS headers. */
  readonly corsOrigins: ReadonlyArray<string>;
  /** Null: no web app. */
  readonly webFiles: WebFiles | null;
  /** Highest price of a tool call, in credits. Null: no `/mcp`. */
  readonly mcpMaxCredits: number | null;
}

const ROUTES = routeTable(Api);

/** What browser scripts may send, and what they may read of responses. */
const REQUEST_HEADERS =
  "Authorization Content-Type Idempotency-Key If-Match If-None-Match If-Range Mcp-Method Mcp-Name " +
  "Mcp-Protocol-Version Mcp-Session-Id Range X-Api-Key X-Request-Id X-Winnow-Account";
const RESPONSE_HEADERS =
  "Accept-Ranges Content-Disposition Content-Range ETag Idempotent-Replayed Mcp-Session-Id RateLimit RateLimit-Policy " +
  "Retry-After X-RateLimit-Limit X-RateLimit-Remaining X-RateLimit-Reset X-Request-Id";

const cors = (origins: ReadonlyArray<string>) =>
  origins.length === 0
    ? Layer.empty
    : HttpRouter.middleware(
        HttpMiddleware.cors({
          allowedOrigins: origins,
          allowedMethods: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
          allowedHeaders: REQUEST_HEADERS.split(" "),
          exposedHeaders: RESPONSE_HEADERS.split(" "),
          maxAge: 600
        }),
        { global: true }
      );

const mcp = ({ mcpMaxCredits: maxCredits, publicUrl, corsOrigins }: ApiOptions) =>
  McpHttp.layer(
    maxCredits === null ? null : { maxCredits, allowedOrigins: [new URL(publicUrl).origin, ...corsOrigins] }
  );

/** The routes; require the engine, its ports, WorkerState, EventStreams and the HTTP platform. */
export const api = (options: ApiOptions) =>
  HttpApiBuilder.layer(Api).pipe(
    Layer.provide([
      AccountHttp.account,
      AccountHttp.session,
      SignInHttp.layer,
      ExtractionsHttp.layer,
      BatchesHttp.layer,
      ResultsHttp.layer,
      SchemasHttp.layer,
      WebhooksHttp.layer,
      AdminHttp.layer,
      BillingHttp.payments,
      HealthHttp.layer,
      DocsHttp.layer(() => Api)
    ]),
    Layer.merge(GuidesHttp.layer()),
    Layer.merge(WebHttp.layer(options.webFiles)),
    Layer.merge(mcp(options)),
    Layer.provide([
      AuthorizationHttp.sessions,
      AuthorizationHttp.admin,
      Layer.provide(Layer.mergeAll(AuthorizationHttp.accounts, RateLimitingHttp.layer), countedRateLimits)
    ]),
    Layer.provide([Operator.layer(options.adminToken), OpenDownloads.layer, jsonBodies]),
    Layer.provide([RequestMiddleware.layer(ROUTES), cors(options.corsOrigins)]),
    Layer.provide(Layer.succeed(PublicUrl, options.publicUrl))
  );

/** The routes of a process that only executes runs. */
export const workerApi = HttpApiBuilder.layer(WorkerApi).pipe(
  Layer.provide(HealthHttp.layer),
  Layer.merge(HealthHttp.nothingElse),
  Layer.provide(RequestMiddleware.layer(ROUTES))
);

/**
 * Paths are matched exactly: `/V1/Extract` is not a route, an overlong id is reported as unknown by its endpoint,
 * and `/v1/webhook-deliveries//redeliver`, with an empty id, is not `/v1/webhook-deliveries/redeliver`.
 */
export const ROUTER_CONFIG = {
  caseSensitive: true,
  ignoreDuplicateSlashes: false,
  maxParamLength: 16_384
} as const;

/** Executes runs and sends webhooks until its scope closes. */
export const worker = (concurrency: number) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const { work } = yield* Worker.Worker;
      const state = yield* WorkerState;
      const webhooks = yield* WebhookDispatcher.WebhookDispatcher;
      yield* webhooks.run;
      yield* work(concurrency);
      yield* state.setReady(true);
      yield* Effect.addFinalizer(() => state.setReady(false));
    })
  );
