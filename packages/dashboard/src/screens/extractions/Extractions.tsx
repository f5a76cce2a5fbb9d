/** The list of extractions: live, filtered by the URL, with a preview panel. */
import { useLocation } from "preact-iso";
import { useCallback, useEffect, useMemo, useRef } from "preact/hooks";
import { href } from "../../data/addresses.ts";
import { FILTER_NAMES, useExtractions, type Filters } from "../../data/extractions.ts";
import { Empty, Loading, More } from "../../parts/Waiting.tsx";
import { later } from "../../parts/later.tsx";
import { PageHead } from "../../parts/Page.tsx";
import { Problem } from "../../parts/Problem.tsx";
import { useShortcuts } from "../../parts/shortcuts.ts";
import { words } from "../../words/words.ts";
import { FilterBar } from "./FilterBar.tsx";
import { Row, focusedRow, stepRow } from "./Row.tsx";

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
    <Empty title={words.list.noneFound}>
      <p>
        <a href={href("")}>{words.list.showAll}</a>
      </p>
    </Empty>
  ) : (
    <Empty title={words.list.emptyTitle}>
      <p>{words.list.emptyText}</p>
      <a class="button main" href={href("new")}>
        {words.nav.new}
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
      <PageHead title={words.nav.extractions} />
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
          <ol class="rows panel" aria-label={words.nav.extractions}>
            {items.map((item) => (
              <Row key={item.id} item={item} isPeeked={item.id === peeked} onPeek={peekAt} />
            ))}
          </ol>
          <More query={list} />
        </>
      )}
      {peeked === undefined ? null : <Peek key={peeked} id={peeked} onClose={() => peek(undefined)} />}
    </>
  );
};
