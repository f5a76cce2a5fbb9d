/**
 * The webhook endpoints of an account, and deliveries to them: registration, tests, the delivery log and
 * redelivery. engine/webhooks/WebhookDispatcher sends them.
 *
 * Secrets are returned in two cases only: when an endpoint is registered and when its secret is rotated.
 */
import * as Clock from "effect/Clock";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import * as Schema from "effect/Schema";
import { DAY_MS } from "../../domain/Durations.ts";
import { readFields } from "../../domain/request/BodyFields.ts";
import { pageOf, readCursor, type Page, type PageRequest } from "../../domain/request/Cursor.ts";
import { plural } from "../../domain/text/Plural.ts";
import { keyOfDeleted, keyOfOtherBody } from "../../domain/request/Idempotency.ts";
import { type Conflict, InvalidRequest, NotFound } from "../../domain/request/Refusal.ts";
import type {
  DeliveryAttempt,
  DeliveryStatus,
  DeliverySummary,
  WebhookDelivery
} from "../../domain/webhook/WebhookDelivery.ts";
import {
  disabledReason,
  isSameReceiver,
  rotated,
  secretFrom,
  SECRET_RANDOM_BYTES,
  type WebhookEndpoint
} from "../../domain/webhook/WebhookEndpoint.ts";
import { testDelivery } from "../../domain/result/Announcement.ts";
import { WebhookEndpoints } from "../../ports/WebhookEndpoints.ts";
import { WebhookOutbox } from "../../ports/WebhookOutbox.ts";
import { WebhookTransport } from "../../ports/WebhookTransport.ts";
import { Store } from "../../ports/Store.ts";
import { accountPlan } from "../accounts/AccountPlans.ts";
import { isId, makeId, systemRandomBytes, makeKeyedId } from "../Ids.ts";
import { WebhookDispatcher } from "./WebhookDispatcher.ts";
import { vetWebhookUrl } from "./WebhookUrl.ts";

/** Body of `POST /v1/webhook-endpoints`. */
export const WebhookEndpointBody = Schema.Struct({ url: Schema.String }).annotate({
  identifier: "WebhookEndpointBody"
});

/** An endpoint as its owner sees it: without secrets. */
export interface EndpointDetails extends Omit<WebhookEndpoint, "secret" | "previousSecret"> {
  /** Explanation for the owner; null while enabled. */
  readonly disabledReason: string | null;
}

export interface RegisteredEndpoint {
  readonly endpoint: EndpointDetails;
  /** Shown only once, or again to a retry; null if the URL was already registered. */
  readonly secret: string | null;
}

export interface RotatedSecret {
  readonly endpoint: EndpointDetails;
  /** Shown only once. */
  readonly secret: string;
  /** Until then the old secret also signs. */
  readonly previousExpiresAtMs: number;
}

export interface DeliveryDetails {
  readonly delivery: WebhookDelivery;
  /** Oldest first. */
  readonly attempts: ReadonlyArray<DeliveryAttempt>;
}

export class Webhooks extends Context.Service<
  Webhooks,
  {
    /**
     * Registering a URL again, in any spelling, returns the existing endpoint; its secret is included only if
     * the same idempotency key is used within {@link SECRET_REPEAT_MS}. `createdBy` is the id of a member.
     *
     * @fails InvalidRequest {param: "url", reason} the URL is not allowed; {reason: "too_many_endpoints"}
     * @fails Conflict the key was used for another URL, or its endpoint was removed
     * @fails NotFound no such account
     */
    readonly register: (
      accountId: string,
      body: unknown,
      idempotencyKey?: string | null,
      createdBy?: string | null
    ) => Effect.Effect<RegisteredEndpoint, InvalidRequest | Conflict | NotFound>;

    /** In order of registration: the first one signs deliveries to per-run URLs. */
    readonly list: (accountId: string) => Effect.Effect<ReadonlyArray<EndpointDetails>>;

    readonly get: (accountId: string, id: string) => Effect.Effect<EndpointDetails, NotFound>;

    /** Its pending deliveries fail; its delivery log is kept. */
    readonly remove: (accountId: string, id: string) => Effect.Effect<void, NotFound>;

    /** Both secrets sign for 24 hours; one from an earlier rotation stops signing immediately. */
    readonly rotateSecret: (accountId: string, id: string) => Effect.Effect<RotatedSecret, NotFound>;

    /** Resets its failures. Deliveries that failed in the meantime are sent again only by a redelivery. */
    readonly enable: (accountId: string, id: string) => Effect.Effect<EndpointDetails, NotFound>;

    /**
     * Sends the event `test` in the same way as real events.
     *
     * @fails InvalidRequest {reason: "endpoint_disabled"}
     */
    readonly sendTest: (
      accountId: string,
      id: string
    ) => Effect.Effect<WebhookDelivery, NotFound | InvalidRequest>;

    readonly deliveries: (
      accountId: string,
      page: PageRequest & { readonly status: DeliveryStatus | null }
    ) => Effect.Effect<Page<DeliverySummary>, InvalidRequest>;

    readonly delivery: (accountId: string, id: string) => Effect.Effect<DeliveryDetails, NotFound>;

    /**
     * Makes the delivery due immediately, with all its attempts; earlier attempts stay in the log.
     *
     * @fails InvalidRequest {reason: "endpoint_disabled" | "not_sendable"}
     */
    readonly redeliver: (
      accountId: string,
      id: string
    ) => Effect.Effect<WebhookDelivery, NotFound | InvalidRequest>;

    /** The same for every delivery created since then that failed and can be sent; returns their number. */
    readonly redeliverFailedSince: (accountId: string, sinceMs: number) => Effect.Effect<number>;
  }
