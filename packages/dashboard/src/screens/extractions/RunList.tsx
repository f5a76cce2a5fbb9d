/**
 * Rows of extractions, and of batches among them, with a preview beside them, their selection and their keys.
 * Tests: lists.test.ts, selection.test.ts.
 */
import type { BatchSummary } from "@winnow/client";
import type { ComponentChildren } from "preact";
import { useLocation } from "preact-iso";
import { useCallback, useEffect, useRef } from "preact/hooks";
import { href } from "../../data/addresses.ts";
import type { Extractions, ExtractionItem, Filters } from "../../data/extractions.ts";
import { useShortcuts } from "../../parts/shortcuts.ts";
import { Empty, Loading, More, Problem, Stale } from "../../parts/Waiting.tsx";
import { navWords } from "../../words/words.ts";
import { BatchRow } from "./BatchRow.tsx";
import { Peek } from "./Peek.tsx";
import { Heads, Row } from "./Row.tsx";
import { useRunningFirst } from "./runningFirst.ts";
import { useSelection } from "./selection.ts";
import { SelectionBar } from "./SelectionBar.tsx";
import { listWords } from "./words.ts";

// Keyboard navigation between rows.

const SELECTOR = ".run-row a.row-link";

const rowOf = (link: Element | null): string | null =>
  link?.closest<HTMLElement>("[data-run]")?.dataset["run"] ?? null;

/** Id of the focused row. */
const focusedRow = (): string | null => rowOf(document.activeElement);

/** Moves the focus by a number of rows; returns the id of the newly focused row, null if that is a batch. */
const stepRow = (by: number): string | null => {
  const links = [...document.querySelectorAll<HTMLAnchorElement>(SELECTOR)];
  const current = document.activeElement?.closest(".run-row") ?? document.querySelector(".run-row.peeked");
  const at = links.findIndex((link) => current?.contains(link) ?? false);
  const next = links[at === -1 ? 0 : Math.min(links.length - 1, Math.max(0, at + by))];
  next?.focus();
  return rowOf(next ?? null);
};

/** Placeholders of rows that are loading. */
const LINES = 15;

const NO_BATCHES: ReadonlyArray<BatchSummary> = [];

interface RunListProps {
  readonly list: Extractions;
  /** As the server applies them. */
  readonly filters: Filters;
  /** To stand among the extractions. */
  readonly batches?: ReadonlyArray<BatchSummary>;
  /** Above the rows. */
  readonly counts: ComponentChildren;
  /** Below the rows. */
  readonly children?: ComponentChildren;
}

/** The preview, of which the URL has the id. */
const usePeek = () => {
  const { url, path, query, route } = useLocation();
  const { peek: peeked, ...filters } = query;
  const onPeek = (peek: string | undefined): void =>
    route(href(path.slice(href("").length), { ...filters, peek }), true);
  const current = useRef(onPeek);
  current.current = onPeek;
  const peekAt = useCallback((id: string | undefined): void => current.current(id), []);
  return { peeked, peekAt, isFiltered: Object.keys(filters).length > 0, all: url.split("?")[0] };
};

/** What stands in the place of rows. */
const Nothing = ({ list, batches = NO_BATCHES }: RunListProps) => {
  const { isFiltered, all } = usePeek();
  const { items, error, hasNextPage } = list;
  if (items !== undefined && items.length + batches.length > 0) return null;
  if (items === undefined && error !== null)
    return <Problem error={error} retry={() => void list.refetch()} />;
  if (items === undefined || hasNextPage) return <Loading lines={LINES} />;
  if (!isFiltered) return <Empty title={listWords.noneInBatch} />;
  return (
    <Empty title={listWords.noneFound}>
      <p>
        <a href={all}>{listWords.showAll}</a>
      </p>
    </Empty>
  );
};

const Rows = (props: RunListProps) => {
  const { list, filters, batches = NO_BATCHES, counts } = props;
  const { peeked, peekAt } = usePeek();
  const { active, rest } = useRunningFirst(list, filters, batches);
  const runs = [...active, ...rest].filter((row): row is ExtractionItem => !("counts" in row));
  const selection = useSelection(runs, JSON.stringify(filters));
  const step = (by: number): void => {
    const id = stepRow(by);
    if (peeked !== undefined && id !== null) peekAt(id);
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
    " ": () => peekAt(peeked === undefined ? (focusedRow() ?? runs[0]?.id) : undefined),
    Escape: () => (peeked === undefined ? selection.set(new Map()) : peekAt(undefined)),
    "/": () => document.getElementById("search")?.focus()
  });
  const rowsOf = (name: string, rows: ReadonlyArray<ExtractionItem | BatchSummary>) =>
    rows.length === 0 ? null : (
      <ol aria-label={name}>
        {rows.map((item) =>
          "counts" in item ? (
            <BatchRow key={item.id} batch={item} />
          ) : (
            <Row
              key={item.id}
              item={item}
              isOfBatch={filters.batchId === item.batchId}
              isPeeked={item.id === peeked}
              isSelected={selection.rows.has(item.id)}
              onPeek={peekAt}
              onSelect={selection.toggle}
            />
          )
        )}
      </ol>
    );
  return (
    <>
      {selection.rows.size === 0 ? null : (
        <SelectionBar
          rows={selection.rows}
          items={list.items ?? []}
          hasMore={list.hasNextPage}
          filters={filters}
          onChange={selection.set}
        />
      )}
      <Stale query={list} />
      <div class="rows panel">
        <Heads>{counts}</Heads>
        {rowsOf(listWords.active, active)}
        {rowsOf(navWords.extractions, rest)}
        <Nothing {...props} />
      </div>
      <More query={list} isEndless />
    </>
  );
};

export const RunList = (props: RunListProps) => {
  const { list, children } = props;
  const { peeked, peekAt } = usePeek();
  // With filters, a page may be empty although more follow.
  const isGap = list.items?.length === 0 && list.hasNextPage && !list.isFetchingNextPage;
  useEffect(() => {
    if (isGap) void list.fetchNextPage();
  }, [isGap]);
  return (
    <div class={peeked === undefined ? "list" : "list beside"}>
      <div class="stack">
        <Rows {...props} />
        {children}
      </div>
      {peeked === undefined ? null : <Peek key={peeked} id={peeked} onClose={() => peekAt(undefined)} />}
    </div>
  );
};
