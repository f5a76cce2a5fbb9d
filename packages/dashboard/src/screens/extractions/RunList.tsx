/** Rows of extractions, and of batches among them, with a preview beside them, their selection and their keys. */
import type { BatchSummary } from "@winnow/client";
import type { ComponentChildren } from "preact";
import { useLocation } from "preact-iso";
import { useCallback, useEffect, useRef } from "preact/hooks";
import type { Extractions, ExtractionItem, Filters } from "../../data/extractions.ts";
import { useShortcuts } from "../../parts/shortcuts.ts";
import { Empty, Loading, More, Problem, Stale } from "../../parts/Waiting.tsx";
import { navWords } from "../../words/words.ts";
import { BatchRow, isOver } from "./BatchRow.tsx";
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
  /** Shows a preview, of which the URL has the id, or none. */
  readonly onPeek: (id: string | undefined) => void;
  /** Where no row matches; undefined for a batch without filters. */
  readonly showAll: string | undefined;
  /** Below the rows. */
  readonly children?: ComponentChildren;
}

/** What stands in the place of rows. */
const Nothing = ({ list, batches = NO_BATCHES, showAll }: RunListProps) => {
  const { items, error, hasNextPage } = list;
  if (items !== undefined && items.length + batches.length > 0) return null;
  if (items === undefined && error !== null)
    return <Problem error={error} retry={() => void list.refetch()} />;
  if (items === undefined || hasNextPage) return <Loading lines={LINES} />;
  if (showAll === undefined) return <Empty title={listWords.noneInBatch} />;
  return (
    <Empty title={listWords.noneFound}>
      <p>
        <a href={showAll}>{listWords.showAll}</a>
      </p>
    </Empty>
  );
};

const Rows = (props: RunListProps & { readonly peeked: string | undefined }) => {
  const { list, filters, batches = NO_BATCHES, counts, peeked, onPeek } = props;
  const { items } = list;
  const { active, rest } = useRunningFirst(list, filters);
  const selection = useSelection([...active, ...rest], JSON.stringify(filters));
  const current = useRef(onPeek);
  current.current = onPeek;
  const peekAt = useCallback((id: string): void => current.current(id), []);
  const step = (by: number): void => {
    const id = stepRow(by);
    if (peeked !== undefined && id !== null) onPeek(id);
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
    " ": () => onPeek(peeked === undefined ? (focusedRow() ?? active[0]?.id ?? rest[0]?.id) : undefined),
    Escape: () => (peeked === undefined ? selection.set(new Map()) : onPeek(undefined)),
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
          items={items ?? []}
          hasMore={list.hasNextPage}
          filters={filters}
          onChange={selection.set}
        />
      )}
      <Stale query={list} />
      <div class="rows panel">
        <Heads>{counts}</Heads>
        {rowsOf(listWords.active, [...batches.filter((batch) => !isOver(batch)), ...active])}
        {rowsOf(navWords.extractions, newestFirst(rest, batches.filter(isOver)))}
        <Nothing {...props} />
      </div>
      <More query={list} isEndless />
    </>
  );
};

/** Equal times stay as they came. */
const newestFirst = (runs: ReadonlyArray<ExtractionItem>, batches: ReadonlyArray<BatchSummary>) =>
  batches.length === 0
    ? runs
    : [...runs, ...batches].toSorted(
        (one, other) => Number(one.createdAt < other.createdAt) - Number(one.createdAt > other.createdAt)
      );

export const RunList = (props: RunListProps) => {
  const { list, onPeek } = props;
  const { peek: peeked } = useLocation().query;
  // With filters, a page may be empty although more follow.
  const isGap = list.items?.length === 0 && list.hasNextPage && !list.isFetchingNextPage;
  useEffect(() => {
    if (isGap) void list.fetchNextPage();
  }, [isGap]);
  return (
    <div class={peeked === undefined ? "list" : "list beside"}>
      <div class="stack">
        <Rows {...props} peeked={peeked} />
        {props.children}
      </div>
      {peeked === undefined ? null : <Peek key={peeked} id={peeked} onClose={() => onPeek(undefined)} />}
    </div>
  );
};