>()("@winnow/core/engine/webhooks/Webhooks") {}

const detailsOf = ({
  secret: _secret,
  previousSecret: _previous,
  ...endpoint
}: WebhookEndpoint): EndpointDetails => ({
  ...endpoint,
  disabledReason: disabledReason(endpoint)
});

const tooMany = (maxWebhookEndpoints: number) =>
  new InvalidRequest({
    message: `The account already has ${plural(maxWebhookEndpoints, "webhook endpoint")}; remove one that is not used.`,
    details: { reason: "too_many_endpoints", maxWebhookEndpoints }
  });

const isDisabled = new InvalidRequest({
  message: "The endpoint is disabled: enable it first.",
  details: { reason: "endpoint_disabled" }
});

const notSendable = new InvalidRequest({
  message: "This delivery cannot be sent again: its extraction was deleted, or its endpoint removed.",
  details: { reason: "not_sendable" }
});

const noEndpoint = () => NotFound.of("webhook endpoint");
const noDelivery = () => NotFound.of("webhook delivery");

const newSecret = Effect.map(systemRandomBytes(SECRET_RANDOM_BYTES), secretFrom);

/** How long a retry with the same key gets the secret, in case the first response was lost. */
const SECRET_REPEAT_MS = DAY_MS;

/** Whether its first secret still signs and is recent enough to be shown. */
const isFresh = ({ createdAtMs, previousSecret }: WebhookEndpoint, nowMs: number): boolean =>
  previousSecret === null && nowMs < createdAtMs + SECRET_REPEAT_MS;

const makeRegister = Effect.gen(function* () {
  const endpoints = yield* WebhookEndpoints;
  const transport = yield* WebhookTransport;
  const store = yield* Store;

  return Effect.fn("Webhooks.register")(function* (
    accountId: string,
    body: unknown,
    idempotencyKey: string | null = null,
    createdBy: string | null = null
  ) {
    const { url } = yield* Effect.fromResult(readFields(WebhookEndpointBody, body));
    const id = yield* makeKeyedId(idempotencyKey, "whe", accountId);
    const nowMs = yield* Clock.currentTimeMillis;
    const answer = (endpoint: WebhookEndpoint): RegisteredEndpoint => {
      const isShown = endpoint.id === id && isFresh(endpoint, nowMs);
      return { endpoint: detailsOf(endpoint), secret: isShown ? endpoint.secret : null };
    };
    const before = idempotencyKey === null ? null : Option.getOrNull(yield* endpoints.get(accountId, id));
    if (before !== null) {
      return isSameReceiver(url, before.url) ? answer(before) : yield* keyOfOtherBody();
    }
    const checkedUrl = yield* Effect.provideService(vetWebhookUrl("url", url), WebhookTransport, transport);
    const plan = yield* Effect.provideService(accountPlan(accountId), Store, store);
    const { webhookEndpointsMax } = plan.limits;
    const registration = yield* endpoints.register(
      {
        id,
        accountId,
        url: checkedUrl,
        secret: yield* newSecret,
        previousSecret: null,
        createdAtMs: nowMs,
        createdBy,
        failingSinceMs: null,
        disabledAtMs: null
      },
      webhookEndpointsMax
    );
    if (registration._tag === "full") return yield* tooMany(webhookEndpointsMax);
    if (registration._tag === "removed") return yield* keyOfDeleted("endpoint_deleted");
    const { endpoint } = registration;
    if (endpoint.id === id && endpoint.url !== checkedUrl) return yield* keyOfOtherBody();
    return answer(endpoint);
  });
});

