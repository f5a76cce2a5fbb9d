/**
 * `winnow schema`, `account`, `key` and `credits`: the table of commands that call a server once. Those of
 * an account take its key, or the operator's token and the account's id. Tests: accountCommands.test.ts, schemaCommands.test.ts.
 */
import { basename, extname } from "node:path";
import type { AccountOverview, JsonSchema } from "@winnow/client";
import type { Account, AdminClient } from "@winnow/client/admin";
import { WINNOW } from "@winnow/server/programName";
import * as Argument from "effect/cli/Argument";
import * as Command from "effect/cli/Command";
import * as Flag from "effect/cli/Flag";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import {
  accountId,
  callAdmin,
  callOwn,
  done,
  firstOf,
  owner,
  ownAccount,
  stated,
  target
} from "./clients.ts";
import type { Target } from "./connection/Connection.ts";
import { argument, given, limitedTo, text } from "./flags.ts";
import { CliFailed, EXIT, readSchema } from "./Inputs.ts";
import { creditsText, pairsText, timeText } from "./Output.ts";
import { row } from "./row.ts";

const oneId = { id: accountId };

/** Most servers have one account, whose id nobody has to look up. */
const onlyAccount = async (admin: AdminClient): Promise<string> => {
  const [account, other] = (await admin.accounts.page({ limit: 2 })).data;
  if (account !== undefined && other === undefined) return stated(account.id);
  const message = `Name one of the accounts: ${WINNOW} account list shows their ids.`;
  throw new CliFailed(message, EXIT.usage);
};

export const schema = Command.make("schema").pipe(
  Command.withDescription("List, save and delete the schemas of an account"),
  Command.withSubcommands([
    row({
      word: "list",
      about: "List the schemas of an account and the predefined ones",
      fields: owner,
      call: (from) => callOwn(from, (winnow) => firstOf((page) => winnow.schemas.list(page))),
      columns: ({ id, version, name }) => ({ id, version, name })
    }),
    row({
      word: "save",
      about: "Save a schema; an existing name gets a new version",
      fields: {
        ...owner,
        file: argument("file", "JSON Schema; - reads standard input"),
        name: text("name", "Name of the schema; by default the name of the file"),
        prompt: text("prompt", "Guidance for the model, used when a submit has no prompt")
      },
      call: ({ file, name, prompt, ...from }) =>
        // The server reports what is wrong with the schema.
        Effect.flatMap(readSchema(file), (schema) =>
          callOwn(from, (winnow) =>
            winnow.schemas.save({
              name: Option.getOrElse(name, () => basename(file, extname(file))),
              schema: schema as JsonSchema,
              ...given({ prompt })
            })
          )
        ),
      words: ({ id, name, version }) => `Saved as ${id}, version ${version} of "${name}".`
    }),
    row({
      word: "delete",
      about: "Delete a schema; runs that use it keep their copy",
      fields: { ...owner, schemaId: argument("schema-id", "Id of the schema") },
      call: ({ schemaId, ...from }) =>
        callOwn(from, (winnow) => done(winnow.schemas.delete(schemaId), { id: schemaId, deleted: true })),
      words: ({ id }) => `Deleted ${id}.`
    })
  ])
);

const accountText = (account: Account | AccountOverview): string =>
  [
    pairsText([
      ["id", account.id],
      ["name", account.name],
      ["balance", creditsText(account.balance)],
      ["plan", account.plan]
    ]),
    pairsText(
      Object.entries(account.limits).map(([name, value]) => [name, value === null ? "unlimited" : `${value}`])
    )
  ].join("\n\n");

/** An account of one's own, or one that the operator names. */
const anyAccount = { ...target, apiKey: ownAccount.apiKey, id: accountId.pipe(Argument.optional) };

/** As many as a person looks through. */
const ACCOUNTS_SHOWN = 100;

const plan = text("plan", "Name of one of the server's plans (WINNOW_PLANS)");

/** Values that are not numbers are passed on, so that the server reports the error. */
const limitOf = (value: string): unknown => {
  if (value === "null") return null;
  return /^-?\d+(?:[.]\d+)?$/u.test(value) ? Number(value) : value;
};

const limits = Flag.KeyValuePair("limit").pipe(
  Flag.withDescription("A limit for this account, such as runningMax=20; null restores the plan's"),
  Flag.map((pairs) =>
    Object.fromEntries(Object.entries(pairs).map(([name, value]) => [name, limitOf(value)]))
  ),
  Flag.optional
);

