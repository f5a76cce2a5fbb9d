/**
 * `winnow webhook`: the receivers of an account and its deliveries from the command line.
 */
import { DeliveryStatus } from "@winnow/core/domain/WebhookDelivery";
import * as Argument from "effect/cli/Argument";
import * as Command from "effect/cli/Command";
import * as Flag from "effect/cli/Flag";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import type { WebhookDelivery, WebhookEndpoint } from "../api/WebhookWire.ts";
import { accountId, argument, asJson, call, idPath, readAll, target, tell } from "./accountCalls.ts";
import type { AdminTarget } from "./AdminClient.ts";
import { CliFailed } from "./CliFailed.ts";
import { listen } from "./webhookListen.ts";

type ShownOnce = WebhookEndpoint & { readonly secret?: string };

const endpointsPath = (account: string, ...rest: ReadonlyArray<string>) =>
  idPath("accounts", account, "webhook-endpoints", ...rest);

const deliveriesPath = (account: string, ...rest: ReadonlyArray<string>) =>
  idPath("accounts", account, "webhook-deliveries", ...rest);

const oneEndpoint = {
  ...target,
  id: accountId,
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
  { ...target, id: accountId, receiver: argument("url", "Where events go: https, and public"), json: asJson },
  Effect.fnUntraced(function* (input) {
    const path = endpointsPath(input.id);
    const body = { url: input.receiver };
    const made = yield* call<ShownOnce>(input, { method: "POST", path, body });
    const words =
      made.secret === undefined
        ? `${made.url} is registered already, as ${made.id}; for a new secret: winnow webhook rotate`
        : `Registered as ${made.id}.\nSecret (shown this once): ${made.secret}`;
    yield* tell(input.json, made, words);
  })
).pipe(Command.withDescription("Register a receiver of the account's events; its secret is shown this once"));

const list = Command.make(
  "list",
  { ...target, id: accountId, json: asJson },
  Effect.fnUntraced(function* (input) {
    const path = endpointsPath(input.id);
    const { data } = yield* call<{ data: ReadonlyArray<WebhookEndpoint> }>(input, { method: "GET", path });
    yield* tell(input.json, data, data.map(endpointLine).join("\n"));
  })
).pipe(Command.withDescription("List the receivers of an account"));

const remove = Command.make(
  "remove",
  oneEndpoint,
  Effect.fnUntraced(function* ({ id, endpointId, json, ...options }) {
    yield* call(options, { method: "DELETE", path: endpointsPath(id, endpointId) });
    yield* tell(json, { id: endpointId, removed: true }, `Removed ${endpointId}.`);
  })
).pipe(Command.withDescription("Remove a receiver; the log of its deliveries stays"));

/** Outcomes of a test that are worth waiting for: the first attempt ends within 10 s, and looks cost little. */
const TEST_LOOKS_MAX = 24;
const TEST_LOOK_EVERY_MS = 500;

interface DeliveryDetail extends WebhookDelivery {
  readonly attempts: ReadonlyArray<{ readonly status: number | null; readonly error: string | null }>;
}

/** The delivery once its first attempt is over, or as it is when that takes too long. */
const attempted = Effect.fnUntraced(function* (options: AdminTarget, account: string, id: string) {
  const look = call<DeliveryDetail>(options, { method: "GET", path: deliveriesPath(account, id) });
  for (let looks = 1; looks < TEST_LOOKS_MAX; looks++) {
    const delivery = yield* look;
    if (delivery.attempts.length > 0) return delivery;
    yield* Effect.sleep(TEST_LOOK_EVERY_MS);
  }
  return yield* look;
});

