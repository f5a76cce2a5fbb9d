/**
 * What commands about an account's things have in common: calling the admin API, reading whole lists, and
 * telling the outcome in words or as JSON.
 */
import * as Flag from "effect/cli/Flag";
import * as Console from "effect/Console";
import * as Effect from "effect/Effect";
import { callAdmin, type AdminTarget, type Call } from "./AdminClient.ts";
import { settingsFromEnvironment } from "./environment.ts";

export type Target = AdminTarget;

interface Page<Item> {
  readonly data: ReadonlyArray<Item>;
  readonly next_cursor: string | null;
}

/** The largest page there is. */
const PAGE_LIMIT = 100;

export const asJson = Flag.Boolean("json").pipe(
  Flag.withDescription("Print JSON instead of words"),
  Flag.withDefault(false)
);

export const call = Effect.fnUntraced(function* <A>(options: Target, request: Call) {
  const settings = yield* settingsFromEnvironment;
  return (yield* callAdmin(options, settings, request)) as A;
});

export const tell = (json: boolean, value: unknown, words: string): Effect.Effect<void> =>
  Console.log(json ? JSON.stringify(value, null, 2) : words);

/** The first `itemsMax` of a list that comes page by page; `path` is without a query. */
export const readAll = Effect.fnUntraced(function* <Item>(
  options: Target,
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
