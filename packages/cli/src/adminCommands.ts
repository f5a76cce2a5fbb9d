/**
 * `winnow account`, `key` and `credits`: the operator's endpoints from the command line, and what a key may see of its
 * account.
 */
import type { Account, AdminClient, LimitsChange } from "@winnow/client/admin";
import type { AccountOverview, ApiKeyItem, PlanLimits } from "@winnow/client";
import * as Argument from "effect/cli/Argument";
import * as Command from "effect/cli/Command";
import * as Flag from "effect/cli/Flag";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import { accountId, argument, callAdmin, callOwn, firstOf, ownAccount, target } from "./clients.ts";
import type { OperatorTarget } from "./clients.ts";
import { CliFailed, EXIT } from "./Inputs.ts";
import { WINNOW } from "@winnow/server/programName";
import { asJson, creditsText, pairsText, printResult, printTable, timeText } from "./Output.ts";

const operator = { ...target, json: asJson };

/** An account of one's own, or one that the operator names. */
const anyAccount = { ...operator, apiKey: ownAccount.apiKey, id: accountId.pipe(Argument.optional) };

interface OperatorInput extends OperatorTarget {
  readonly json: boolean;
}

const print = <A>(
  input: OperatorInput,
  use: (admin: AdminClient) => Promise<A>,
  wordsOf: (answer: A) => string
) => Effect.flatMap(callAdmin(input, use), (answer) => printResult(input.json, answer, wordsOf(answer)));

const limitsText = (limits: PlanLimits): string =>
  pairsText(
    Object.entries(limits).map(([name, value]) => [name, value === null ? "unlimited" : String(value)])
  );

const accountText = (account: Account | AccountOverview): string =>
  [
    pairsText([
      ["id", account.id],
      ["name", account.name],
      ["balance", creditsText(account.balance)],
      ["plan", account.plan]
    ]),
    limitsText(account.limits)
  ].join("\n\n");

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

const ACCOUNT_COLUMNS = {
  id: ({ id }: Account) => id,
  name: ({ name }: Account) => name,
  plan: ({ plan }: Account) => plan,
  balance: ({ balance }: Account) => balance
};

export const account = Command.make("account").pipe(
  Command.withDescription("Create, change, show and sign in to accounts of a running server"),
  Command.withSubcommands([
    Command.make("create", { ...operator, plan, name: argument("name", "Name of the account") }, (input) =>
      print(
        input,
        (admin) => admin.accounts.create({ name: input.name, ...optionalFlag("plan", input.plan) }),
        ({ id, name }) => `Created ${id}: ${name}.`
      )
    ).pipe(Command.withDescription("Create an account")),
    Command.make("change", { ...operator, name: newName, plan, limits, id: accountId }, (input) =>
      print(
        input,
        (admin) =>
          admin.accounts.update(input.id, {
            ...optionalFlag("name", input.name),
            ...optionalFlag("plan", input.plan),
            ...optionalFlag("limits", Option.map(input.limits, limitsOf))
          }),
        accountText
      )
    ).pipe(Command.withDescription("Change an account's name, plan or limits, effective at once")),
    Command.make("list", { ...operator, find: findText, limit: listLimit }, (input) =>
      Effect.flatMap(
        callAdmin(input, (admin) =>
          firstOf(
            (page) => admin.accounts.list({ q: Option.getOrUndefined(input.find), ...page }),
            input.limit
          )
        ),
        (accounts) => printTable(input.json, accounts, ACCOUNT_COLUMNS)
      )
    ).pipe(Command.withDescription("List the newest accounts, or search with --find")),
    Command.make("show", anyAccount, ({ json, ...from }) =>
      Effect.flatMap(
        Option.match(from.id, {
          onNone: (): Effect.Effect<Account | AccountOverview, CliFailed> =>
            callOwn(from, (winnow, signal) => winnow.account({ signal })),
          onSome: (id) => callAdmin(from, (admin) => admin.accounts.get(id))
        }),
        (account) => printResult(json, account, accountText(account))
      )
    ).pipe(
      Command.withDescription("Show balance, plan and limits of your account, or of the one with this id")
    ),
    Command.make("sign-in", { ...operator, id: accountId }, (input) =>
      print(
        input,
        (admin) => admin.signInLinks.create(input.id),
        ({ url }) => url
      )
    ).pipe(
      Command.withDescription(
        "Create a sign-in link for the web app: its button signs in once, within 15 minutes"
      )
    ),
    Command.make("sign-out", { ...operator, id: accountId }, (input) =>
      print(
        input,
        async (admin) => {
          await admin.accounts.signOutEverywhere(input.id);
          return { id: input.id, signedOut: true };
        },
        ({ id }) => `${id} is signed out everywhere.`
      )
    ).pipe(Command.withDescription("End all web sessions of an account immediately"))
  ])
);