const test = Command.make(
  "test",
  oneEndpoint,
  Effect.fnUntraced(function* ({ id, endpointId, json, ...options }) {
    const path = endpointsPath(id, endpointId, "test");
    const sent = yield* call<WebhookDelivery>(options, { method: "POST", path });
    const delivery = yield* attempted(options, id, sent.id);
    const first = delivery.attempts[0];
    const words = first === undefined ? "not sent yet" : (first.error ?? `taken with ${first.status}`);
    yield* tell(json, delivery, `${delivery.id}: ${words}`);
    if (delivery.status !== "delivered") {
      return yield* new CliFailed({
        message: "The test did not arrive; it is tried again as real events are."
      });
    }
  })
).pipe(Command.withDescription("Send the event `test` to a receiver and tell what it answered"));

const rotate = Command.make(
  "rotate",
  oneEndpoint,
  Effect.fnUntraced(function* ({ id, endpointId, json, ...options }) {
    const path = endpointsPath(id, endpointId, "rotate-secret");
    const rotated = yield* call<ShownOnce & { readonly previousSecretExpiresAt: string }>(options, {
      method: "POST",
      path
    });
    const words =
      `Secret (shown this once): ${rotated.secret}\n` +
      `The old one signs too until ${rotated.previousSecretExpiresAt}.`;
    yield* tell(json, rotated, words);
  })
).pipe(Command.withDescription("Make a new secret; both sign for 24 hours"));

const enable = Command.make(
  "enable",
  oneEndpoint,
  Effect.fnUntraced(function* ({ id, endpointId, json, ...options }) {
    const path = endpointsPath(id, endpointId, "enable");
    const endpoint = yield* call<WebhookEndpoint>(options, { method: "POST", path });
    yield* tell(json, endpoint, `Enabled ${endpoint.id}. What it missed: winnow webhook redeliver --since`);
  })
).pipe(Command.withDescription("Enable a receiver that was disabled for failing"));

const status = Flag.Literals("status", DeliveryStatus.literals).pipe(
  Flag.withDescription("Only those"),
  Flag.optional
);

/** What a person looks through; older ones are reached over the API. */
const DELIVERIES_SHOWN = 100;

const deliveries = Command.make(
  "deliveries",
  { ...target, id: accountId, status, json: asJson },
  Effect.fnUntraced(function* (input) {
    const filter = Option.match(input.status, { onNone: () => ({}), onSome: (value) => ({ status: value }) });
    const path = deliveriesPath(input.id);
    const found = yield* readAll<WebhookDelivery>(input, path, filter, DELIVERIES_SHOWN);
    yield* tell(input.json, found, found.map(deliveryLine).join("\n"));
  })
).pipe(Command.withDescription(`List the newest ${DELIVERIES_SHOWN} deliveries of an account`));

const redeliver = Command.make(
  "redeliver",
  {
    ...target,
    id: accountId,
    deliveryId: argument("delivery-id", "Id of the delivery").pipe(Argument.optional),
    since: Flag.String("since").pipe(
      Flag.withDescription("Instead of one: all that failed, of events since this date and time"),
      Flag.optional
    ),
    json: asJson
  },
  Effect.fnUntraced(function* ({ id, deliveryId, since, json, ...options }) {
    if (Option.isSome(deliveryId) === Option.isSome(since)) {
      return yield* new CliFailed({ message: "Name one delivery, or a time with --since." });
    }
    if (Option.isSome(since)) {
      const path = deliveriesPath(id, "redeliver");
      const body = { since: since.value };
      const answer = yield* call<{ redelivered: number }>(options, { method: "POST", path, body });
      return yield* tell(json, answer, `${answer.redelivered} are sent again.`);
    }
    const path = deliveriesPath(
      id,
      Option.getOrElse(deliveryId, () => ""),
      "redeliver"
    );
    const delivery = yield* call<WebhookDelivery>(options, { method: "POST", path });
    yield* tell(json, delivery, `${delivery.id} is sent again.`);
  })
).pipe(Command.withDescription("Send a delivery again, or all that failed since a time"));

export const webhook = Command.make("webhook").pipe(
  Command.withDescription("Register and test receivers of events, see and repeat deliveries, listen here"),
  Command.withSubcommands([add, list, test, remove, rotate, enable, deliveries, redeliver, listen])
);
