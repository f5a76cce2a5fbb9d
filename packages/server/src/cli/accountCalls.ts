/**
 * Shared by commands about an account: choosing the server and the account, calling the admin API, reading whole
 * lists, and printing results as text or JSON.
 */
import * as Argument from "effect/cli/Argument";
import * as CliError from "effect/cli/CliError";
import * as Flag from "effect/cli/Flag";
import * as Console from "effect/Console";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import * as Redacted from "effect/Redacted";
import { jsonText } from "../TerminalText.ts";
import { callAccount, callAdmin, type AdminTarget, type Call, type Caller } from "./AdminClient.ts";
import { CliFailed } from "./CliFailed.ts";
import { settingsFromEnvironment } from "./environment.ts";

interface Page<Item> {
  readonly data: ReadonlyArray<Item>;
  readonly next_cursor: string | null;
}

/** The maximum page size. */
const PAGE_LIMIT = 100;

/** The server a command calls, and its credentials. */
export const target = {
  url: Flag.String("url").pipe(
    Flag.withDescription("URL of the server; by default the one in this machine's data directory"),
    Flag.optional
  ),
  adminToken: Flag.Redacted("admin-token").pipe(
    Flag.withDescription("Admin token; by default WINNOW_ADMIN_TOKEN or the one in the data directory"),
    Flag.optional
  )
};

export const argument = (name: string, description: string) =>
  Argument.String(name).pipe(Argument.withDescription(description));

export const accountId = argument("account-id", "Id of the account");

/** `idPath("accounts", "acc_1")` is `/accounts/acc_1`. */
export const idPath = (...parts: ReadonlyArray<string>): string =>
  parts.map((part) => `/${encodeURIComponent(part)}`).join("");

export const asJson = Flag.Boolean("json").pipe(
  Flag.withDescription("Print JSON instead of text"),
  Flag.withDefault(false)
);

export const call = Effect.fnUntraced(function* <A>(options: AdminTarget, request: Call) {
  const settings = yield* settingsFromEnvironment;
  return (yield* callAdmin(options, settings, request)) as A;
});

const apiKey = Flag.Redacted("api-key").pipe(
  Flag.withDescription("An API key of the account, instead of the operator's token; else WINNOW_API_KEY"),
  Flag.optional
);

/** Optional if an API key determines the account; account ids start with `acc_`. */
const ownAccountId = accountId.pipe(
  Argument.mapEffect((id) =>
    id.startsWith("acc_")
      ? Effect.succeed(id)
      : Effect.fail(new CliError.MissingArgument({ argument: "account-id" }))
  ),
  Argument.optional
);

/** The account a command is about, and its credentials. */
export const owner = { ...target, apiKey, id: ownAccountId };

export interface Owner extends AdminTarget {
  readonly apiKey: Option.Option<Redacted.Redacted>;
  readonly id: Option.Option<string>;
}

/** A given key takes precedence, then a named account, then the key of the environment. */
const callerOf = ({ apiKey: key, id }: Owner): Effect.Effect<Caller, CliFailed> =>
  Effect.suspend((): Effect.Effect<Caller, CliFailed> => {
    const own = process.env["WINNOW_API_KEY"]?.trim() ?? "";
    if (Option.isSome(key)) return Effect.succeed({ apiKey: key.value });
    if (Option.isSome(id)) return Effect.succeed({ accountId: id.value });
    return own === ""
      ? Effect.fail(
          new CliFailed({
            message: "Name the account (acc_...), or pass --api-key (or set WINNOW_API_KEY)."
          })
        )
      : Effect.succeed({ apiKey: Redacted.make(own) });
  });

/** Calls one of the account's own endpoints. */
export const callOwn = Effect.fnUntraced(function* <A>(from: Owner, request: Call) {
  const settings = yield* settingsFromEnvironment;
  return (yield* callAccount(from, settings, yield* callerOf(from), request)) as A;
});

export const printResult = (json: boolean, value: unknown, words: string): Effect.Effect<void> =>
  Console.log(json ? jsonText(value) : words);

/** The first `itemsMax` entries of a paged list; `path` has no query. */
const readPages = Effect.fnUntraced(function* <Item, E>(
  ask: (request: Call) => Effect.Effect<Page<Item>, E>,
  path: string,
  filter: Readonly<Record<string, string>>,
  itemsMax: number
) {
  const items: Array<Item> = [];
  let cursor: string | null = null;
  do {
    const limit = String(Math.min(PAGE_LIMIT, itemsMax - items.length));
    const query = new URLSearchParams({ ...filter, limit, ...(cursor === null ? {} : { cursor }) });
    const page: Page<Item> = yield* ask({ method: "GET", path: `${path}?${query}` });
    items.push(...page.data);
    cursor = page.next_cursor;
  } while (cursor !== null && items.length < itemsMax);
  return items;
});

/** A list of the operator. */
export const readAll = <Item>(
  options: AdminTarget,
  path: string,
  filter: Readonly<Record<string, string>> = {},
  itemsMax = Infinity
) => readPages((request) => call<Page<Item>>(options, request), path, filter, itemsMax);

/** A list of the account. */
export const readAllOwn = <Item>(
  from: Owner,
  path: string,
  filter: Readonly<Record<string, string>> = {},
  itemsMax = Infinity
) => readPages((request) => callOwn<Page<Item>>(from, request), path, filter, itemsMax);