const KEY_COLUMNS = {
  id: ({ id }: ApiKeyItem) => id,
  key: ({ start }: ApiKeyItem) => `${start}…`,
  created: ({ createdAt }: ApiKeyItem) => timeText(createdAt),
  used: ({ lastUsedAt }: ApiKeyItem) => timeText(lastUsedAt),
  name: ({ name }: ApiKeyItem) => name
};

const keyName = Flag.String("name").pipe(Flag.withDescription("Name of the key"), Flag.optional);

type Own = Omit<Parameters<typeof callOwn>[0], "id"> & OperatorTarget;

/** Of one's own account, which takes the operator's token: a key does not see the others. */
const listOwnKeys = Effect.fnUntraced(function* (from: Own, json: boolean) {
  const { id } = yield* callOwn(from, (winnow, signal) => winnow.account({ signal }));
  const all = yield* Effect.option(callAdmin(from, (admin) => admin.apiKeys.list(id)));
  if (Option.isSome(all)) return yield* printTable(json, all.value.data, KEY_COLUMNS);
  return yield* new CliFailed({
    message: `A key does not see the other keys of ${id}: the web app lists them, and the operator's ${WINNOW} key list ${id}.`,
    exitCode: EXIT.refused
  });
});

export const key = Command.make("key").pipe(
  Command.withDescription("Create, list and revoke API keys"),
  Command.withSubcommands([
    Command.make("create", { ...operator, id: accountId, name: keyName }, (input) =>
      print(
        input,
        (admin) => admin.apiKeys.create(input.id, optionalFlag("name", input.name)),
        (made) => `Created ${made.id}.\nKey (shown only once): ${made.key}`
      )
    ).pipe(Command.withDescription("Create an API key; it is shown only once")),
    Command.make("list", anyAccount, ({ json, ...from }) =>
      Option.match(from.id, {
        onSome: (id) =>
          Effect.flatMap(
            callAdmin(from, (admin) => admin.apiKeys.list(id)),
            ({ data }) => printTable(json, data, KEY_COLUMNS)
          ),
        onNone: () => listOwnKeys(from, json)
      })
    ).pipe(
      Command.withDescription(
        "List the API keys of an account, without revoked ones. Takes the operator's token; the web app lists your own"
      )
    ),
    Command.make("revoke", { ...operator, id: argument("key-id", "Id of the key") }, (input) =>
      print(
        input,
        async (admin) => {
          await admin.apiKeys.revoke(input.id);
          return { id: input.id, revoked: true };
        },
        ({ id }) => `Revoked ${id}.`
      )
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
        print(
          input,
          (admin) =>
            admin.topUps.create(
              input.id,
              { credits: input.credits },
              optionalFlag("idempotencyKey", input.idempotencyKey)
            ),
          ({ balance }) => `The balance is ${creditsText(balance)}.`
        )
    ).pipe(Command.withDescription("Add credits; the first top-up adds a bonus of 1,000"))
  ])
);
