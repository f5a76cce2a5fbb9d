/** The list of extractions: live, filtered by the URL, with a preview panel. */
import { useEffect, useCallback, useMemo, useRef } from "preact/hooks";
import { FILTER_NAMES, useExtractions, type Filters } from "../../data/extractions.ts";
import { FilterBar } from "./Filters.tsx";
import { Heads, Row } from "./Row.tsx";
import { Summary } from "./Summary.tsx";
import { listWords } from "./words.ts";
import { navWords } from "../../words/words.ts";
import { href } from "../../data/addresses.ts";
import { useLocation } from "preact-iso";
import { Empty, Loading, More, Problem } from "../../parts/Waiting.tsx";
import { later } from "../../parts/later.tsx";
import { PageHead } from "../../parts/Page.tsx";
import { useShortcuts } from "../../parts/shortcuts.ts";

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

const Peek = later(async () => (await import("./Peek.tsx")).Peek);

const filtersOf = (query: Readonly<Record<string, string>>): Filters =>
  Object.fromEntries(FILTER_NAMES.flatMap((name) => (query[name] ? [[name, query[name]]] : [])));

const addressOf = (query: Readonly<Record<string, string | undefined>>): string => {
  const parameters = Object.entries(query).filter((each): each is [string, string] => Boolean(each[1]));
  const text = new URLSearchParams(parameters).toString();
  return href(text === "" ? "" : `?${text}`);
};

const NothingYet = ({ isFiltered }: { readonly isFiltered: boolean }) =>
  isFiltered ? (
    <Empty title={listWords.noneFound}>
      <p>
        <a href={href("")}>{listWords.showAll}</a>
      </p>
    </Empty>
  ) : (
    <Empty title={listWords.emptyTitle}>
      <p>{listWords.emptyText}</p>
      <a class="button main" href={href("new")}>
        {navWords.new}
      </a>
    </Empty>
  );

export const Extractions = () => {
  const { query, route } = useLocation();
  const text = JSON.stringify(filtersOf(query));
  const filters = useMemo(() => JSON.parse(text) as Filters, [text]);
  const list = useExtractions(filters);
  const { items } = list;
  // With filters, a page may be empty although more follow.
  const isGap = items?.length === 0 && list.hasNextPage && !list.isFetchingNextPage;
  useEffect(() => {
    if (isGap) void list.fetchNextPage();
  }, [isGap]);
  const peeked = query["peek"];
  const peek = (id: string | undefined): void => route(addressOf({ ...filters, peek: id }), true);
  const current = useRef(peek);
  current.current = peek;
  const peekAt = useCallback((id: string): void => current.current(id), []);
  const step = (by: number): void => {
    const id = stepRow(by);
    if (peeked !== undefined && id !== null) peek(id);
  };
  useShortcuts({
    j: () => step(1),
    k: () => step(-1),
    " ": () => peek(peeked === undefined ? (focusedRow() ?? items?.[0]?.id) : undefined),
    Escape: () => peek(undefined),
    "/": () => document.getElementById("search")?.focus()
  });
  return (
    <>
      <PageHead title={navWords.extractions}>
        <Summary />
      </PageHead>
      <FilterBar filters={filters} onChange={(next) => route(addressOf({ ...next }), true)} />
      {items === undefined ? (
        list.error === null ? (
          <Loading lines={8} />
        ) : (
          <Problem error={list.error} retry={() => void list.refetch()} />
        )
      ) : items.length === 0 && list.hasNextPage ? (
        <Loading lines={8} />
      ) : items.length === 0 ? (
        <NothingYet isFiltered={text !== "{}"} />
      ) : (
        <>
          <div class="rows panel">
            <Heads />
            <ol aria-label={navWords.extractions}>
              {items.map((item) => (
                <Row key={item.id} item={item} isPeeked={item.id === peeked} onPeek={peekAt} />
              ))}
            </ol>
          </div>
          <More query={list} />
        </>
      )}
      {peeked === undefined ? null : <Peek key={peeked} id={peeked} onClose={() => peek(undefined)} />}
    </>
  );
};
