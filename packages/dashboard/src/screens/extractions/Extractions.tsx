/** The list of extractions: live, filtered by the URL, with a preview panel. */
import { useEffect, useCallback, useMemo, useRef } from "preact/hooks";
import { FILTER_NAMES, useExtractions, type ExtractionItem, type Filters } from "../../data/extractions.ts";
import { FilterBar } from "./Filters.tsx";
import { Heads, Row } from "./Row.tsx";
import { listWords } from "./words.ts";
import { navWords } from "../../words/words.ts";
import { href } from "../../data/addresses.ts";
import { useLocation } from "preact-iso";
import { Empty, Loading, More, Problem, Stale } from "../../parts/Waiting.tsx";
import { later } from "../../parts/later.tsx";
import { PageHead } from "../../parts/Page.tsx";
import { useShortcuts } from "../../parts/shortcuts.ts";
import { useRunningFirst } from "./runningFirst.ts";
import { useSelection } from "./selection.ts";

// Keyboard navigation between rows.

const SELECTOR = "[data-run] a.row-link";

const rowOf = (link: Element | null): string | null =>
  link?.closest<HTMLElement>("[data-run]")?.dataset["run"] ?? null;

/** Id of the focused row. */
const focusedRow = (): string | null => rowOf(document.activeElement);

/** Moves the focus by a number of rows; returns the id of the newly focused row. */
const stepRow = (by: number): string | null => {
  const links = [...document.querySelectorAll<HTMLAnchorElement>(SELECTOR)];
  const current =
    document.activeElement?.closest("[data-run]") ?? document.querySelector("[data-run].peeked");
  const at = links.findIndex((link) => current?.contains(link) ?? false);
  const next = links[at === -1 ? 0 : Math.min(links.length - 1, Math.max(0, at + by))];
  next?.focus();
  return rowOf(next ?? null);
};

/** Placeholders of rows that are loading. */
const LINES = 15;

const Peek = later(async () => (await import("./Peek.tsx")).Peek);

const SelectionBar = later(async () => (await import("./SelectionBar.tsx")).SelectionBar);

const filtersOf = (query: Readonly<Record<string, string>>): Filters =>
  Object.fromEntries(FILTER_NAMES.flatMap((name) => (query[name] ? [[name, query[name]]] : [])));

const addressOf = (query: Readonly<Record<string, string | undefined>>): string => {
  const parameters = Object.entries(query).filter((each): each is [string, string] => Boolean(each[1]));
  const text = new URLSearchParams(parameters).toString();
  return href(text === "" ? "" : `?${text}`);
};

const FirstRun = later(async () => (await import("./FirstRun.tsx")).FirstRun);

/** With more extractions, nobody needs to be told the first steps. */
const FIRST_STEPS_UP_TO = 5;

const StepsLeft = ({ count }: { readonly count: number }) =>
  count > 0 && count <= FIRST_STEPS_UP_TO ? <FirstRun hasExtracted /> : null;

/** What stands in the place of rows. */
const Nothing = ({ list }: Pick<ListProps, "list">) => {
  const { items, error, hasNextPage } = list;
  if (items !== undefined && items.length > 0) return null;
  if (items === undefined && error !== null)
    return <Problem error={error} retry={() => void list.refetch()} />;
  if (items === undefined || hasNextPage) return <Loading lines={LINES} />;
  return (
    <Empty title={listWords.noneFound}>
      <p>
        <a href={href("")}>{listWords.showAll}</a>
      </p>
    </Empty>
  );
};

interface ListProps {
  readonly list: ReturnType<typeof useExtractions>;
  readonly filters: Filters;
  readonly peeked: string | undefined;
  readonly peek: (id: string | undefined) => void;
}

/** Rows, selection and their keys. */
const List = ({ list, filters, peeked, peek }: ListProps) => {
  const { items } = list;
  const { active, rest } = useRunningFirst(list, filters);
  const selection = useSelection([...active, ...rest], JSON.stringify(filters));
  const current = useRef(peek);
  current.current = peek;
  const peekAt = useCallback((id: string): void => current.current(id), []);
  const step = (by: number): void => {
    const id = stepRow(by);
    if (peeked !== undefined && id !== null) peek(id);
  };
  const select = (isRange: boolean): void => {
    const id = focusedRow() ?? peeked;
    if (id === undefined) step(0);
    else selection.toggle(id, isRange);
  };
  useShortcuts({
    x: () => select(false),
    X: () => select(true),
    ".": () => document.querySelector<HTMLElement>(".selection-bar button:enabled, .peek a")?.focus(),
    j: () => step(1),
    k: () => step(-1),
    " ": () => peek(peeked === undefined ? (focusedRow() ?? active[0]?.id ?? rest[0]?.id) : undefined),
    Escape: () => (peeked === undefined ? selection.set(new Map()) : peek(undefined)),
    "/": () => document.getElementById("search")?.focus()
  });
  const rowsOf = (name: string, rows: ReadonlyArray<ExtractionItem>) =>
    rows.length === 0 ? null : (
      <ol aria-label={name}>
        {rows.map((item) => (
          <Row
            key={item.id}
            item={item}
            isPeeked={item.id === peeked}
            isSelected={selection.rows.has(item.id)}
            onPeek={peekAt}
            onSelect={selection.toggle}
          />
        ))}
      </ol>
    );
  return (
    <>
      {selection.rows.size === 0 ? null : (
        <SelectionBar
          rows={selection.rows}
          items={items ?? []}
          hasMore={list.hasNextPage}
          filters={filters}
          onChange={selection.set}
        />
      )}
      <Stale query={list} />
      <div class="rows panel">
        <Heads />
        {rowsOf(listWords.active, active)}
        {rowsOf(navWords.extractions, rest)}
        <Nothing list={list} />
      </div>
      <More query={list} isEndless />
    </>
  );
};

export const Extractions = () => {
  const { query, route } = useLocation();
  const text = JSON.stringify(filtersOf(query));
  const filters = useMemo(() => JSON.parse(text) as Filters, [text]);
  const list = useExtractions(filters);
  // With filters, a page may be empty although more follow.
  const isGap = list.items?.length === 0 && list.hasNextPage && !list.isFetchingNextPage;
  useEffect(() => {
    if (isGap) void list.fetchNextPage();
  }, [isGap]);
  const peeked = query["peek"];
  const peek = (id: string | undefined): void => route(addressOf({ ...filters, peek: id }), true);
  const isFirstRun = text === "{}" && list.items?.length === 0 && !list.hasNextPage;
  return (
    <>
      <PageHead title={navWords.extractions} />
      <FilterBar filters={filters} onChange={(next) => route(addressOf({ ...next }), true)} />
      <div class={peeked === undefined ? "list" : "list beside"}>
        <div class="stack">
          {isFirstRun ? (
            <FirstRun hasExtracted={false} />
          ) : (
            <List list={list} filters={filters} peeked={peeked} peek={peek} />
          )}
          {text === "{}" ? <StepsLeft count={list.items?.length ?? 0} /> : null}
        </div>
        {peeked === undefined ? null : <Peek key={peeked} id={peeked} onClose={() => peek(undefined)} />}
      </div>
    </>
  );
};