const makeEndpoints = Effect.gen(function* () {
  const endpoints = yield* WebhookEndpoints;
  const outbox = yield* WebhookOutbox;
  const dispatcher = yield* WebhookDispatcher;

  /** Malformed ids are rejected without a query. */
  const found = Effect.fnUntraced(function* (id: string, ask: Effect.Effect<Option.Option<WebhookEndpoint>>) {
    const endpoint = isId("whe", id) ? yield* ask : Option.none();
    return yield* Effect.mapError(Effect.fromOption(endpoint), noEndpoint);
  });

  return {
    list: Effect.fn("Webhooks.list")(function* (accountId: string) {
      return (yield* endpoints.list(accountId)).map(detailsOf);
    }),
    get: Effect.fn("Webhooks.get")(function* (accountId: string, id: string) {
      return detailsOf(yield* found(id, endpoints.get(accountId, id)));
    }),
    remove: Effect.fn("Webhooks.remove")(function* (accountId: string, id: string) {
      if (!isId("whe", id) || !(yield* endpoints.remove(accountId, id))) return yield* noEndpoint();
    }),
    rotateSecret: Effect.fn("Webhooks.rotateSecret")(function* (accountId: string, id: string) {
      const secret = yield* newSecret;
      // Retried after a concurrent rotation: a secret that was returned must sign.
      for (;;) {
        const before = yield* found(id, endpoints.get(accountId, id));
        const after = rotated(before, secret, yield* Clock.currentTimeMillis);
        const set = yield* endpoints.setSecrets(accountId, id, before.secret, after);
        if (Option.isNone(set)) continue;
        const previousExpiresAtMs = set.value.previousSecret?.expiresAtMs ?? 0;
        return { endpoint: detailsOf(set.value), secret, previousExpiresAtMs };
      }
    }),
    enable: Effect.fn("Webhooks.enable")(function* (accountId: string, id: string) {
      return detailsOf(yield* found(id, endpoints.enable(accountId, id)));
    }),
    sendTest: Effect.fn("Webhooks.sendTest")(function* (accountId: string, id: string) {
      const endpoint = yield* found(id, endpoints.get(accountId, id));
      if (endpoint.disabledAtMs !== null) return yield* isDisabled;
      const delivery = testDelivery(yield* makeId("whd"), endpoint, yield* Clock.currentTimeMillis);
      yield* outbox.insert(delivery);
      yield* dispatcher.wake;
      return delivery;
    })
  };
});

const makeDeliveries = Effect.gen(function* () {
  const outbox = yield* WebhookOutbox;
  const dispatcher = yield* WebhookDispatcher;

  return {
    deliveries: Effect.fn("Webhooks.deliveries")(function* (
      accountId: string,
      page: PageRequest & { readonly status: DeliveryStatus | null }
    ) {
      const { limit, cursor, status } = page;
      const list = "webhook-deliveries";
      const after = yield* Effect.fromResult(readCursor(accountId, cursor, list));
      const found = yield* outbox.list(accountId, { after, limit: limit + 1, status });
      return pageOf(found, limit, { accountId, list });
    }),
    delivery: Effect.fn("Webhooks.delivery")(function* (accountId: string, id: string) {
      const found = isId("whd", id) ? yield* outbox.get(accountId, id) : Option.none();
      return yield* Effect.mapError(Effect.fromOption(found), noDelivery);
    }),
    redeliver: Effect.fn("Webhooks.redeliver")(function* (accountId: string, id: string) {
      if (!isId("whd", id)) return yield* noDelivery();
      const redelivery = yield* outbox.redeliver(accountId, id, yield* Clock.currentTimeMillis);
      if (redelivery._tag === "gone") return yield* noDelivery();
      if (redelivery._tag === "disabled") return yield* isDisabled;
      if (redelivery._tag === "unsendable") return yield* notSendable;
      yield* dispatcher.wake;
      return redelivery.delivery;
    }),
    redeliverFailedSince: Effect.fn("Webhooks.redeliverFailedSince")(function* (
      accountId: string,
      sinceMs: number
    ) {
      const count = yield* outbox.redeliverFailed(accountId, sinceMs, yield* Clock.currentTimeMillis);
      if (count > 0) yield* dispatcher.wake;
      return count;
    })
  };
});

export const layer: Layer.Layer<
  Webhooks,
  never,
  Store | WebhookEndpoints | WebhookOutbox | WebhookTransport | WebhookDispatcher
> = Layer.effect(
  Webhooks,
  Effect.gen(function* () {
    return Webhooks.of({
      register: yield* makeRegister,
      ...(yield* makeEndpoints),
      ...(yield* makeDeliveries)
    });
  })
);
