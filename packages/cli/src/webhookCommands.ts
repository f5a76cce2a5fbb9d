/** `winnow webhook`: the webhook endpoints of an account and its deliveries from the command line. */
import type { WebhookDelivery, WebhookEndpoint } from "@winnow/client";
import { DeliveryStatus } from "@winnow/core/domain/webhook/WebhookDelivery";
import * as Argument from "effect/cli/Argument";
import * as Command from "effect/cli/Command";
import * as Flag from "effect/cli/Flag";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import * as Schedule from "effect/Schedule";
import { argument, callOwn, firstOf, owner, type Target } from "./clients.ts";
import { asJson, printResult, printTable, timeText } from "./Output.ts";
import { CliFailed } from "./Inputs.ts";
import { WINNOW } from "@winnow/server/programName";
import { listen } from "./webhookListen.ts";

const oneEndpoint = {
  ...owner,
  endpointId: argument("endpoint-id", "Id of the endpoint"),
  json: asJson
};

const ENDPOINT_COLUMNS = {
  id: ({ id }: WebhookEndpoint) => id,
  url: ({ url }: WebhookEndpoint) => url,
  notice: ({ notice }: WebhookEndpoint) => notice
};

const DELIVERY_COLUMNS = {
  id: ({ id }: WebhookDelivery) => id,
  created: ({ createdAt }: WebhookDelivery) => timeText(createdAt),
  status: ({ status }: WebhookDelivery) => status,
  attempts: ({ attemptCount }: WebhookDelivery) => attemptCount,
  event: ({ event }: WebhookDelivery) => event,
  url: ({ url }: WebhookDelivery) => url
};

const add = Command.make(
  "add",
  { ...owner, receiver: argument("url", "URL of the endpoint: https, and public"), json: asJson },
  Effect.fnUntraced(function* (input) {
    const made = yield* callOwn(input, (winnow) => winnow.webhookEndpoints.create({ url: input.receiver }));
    const account = Option.match(input.id, { onNone: () => "", onSome: (id) => `${id} ` });
    const words =
      made.secret === undefined
        ? `${made.url} is already registered as ${made.id}; for a new secret: ${WINNOW} webhook rotate ${account}${made.id}`
        : `Registered as ${made.id}.\nSecret (shown only once): ${made.secret}`;
    yield* printResult(input.json, made, words);
  })
).pipe(Command.withDescription("Register a webhook endpoint; its secret is shown only once"));

const list = Command.make(
  "list",
  { ...owner, json: asJson },
  Effect.fnUntraced(function* (input) {
    const { data } = yield* callOwn(input, (winnow) => winnow.webhookEndpoints.page());
    yield* printTable(input.json, data, ENDPOINT_COLUMNS);
  })
).pipe(Command.withDescription("List the webhook endpoints of an account"));

const remove = Command.make(
  "remove",
  oneEndpoint,
  Effect.fnUntraced(function* ({ endpointId, json, ...from }) {
    yield* callOwn(from, (winnow) => winnow.webhookEndpoints.delete(endpointId));
    yield* printResult(json, { id: endpointId, removed: true }, `Removed ${endpointId}.`);
  })
).pipe(Command.withDescription("Remove a webhook endpoint; its delivery log is kept"));

/** Polls for the result of a test: the first attempt ends within 10 s, and polls are cheap. */
const TEST_POLLS_MAX = 24;
const TEST_POLL_INTERVAL_MS = 500;

/** The delivery after its first attempt, or its current state if that takes too long. */
const attempted = (from: Target, id: string) =>
  Effect.repeat(
    callOwn(from, (winnow) => winnow.webhookDeliveries.get(id)),
    {
      schedule: Schedule.spaced(TEST_POLL_INTERVAL_MS),
      times: TEST_POLLS_MAX,
      until: ({ attempts }) => attempts.length > 0
    }
  );

