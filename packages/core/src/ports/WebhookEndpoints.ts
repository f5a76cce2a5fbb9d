/**
 * Receivers that accounts registered.
 *
 * Lives beside the Store: what it changes is serial with the account's decisions, so that no delivery is
 * written for an endpoint that was just removed.
 */
import * as Context from "effect/Context";
import type * as Effect from "effect/Effect";
import type * as Option from "effect/Option";
import type { NotFound } from "../domain/Refusal.ts";
import type { WebhookEndpoint } from "../domain/WebhookEndpoint.ts";

/** `known`: the account has an endpoint of this id, else one of this URL, which stays as it is. */
export type Registration =
  | { readonly _tag: "registered"; readonly endpoint: WebhookEndpoint }
  | { readonly _tag: "known"; readonly endpoint: WebhookEndpoint }
  | { readonly _tag: "full" };

export class WebhookEndpoints extends Context.Service<
  WebhookEndpoints,
  {
    /**
     * Adds an endpoint unless its id or its URL is there or the account has `endpointsMax` already.
     *
     * @fails NotFound no such account
     */
    readonly register: (
      endpoint: WebhookEndpoint,
      endpointsMax: number
    ) => Effect.Effect<Registration, NotFound>;

    /** In the order of registration. */
    readonly list: (accountId: string) => Effect.Effect<ReadonlyArray<WebhookEndpoint>>;

    /** Another account's endpoint is none. */
    readonly get: (accountId: string, id: string) => Effect.Effect<Option.Option<WebhookEndpoint>>;

    /** Sets both secrets, in one step; none when there is no endpoint that has the secret `before`. */
    readonly setSecrets: (
      accountId: string,
      id: string,
      before: string,
      secrets: Pick<WebhookEndpoint, "secret" | "previousSecret">
    ) => Effect.Effect<Option.Option<WebhookEndpoint>>;

    /** Enabled, as if nothing had failed; none when there is no such endpoint. */
    readonly enable: (accountId: string, id: string) => Effect.Effect<Option.Option<WebhookEndpoint>>;

    /** Its pending deliveries fail with it. False when there is no such endpoint. */
    readonly remove: (accountId: string, id: string) => Effect.Effect<boolean>;
  }
>()("@winnow/core/ports/WebhookEndpoints") {}
