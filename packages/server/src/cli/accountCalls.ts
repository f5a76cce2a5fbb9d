/**
 * What commands about an account's things have in common: naming the server and the account, calling the
 * admin API, reading whole lists, and telling the outcome in words or as JSON.
 */
import * as Argument from "effect/cli/Argument";
import * as Flag from "effect/cli/Flag";
import * as Console from "effect/Console";
import * as Effect from "effect/Effect";
import { callAdmin, type AdminTarget, type Call } from "./AdminClient.ts";
import { settingsFromEnvironment } from "./environment.ts";

interface Page<Item> {
  readonly data: ReadonlyArray<Item>;
  readonly next_cursor: string | null;
}

/** The largest page there is. */
const PAGE_LIMIT = 100;

/** Which server a command speaks to, and as whom. */
export const target = {
  url: Flag.String("url").pipe(
    Flag.withDescription("Address of the server; else the one of this machine's data directory"),
    Flag.optional
  ),
  adminToken: Flag.Redacted("admin-token").pipe(
    Flag.withDescription("The operator's token; else WINNOW_ADMIN_TOKEN or the data directory's"),
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
  Flag.withDescription("Print JSON instead of words"),
  Flag.withDefault(false)
);

export const call = Effect.fnUntraced(function* <A>(options: AdminTarget, request: Call) {
  const settings = yield* settingsFromEnvironment;
  return (yield* callAdmin(options, settings, request)) as A;
});

export const tell = (json: boolean, value: unknown, words: string): Effect.Effect<void> =>
  Console.log(json ? JSON.stringify(value, null, 2) : words);

/** The first `itemsMax` of a list that comes page by page; `path` is without a query. */
export const readAll = Effect.fnUntraced(function* <Item>(
  options: AdminTarget,
  path: string,
  filter: Readonly<Record<string, string>> = {},
  itemsMax = Infinity
) {
  const items: Array<Item> = [];
  let cursor: string | null = null;
  do {
    const limit = String(Math.min(PAGE_LIMIT, itemsMax - items.length));
    const query = new URLSearchParams({ ...filter, limit, ...(cursor === null ? {} : { cursor }) });
    const page: Page<Item> = yield* call<Page<Item>>(options, { method: "GET", path: `${path}?${query}` });
    items.push(...page.data);
    cursor = page.next_cursor;
  } while (cursor !== null && items.length < itemsMax);
  return items;
});
