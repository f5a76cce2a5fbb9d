/** `winnow webhook`: the rows of its commands; `listen` is a file of its own. */
import type { RedeliverAnswer, WebhookDelivery } from "@winnow/client";
import { DeliveryStatus } from "@winnow/core/domain/webhook/WebhookDelivery";
import { WINNOW } from "@winnow/server/programName";
import * as Argument from "effect/cli/Argument";
import * as Command from "effect/cli/Command";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import * as Schedule from "effect/Schedule";
import { callOwn, done, firstOf, owner, stated } from "./clients.ts";
import { argument, asJson, choice, given, text } from "./flags.ts";
import { CliFailed } from "./Inputs.ts";
import { printResult, timeText } from "./Output.ts";
import { row } from "./row.ts";
import { listen } from "./webhookListen.ts";

const oneEndpoint = { endpointId: argument("endpoint-id", "Id of the endpoint") };

/** As many as a person looks through; older ones are available through the API. */
const DELIVERIES_SHOWN = 100;

/** Polls for the result of a test: the first attempt ends within 10 s, and polls are cheap. */
const TEST_POLLS_MAX = 24;
const TEST_POLL_INTERVAL_MS = 500;

const test = Command.make(
  "test",
  { ...owner, ...oneEndpoint, json: asJson },
  Effect.fnUntraced(function* ({ endpointId, json, ...from }) {
    const id = yield* callOwn(from, async (winnow) =>
      stated((await winnow.webhookEndpoints.test(endpointId)).id)
    );
    // After its first attempt, or as it is if that takes too long.
    const delivery = yield* Effect.repeat(
      callOwn(from, (winnow) => winnow.webhookDeliveries.get(id)),
      {
        schedule: Schedule.spaced(TEST_POLL_INTERVAL_MS),
        times: TEST_POLLS_MAX,
        until: ({ attempts }) => attempts.length > 0
      }
    );
    const first = delivery.attempts[0];
    const words = first === undefined ? "not sent yet" : (first.error ?? `accepted with ${first.status}`);
    yield* printResult(json, delivery, `${delivery.id}: ${words}`);
    if (delivery.status !== "delivered") {
      return yield* new CliFailed("The test was not delivered; it will be retried like a real event.");
    }
  })
).pipe(Command.withDescription("Send a `test` event to an endpoint and print its response"));

const redeliver = row({
  word: "redeliver",
  about: "Resend one delivery, or all that failed since a given time",
  fields: {
    ...owner,
    deliveryId: argument("delivery-id", "Id of the delivery").pipe(Argument.optional),
    since: text("since", "Resend all failed deliveries of events since this date and time")
  },
  call: ({ deliveryId: one, since, ...from }) => {
    if (Option.isSome(one) === Option.isSome(since))
      return new CliFailed("Pass a delivery id, or a time with --since.");
    return callOwn(from, ({ webhookDeliveries }): Promise<WebhookDelivery | RedeliverAnswer> =>
      Option.isSome(one)
        ? webhookDeliveries.redeliver(one.value)
        : webhookDeliveries.redeliverFailed(given({ since }) as { readonly since: string })
    );
  },
  words: (answer) =>
    "redelivered" in answer
      ? `${answer.redelivered} deliveries will be sent again.`
      : `${answer.id} will be sent again.`
});

export const webhook = Command.make("webhook").pipe(
  Command.withDescription(
    "Register and test webhook endpoints, list and resend deliveries, forward events to this machine"
  ),
  Command.withSubcommands([
    row({
      word: "add",
      about: "Register a webhook endpoint; its secret is shown only once",
      fields: { ...owner, receiver: argument("url", "URL of the endpoint: https, and public") },
      call: ({ receiver, ...from }) =>
        callOwn(from, (winnow) => winnow.webhookEndpoints.create({ url: receiver })),
      words: ({ id, secret, url }, input) => {
        const words = [WINNOW, "webhook rotate", ...Option.toArray(input.id), id];
        return secret === undefined
          ? `${url} is already registered as ${id}; for a new secret: ${words.join(" ")}`
          : `Registered as ${id}.\nSecret (shown only once): ${secret}`;
      }
    }),
    row({
      word: "list",
      about: "List the webhook endpoints of an account",
      fields: owner,
      call: (from) => callOwn(from, async (winnow) => (await winnow.webhookEndpoints.page()).data),
      columns: ({ id, url, notice }) => ({ id, url, notice })
    }),
    test,
    row({
      word: "remove",
      about: "Remove a webhook endpoint; its delivery log is kept",
      fields: { ...owner, ...oneEndpoint },
      call: ({ endpointId: id, ...from }) =>
        callOwn(from, (winnow) => done(winnow.webhookEndpoints.delete(id), { id, removed: true })),
      words: ({ id }) => `Removed ${id}.`
    }),
    row({
      word: "rotate",
      about: "Rotate the secret; deliveries are signed with both secrets for 24 hours",
      fields: { ...owner, ...oneEndpoint },
      call: ({ endpointId, ...from }) =>
        callOwn(from, (winnow) => winnow.webhookEndpoints.rotateSecret(endpointId)),
      words: ({ previousSecretExpiresAt, secret }) =>
        `Secret (shown only once): ${secret}\nDeliveries are signed with the old one too until ` +
        `${timeText(previousSecretExpiresAt)}.`
    }),
    row({
      word: "enable",
      about: "Enable an endpoint that was disabled because it kept failing",
      fields: { ...owner, ...oneEndpoint },
      call: ({ endpointId, ...from }) =>
        callOwn(from, (winnow) => winnow.webhookEndpoints.enable(endpointId)),
      words: ({ id }) => `Enabled ${id}. To resend what it missed: ${WINNOW} webhook redeliver --since TIME`
    }),
    row({
      word: "deliveries",
      about: `List the newest ${DELIVERIES_SHOWN} deliveries of an account`,
      fields: {
        ...owner,
        status: choice("status", DeliveryStatus.literals, "Only deliveries with this status")
      },
      call: ({ status, ...from }) =>
        callOwn(from, ({ webhookDeliveries }) =>
          firstOf((page) => webhookDeliveries.list({ ...given({ status }), ...page }), DELIVERIES_SHOWN)
        ),
      columns: ({ id, createdAt, status, attemptCount: attempts, lastStatus: http, event, url }) => ({
        id,
        created: timeText(createdAt),
        status,
        attempts,
        http,
        event,
        url
      })
    }),
    redeliver,
    listen
  ])
);