export const account = Command.make("account").pipe(
  Command.withDescription("Create, change, show and sign in to accounts of a running server"),
  Command.withSubcommands([
    row({
      word: "create",
      about: "Create an account",
      fields: { ...target, plan, name: argument("name", "Name of the account") },
      call: (input) =>
        callAdmin(input, (admin) =>
          admin.accounts.create({ name: input.name, ...given({ plan: input.plan }) })
        ),
      words: ({ id, name }) => `Created ${id}: ${name}.`
    }),
    row({
      word: "change",
      about: "Change an account's name, plan or limits, effective at once",
      fields: { ...target, name: text("name", "New name"), plan, limits, id: accountId },
      call: ({ name, plan: wanted, limits: changed, id, ...from }) =>
        callAdmin(from, (admin) => admin.accounts.update(id, given({ name, plan: wanted, limits: changed }))),
      words: (found) => accountText(found)
    }),
    row({
      word: "list",
      about: "List the newest accounts, or search with --find",
      fields: {
        ...target,
        find: text("find", "Only the account with this id, or accounts whose name contains it"),
        limit: limitedTo(ACCOUNTS_SHOWN, "Maximum number to list")
      },
      call: ({ find, limit, ...from }) =>
        callAdmin(from, (admin) =>
          firstOf((page) => admin.accounts.list({ ...given({ q: find }), ...page }), limit)
        ),
      columns: ({ id, name, plan: of, balance }) => ({ id, name, plan: of, balance })
    }),
    row({
      word: "show",
      about: "Show balance, plan and limits of your account, or of the one with this id",
      fields: anyAccount,
      call: ({ id, ...from }): Effect.Effect<Account | AccountOverview, CliFailed> =>
        Option.isSome(id)
          ? callAdmin(from, (admin) => admin.accounts.get(id.value))
          : callOwn(from, (winnow) => winnow.account()),
      words: (found) => accountText(found)
    }),
    row({
      word: "sign-in",
      about: "Create a sign-in link for the web app: its button signs in once, within 15 minutes",
      fields: { ...target, id: Argument.optional(accountId) },
      call: ({ id, ...from }) =>
        callAdmin(from, async (admin) =>
          admin.signInLinks.create(Option.getOrUndefined(id) ?? (await onlyAccount(admin)))
        ),
      words: ({ url }) => url
    }),
    row({
      word: "sign-out",
      about: "End all web sessions of an account immediately",
      fields: { ...target, ...oneId },
      call: ({ id, ...from }) =>
        callAdmin(from, (admin) => done(admin.accounts.signOutEverywhere(id), { id, signedOut: true })),
      words: ({ id }) => `${id} is signed out everywhere.`
    })
  ])
);

/** Of one's own account too, they take the operator's token: a key does not see the others. */
const keysOf = Effect.fnUntraced(function* ({ id, ...from }: Target) {
  const named = Option.getOrNull(id ?? Option.none());
  const account = named ?? (yield* callOwn(from, async (winnow) => stated((await winnow.account()).id)));
  const keys = callAdmin(from, async (admin) => (await admin.apiKeys.list(account)).data);
  if (named !== null) return yield* keys;
  return yield* Effect.mapError(
    keys,
    () =>
      new CliFailed(
        `A key does not see the other keys of ${account}: the web app lists them, and the operator's ${WINNOW} key list ${account}.`,
        EXIT.refused
      )
  );
});

export const key = Command.make("key").pipe(
  Command.withDescription("Create, list and revoke API keys"),
  Command.withSubcommands([
    row({
      word: "create",
      about: "Create an API key; it is shown only once",
      fields: { ...target, ...oneId, name: text("name", "Name of the key") },
      call: ({ id, name, ...from }) => callAdmin(from, (admin) => admin.apiKeys.create(id, given({ name }))),
      words: (made) => `Created ${made.id}.\nKey (shown only once): ${made.key}`
    }),
    row({
      word: "list",
      about:
        "List the API keys of an account, without revoked ones. Takes the operator's token; the web app lists your own",
      fields: anyAccount,
      call: keysOf,
      columns: ({ id, start, createdAt, lastUsedAt, name }) => ({
        id,
        key: `${start}…`,
        created: timeText(createdAt),
        used: timeText(lastUsedAt),
        name
      })
    }),
    row({
      word: "revoke",
      about: "Revoke an API key immediately",
      fields: { ...target, id: argument("key-id", "Id of the key") },
      call: ({ id, ...from }) =>
        callAdmin(from, (admin) => done(admin.apiKeys.revoke(id), { id, revoked: true })),
      words: ({ id }) => `Revoked ${id}.`
    })
  ])
);

export const credits = Command.make("credits").pipe(
  Command.withDescription("Add credits to an account"),
  Command.withSubcommands([
    row({
      word: "top-up",
      about: "Add credits; the first top-up adds a bonus of 1,000",
      fields: {
        ...target,
        ...oneId,
        credits: Argument.Int("credits").pipe(Argument.withDescription("Whole credits; 1 credit is $0.0001")),
        idempotencyKey: text(
          "idempotency-key",
          "Idempotency key: a top-up with a key that was used before is not repeated"
        )
      },
      call: ({ id, credits: amount, idempotencyKey, ...from }) =>
        callAdmin(from, (admin) => admin.topUps.create(id, { credits: amount }, given({ idempotencyKey }))),
      words: ({ balance }) => `The balance is ${creditsText(balance)}.`
    })
  ])
);
