/**
 * `winnow account`, `key` and `credits`: the operator's endpoints from the command line.
 */
import type { AdminClient, LimitsChange } from "@winnow/client/admin";
import * as Argument from "effect/cli/Argument";
import * as Command from "effect/cli/Command";
import * as Flag from "effect/cli/Flag";
import * as Console from "effect/Console";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import { jsonText } from "../TerminalText.ts";
import { accountId, argument, callAdmin, firstOf, target, type OperatorTarget } from "./clients.ts";

/** Accepted by every command for scripts; these commands always print JSON. */
const operator = {
  ...target,
  json: Flag.Boolean("json").pipe(
    Flag.withDescription("Accepted for symmetry: this command always prints JSON"),
    Flag.withDefault(true)
  )
};

const print = (from: OperatorTarget, use: (admin: AdminClient) => Promise<unknown>) =>
  Effect.flatMap(callAdmin(from, use), (answer) => Console.log(jsonText(answer)));

/** Default limit: as many as a person looks through. */
const ACCOUNTS_SHOWN = 100;

const listLimit = Flag.Int("limit").pipe(
  Flag.withDescription(`Maximum number to list, newest first; ${ACCOUNTS_SHOWN} by default`),
  Flag.filter(
    (count) => count > 0,
    () => "Expected a number above 0"
  ),
  Flag.withDefault(ACCOUNTS_SHOWN)
);

const findText = Flag.String("find").pipe(
  Flag.withDescription("Only the account with this id, or accounts whose name contains it"),
  Flag.optional
);

const plan = Flag.String("plan").pipe(
  Flag.withDescription("Name of one of the server's plans (WINNOW_PLANS)"),
  Flag.optional
);

const newName = Flag.String("name").pipe(Flag.withDescription("New name"), Flag.optional);

const limits = Flag.KeyValuePair("limit").pipe(
  Flag.withDescription("A limit for this account, such as runningMax=20; null restores the plan's"),
  Flag.optional
);

/** Values that are not numbers are passed on, so that the server reports the error. */
const limitOf = (text: string): unknown => {
  if (text === "null") return null;
  return /^-?\d+(?:[.]\d+)?$/u.test(text) ? Number(text) : text;
};

const limitsOf = (given: Readonly<Record<string, string>>): LimitsChange =>
  Object.fromEntries(Object.entries(given).map(([name, text]) => [name, limitOf(text)]));

/** Includes only the given fields. */
const optionalFlag = <Name extends string, A>(
  name: Name,
  value: Option.Option<A>
): { readonly [_ in Name]?: A } =>
  Option.match(value, { onNone: () => ({}), onSome: (found) => ({ [name]: found }) }) as { [_ in Name]?: A };

export const account = Command.make("account").pipe(
  Command.withDescription("Create, change, show and sign in to accounts of a running server"),
  Command.withSubcommands([
    Command.make("create", { ...operator, plan, name: argument("name", "Name of the account") }, (input) =>
      print(input, (admin) =>
        admin.accounts.create({ name: input.name, ...optionalFlag("plan", input.plan) })
      )
    ).pipe(Command.withDescription("Create an account")),
    Command.make("change", { ...operator, name: newName, plan, limits, id: accountId }, (input) =>
      print(input, (admin) =>
        admin.accounts.update(input.id, {
          ...optionalFlag("name", input.name),
          ...optionalFlag("plan", input.plan),
          ...optionalFlag("limits", Option.map(input.limits, limitsOf))
        })
      )
    ).pipe(Command.withDescription("Change an account's name, plan or limits, effective at once")),
    Command.make("list", { ...operator, find: findText, limit: listLimit }, (input) =>
      print(input, (admin) =>
        firstOf((page) => admin.accounts.list({ q: Option.getOrUndefined(input.find), ...page }), input.limit)
      )
    ).pipe(Command.withDescription("List the newest accounts, or search with --find")),
    Command.make("show", { ...operator, id: accountId }, (input) =>
      print(input, (admin) => admin.accounts.get(input.id))
    ).pipe(Command.withDescription("Show an account and its balance")),
    Command.make("sign-in", { ...operator, id: accountId }, (input) =>
      print(input, (admin) => admin.signInLinks.create(input.id))
    ).pipe(
      Command.withDescription("Create a sign-in link for the web app that works once, within 15 minutes")
    ),
    Command.make("sign-out", { ...operator, id: accountId }, (input) =>
      print(input, async (admin) => {
        await admin.accounts.signOutEverywhere(input.id);
        return { id: input.id, signedOut: true };
      })
    ).pipe(Command.withDescription("End all web sessions of an account immediately"))
  ])
);

const keyName = Flag.String("name").pipe(Flag.withDescription("Name of the key"), Flag.optional);

export const key = Command.make("key").pipe(
  Command.withDescription("Create, list and revoke API keys"),
  Command.withSubcommands([
    Command.make("create", { ...operator, id: accountId, name: keyName }, (input) =>
      print(input, (admin) => admin.apiKeys.create(input.id, optionalFlag("name", input.name)))
    ).pipe(Command.withDescription("Create an API key; it is shown only once")),
    Command.make("list", { ...operator, id: accountId }, (input) =>
      print(input, async (admin) => (await admin.apiKeys.list(input.id)).data)
    ).pipe(
      Command.withDescription("List an account's API keys with their ids and prefixes, without revoked ones")
    ),
    Command.make("revoke", { ...operator, id: argument("key-id", "Id of the key") }, (input) =>
      print(input, async (admin) => {
        await admin.apiKeys.revoke(input.id);
        return { id: input.id, revoked: true };
      })
    ).pipe(Command.withDescription("Revoke an API key immediately"))
  ])
);

const creditsArgument = Argument.Int("credits").pipe(
  Argument.withDescription("Whole credits; 1 credit is $0.0001")
);

const idempotencyKey = Flag.String("idempotency-key").pipe(
  Flag.withDescription("Idempotency key: a top-up with a key that was used before is not repeated"),
  Flag.optional
);

export const credits = Command.make("credits").pipe(
  Command.withDescription("Add credits to an account"),
  Command.withSubcommands([
    Command.make(
      "top-up",
      { ...operator, id: accountId, credits: creditsArgument, idempotencyKey },
      (input) =>
        print(input, (admin) =>
          admin.topUps.create(
            input.id,
            { credits: input.credits },
            optionalFlag("idempotencyKey", input.idempotencyKey)
          )
        )
    ).pipe(Command.withDescription("Add credits; the first top-up adds a bonus of 1,000"))
  ])
);
