/** `winnow webhook`: the webhook endpoints of an account and its deliveries from the command line. */
import { DeliveryStatus } from "@winnow/core/domain/webhook/WebhookDelivery";
import * as Argument from "effect/cli/Argument";
import * as Command from "effect/cli/Command";
import * as Flag from "effect/cli/Flag";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import type { WebhookDelivery, WebhookEndpoint } from "../routes/webhooks/WebhookWire.ts";
import {
  argument,
  asJson,
  callOwn,
  idPath,
  owner,
  type Owner,
  readAllOwn,
  printResult
} from "./accountCalls.ts";
import { CliFailed } from "./CliFailed.ts";
import { listen } from "./webhookListen.ts";

type ShownOnce = WebhookEndpoint & { readonly secret?: string };

const endpointsPath = (...rest: ReadonlyArray<string>) => idPath("webhook-endpoints", ...rest);

const deliveriesPath = (...rest: ReadonlyArray<string>) => idPath("webhook-deliveries", ...rest);

const oneEndpoint = {
  ...owner,
  endpointId: argument("endpoint-id", "Id of the endpoint"),
  json: asJson
};

const endpointLine = ({ id, url, notice }: WebhookEndpoint): string =>
  `${id}  ${url}${notice === null ? "" : `\n  ${notice}`}`;

const deliveryLine = (delivery: WebhookDelivery): string => {
  const { id, createdAt, status, attemptCount, event, url } = delivery;
  return `${id}  ${createdAt}  ${status.padEnd(9)}  ${attemptCount}  ${event}  ${url}`;
};

const add = Command.make(
  "add",
  { ...owner, receiver: argument("url", "URL of the endpoint: https, and public"), json: asJson },
  Effect.fnUntraced(function* (input) {
    const path = endpointsPath();
    const body = { url: input.receiver };
    const made = yield* callOwn<ShownOnce>(input, { method: "POST", path, body });
    const words =
      made.secret === undefined
        ? `${made.url} is already registered as ${made.id}; for a new secret: winnow webhook rotate`
        : `Registered as ${made.id}.\nSecret (shown only once): ${made.secret}`;
    yield* printResult(input.json, made, words);
  })
).pipe(Command.withDescription("Register a webhook endpoint; its secret is shown only once"));

const list = Command.make(
  "list",
  { ...owner, json: asJson },
  Effect.fnUntraced(function* (input) {
    const path = endpointsPath();
    const { data } = yield* callOwn<{ data: ReadonlyArray<WebhookEndpoint> }>(input, { method: "GET", path });
    yield* printResult(input.json, data, data.map(endpointLine).join("\n"));
  })
).pipe(Command.withDescription("List the webhook endpoints of an account"));

const remove = Command.make(
  "remove",
  oneEndpoint,
  Effect.fnUntraced(function* ({ endpointId, json, ...from }) {
    yield* callOwn(from, { method: "DELETE", path: endpointsPath(endpointId) });
    yield* printResult(json, { id: endpointId, removed: true }, `Removed ${endpointId}.`);
  })
).pipe(Command.withDescription("Remove a webhook endpoint; its delivery log is kept"));

/** Polls for the result of a test: the first attempt ends within 10 s, and polls are cheap. */
const TEST_POLLS_MAX = 24;
const TEST_POLL_INTERVAL_MS = 500;

interface DeliveryDetail extends WebhookDelivery {
  readonly attempts: ReadonlyArray<{ readonly status: number | null; readonly error: string | null }>;
}

/** The delivery after its first attempt, or its current state if that takes too long. */
const attempted = Effect.fnUntraced(function* (from: Owner, id: string) {
  const readDelivery = callOwn<DeliveryDetail>(from, { method: "GET", path: deliveriesPath(id) });
  for (let polls = 1; polls < TEST_POLLS_MAX; polls++) {
    const delivery = yield* readDelivery;
    if (delivery.attempts.length > 0) return delivery;
    yield* Effect.sleep(TEST_POLL_INTERVAL_MS);
  }
  return yield* readDelivery;
});

const test = Command.make(
  "test",
  oneEndpoint,
  Effect.fnUntraced(function* ({ endpointId, json, ...from }) {
    const path = endpointsPath(endpointId, "test");
    const sent = yield* callOwn<WebhookDelivery>(from, { method: "POST", path });
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
    const path = endpointsPath(endpointId, "rotate-secret");
    const rotated = yield* callOwn<ShownOnce & { readonly previousSecretExpiresAt: string }>(from, {
      method: "POST",
      path
    });
    const words =
      `Secret (shown only once): ${rotated.secret}\nDeliveries are signed with the old one too until ` +
      `${rotated.previousSecretExpiresAt}.`;
    yield* printResult(json, rotated, words);
  })
).pipe(Command.withDescription("Rotate the secret; deliveries are signed with both secrets for 24 hours"));

const enable = Command.make(
  "enable",
  oneEndpoint,
  Effect.fnUntraced(function* ({ endpointId, json, ...from }) {
    const path = endpointsPath(endpointId, "enable");
    const endpoint = yield* callOwn<WebhookEndpoint>(from, { method: "POST", path });
    yield* printResult(
      json,
      endpoint,
      `Enabled ${endpoint.id}. To resend what it missed: winnow webhook redeliver --since`
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
    const filter = Option.match(input.status, { onNone: () => ({}), onSome: (value) => ({ status: value }) });
    const path = deliveriesPath();
    const found = yield* readAllOwn<WebhookDelivery>(input, path, filter, DELIVERIES_SHOWN);
    yield* printResult(input.json, found, found.map(deliveryLine).join("\n"));
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
    if (Option.isSome(deliveryId) === Option.isSome(since)) {
      return yield* new CliFailed({ message: "Pass a delivery id, or a time with --since." });
    }
    if (Option.isSome(since)) {
      const path = deliveriesPath("redeliver");
      const body = { since: since.value };
      const answer = yield* callOwn<{ redelivered: number }>(from, { method: "POST", path, body });
      return yield* printResult(json, answer, `${answer.redelivered} deliveries will be sent again.`);
    }
    const path = deliveriesPath(
      Option.getOrElse(deliveryId, () => ""),
      "redeliver"
    );
    const delivery = yield* callOwn<WebhookDelivery>(from, { method: "POST", path });
    yield* printResult(json, delivery, `${delivery.id} will be sent again.`);
  })
).pipe(Command.withDescription("Resend one delivery, or all that failed since a given time"));

export const webhook = Command.make("webhook").pipe(
  Command.withDescription(
    "Register and test webhook endpoints, list and resend deliveries, forward events to this machine"
  ),
  Command.withSubcommands([add, list, test, remove, rotate, enable, deliveries, redeliver, listen])
);