const test = Command.make(
  "test",
  oneEndpoint,
  Effect.fnUntraced(function* ({ endpointId, json, ...from }) {
    const sent = yield* callOwn(from, (winnow) => winnow.webhookEndpoints.test(endpointId));
    const delivery = yield* attempted(from, sent.id);
    const first = delivery.attempts[0];
    const words = first === undefined ? "not sent yet" : (first.error ?? `accepted with ${first.status}`);
    yield* printResult(json, delivery, `${delivery.id}: ${words}`);
    if (delivery.status !== "delivered") {
      return yield* new CliFailed({
        message: "The test was not delivered; it will be retried like a real event."
      });
    }
  })
).pipe(Command.withDescription("Send a `test` event to an endpoint and print its response"));

const rotate = Command.make(
  "rotate",
  oneEndpoint,
  Effect.fnUntraced(function* ({ endpointId, json, ...from }) {
    const rotated = yield* callOwn(from, (winnow) => winnow.webhookEndpoints.rotateSecret(endpointId));
    const words =
      `Secret (shown only once): ${rotated.secret}\nDeliveries are signed with the old one too until ` +
      `${timeText(rotated.previousSecretExpiresAt)}.`;
    yield* printResult(json, rotated, words);
  })
).pipe(Command.withDescription("Rotate the secret; deliveries are signed with both secrets for 24 hours"));

const enable = Command.make(
  "enable",
  oneEndpoint,
  Effect.fnUntraced(function* ({ endpointId, json, ...from }) {
    const endpoint = yield* callOwn(from, (winnow) => winnow.webhookEndpoints.enable(endpointId));
    yield* printResult(
      json,
      endpoint,
      `Enabled ${endpoint.id}. To resend what it missed: ${WINNOW} webhook redeliver --since TIME`
    );
  })
).pipe(Command.withDescription("Enable an endpoint that was disabled because it kept failing"));

const status = Flag.Literals("status", DeliveryStatus.literals).pipe(
  Flag.withDescription("Only deliveries with this status"),
  Flag.optional
);

/** As many as a person looks through; older ones are available through the API. */
const DELIVERIES_SHOWN = 100;

const deliveries = Command.make(
  "deliveries",
  { ...owner, status, json: asJson },
  Effect.fnUntraced(function* (input) {
    const filter = { status: Option.getOrUndefined(input.status) };
    const found = yield* callOwn(input, (winnow) =>
      firstOf((page) => winnow.webhookDeliveries.list({ ...filter, ...page }), DELIVERIES_SHOWN)
    );
    yield* printTable(input.json, found, DELIVERY_COLUMNS);
  })
).pipe(Command.withDescription(`List the newest ${DELIVERIES_SHOWN} deliveries of an account`));

const redeliver = Command.make(
  "redeliver",
  {
    ...owner,
    deliveryId: argument("delivery-id", "Id of the delivery").pipe(Argument.optional),
    since: Flag.String("since").pipe(
      Flag.withDescription("Resend all failed deliveries of events since this date and time"),
      Flag.optional
    ),
    json: asJson
  },
  Effect.fnUntraced(function* ({ deliveryId, since, json, ...from }) {
    if (Option.isSome(deliveryId) && Option.isNone(since)) {
      const delivery = yield* callOwn(from, (winnow) => winnow.webhookDeliveries.redeliver(deliveryId.value));
      return yield* printResult(json, delivery, `${delivery.id} will be sent again.`);
    }
    if (Option.isSome(since) && Option.isNone(deliveryId)) {
      const answer = yield* callOwn(from, (winnow) =>
        winnow.webhookDeliveries.redeliverFailed({ since: since.value })
      );
      return yield* printResult(json, answer, `${answer.redelivered} deliveries will be sent again.`);
    }
    return yield* new CliFailed({ message: "Pass a delivery id, or a time with --since." });
  })
).pipe(Command.withDescription("Resend one delivery, or all that failed since a given time"));

export const webhook = Command.make("webhook").pipe(
  Command.withDescription(
    "Register and test webhook endpoints, list and resend deliveries, forward events to this machine"
  ),
  Command.withSubcommands([add, list, test, remove, rotate, enable, deliveries, redeliver, listen])
);
