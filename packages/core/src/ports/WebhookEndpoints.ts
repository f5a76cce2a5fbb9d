/**
 * Stores the webhook endpoints of accounts.
 *
 * Part of the same database as the Store: its changes are serial with the account's decisions, so that no
 * delivery is written for an endpoint that was just removed.
 */
import * as Context from "effect/Context";
import type * as Effect from "effect/Effect";
import type * as Option from "effect/Option";
import type { NotFound } from "../domain/request/Refusal.ts";
import type { WebhookEndpoint } from "../domain/webhook/WebhookEndpoint.ts";

/**
 * `known`: the account already has an endpoint with this id or this URL, which is not changed. `removed`: the endpoint
 * with this id was removed.
 */
export type Registration =
  | { readonly _tag: "registered"; readonly endpoint: WebhookEndpoint }
  | { readonly _tag: "known"; readonly endpoint: WebhookEndpoint }
  | { readonly _tag: "removed" }
  | { readonly _tag: "full" };

export class WebhookEndpoints extends Context.Service<
  WebhookEndpoints,
  {
    /**
     * Adds an endpoint unless its id or URL exists, its id was removed or the account already has `endpointsMax`.
     *
     * @fails NotFound no such account
     */
    readonly register: (
      endpoint: WebhookEndpoint,
      endpointsMax: number
    ) => Effect.Effect<Registration, NotFound>;

    /** All endpoints in the order of registration. */
    readonly list: (accountId: string) => Effect.Effect<ReadonlyArray<WebhookEndpoint>>;

    /** None for another account's endpoint. */
    readonly get: (accountId: string, id: string) => Effect.Effect<Option.Option<WebhookEndpoint>>;

    /** Sets both secrets atomically; none if no endpoint has the secret `before`. */
    readonly setSecrets: (
      accountId: string,
      id: string,
      before: string,
      secrets: Pick<WebhookEndpoint, "secret" | "previousSecret">
    ) => Effect.Effect<Option.Option<WebhookEndpoint>>;

    /** Enables the endpoint and resets its failures; none if there is no such endpoint. */
    readonly enable: (accountId: string, id: string) => Effect.Effect<Option.Option<WebhookEndpoint>>;

    /** Its pending deliveries fail. False if there is no such endpoint. */
    readonly remove: (accountId: string, id: string) => Effect.Effect<boolean>;
  }
>()("@winnow/core/ports/WebhookEndpoints") {}
