/**
 * The table: a grid with one tab stop, in which only the rows in sight and the focused one are drawn. Rows have a fixed
 * height and are placed from script, which the content security policy allows, unlike styles in the page.
 */
import type { ResultRow } from "@winnow/client";
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { href } from "../../data/addresses.ts";
import { memo } from "../../parts/memo.ts";
import { nameOf } from "../../parts/runTexts.ts";
import { resultsWords } from "./words.ts";
import { cellOf, textOf, type Column, type Mark, type Order, type Place } from "./table.ts";

/** As in results.css; also the height of the head. */
const ROW_REM = 2.75;
const rowPx = (): number => ROW_REM * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

/** Rows that are drawn beyond each edge, and by how many the drawn ones change at once. */
const BEYOND = 8;
const STEP = 4;

/** A long text would be laid out in full for the few words that fit. */
const TEXT_LENGTH_MAX = 120;

/** One glyph per mark, distinguishable without colour. */
const GLYPHS: Readonly<Record<Mark, string>> = {
  quoted: "M5 12l5 5 9-10",
  unsupported: "M8 9a4 4 0 1 1 6 3.5c-1.500.9-2 1.500-2 3m0 4h.01",
  not_stated: "M6 12h12",
  corrected: "M5 19l1-4L16 5l3 3L9 18z",
  accepted: "M2 12l5 5 8-10M12 15l2 2 8-10"
};

export const MarkSign = ({ mark }: { readonly mark: Mark }) => (
  <svg class={`icon sign ${mark}`} viewBox="0 0 24 24" role="img" aria-label={resultsWords.marks[mark]}>
    <path d={GLYPHS[mark]} />
  </svg>
);

interface RowProps {
  readonly row: ResultRow;
  readonly index: number;
  readonly columns: ReadonlyArray<Column>;
  /** The column of the cell that has the focus; -1 in other rows. */
  readonly active: number;
  readonly height: number;
}

const Row = memo(({ row, index, columns, active, height }: RowProps) => (
  <div
    class={active === -1 ? "result-row" : "result-row active"}
    role="row"
    aria-rowindex={index + 2}
    data-row={index}
    style={{ top: `${index * height}px` }}
  >
    <div
      class="result-name"
      role="rowheader"
      aria-colindex={1}
      data-column="0"
      tabIndex={active === 0 ? 0 : -1}
      title={`${nameOf(row)}\n${row.url}`}
    >
      <a dir="auto" class="row-link" tabIndex={-1} href={href(`runs/${row.extractionId}`)}>
        {nameOf(row)}
      </a>
    </div>
    {columns.map(({ pointer }, at) => {
      const { mark, value } = cellOf(row, pointer);
      const text = textOf(value).slice(0, TEXT_LENGTH_MAX);
      return (
        <div
          key={pointer}
          class={typeof value === "number" ? "num" : undefined}
          role="gridcell"
          aria-colindex={at + 2}
          data-column={at + 1}
          tabIndex={active === at + 1 ? 0 : -1}
        >
          <MarkSign mark={mark} /> <span dir="auto">{text}</span>
        </div>
      );
    })}
  </div>
));

const sortOf = (order: Order | undefined, pointer: string) =>
  order?.pointer !== pointer ? undefined : order.isDescending ? "descending" : "ascending";

interface HeadProps {
  readonly columns: ReadonlyArray<Column>;
  readonly order: Order | undefined;
  readonly active: number;
}

const Head = memo(({ columns, order, active }: HeadProps) => (
  <div class="result-row result-head" role="row" aria-rowindex={1} data-row={-1}>
    <div role="columnheader" aria-colindex={1} data-column="0" tabIndex={active === 0 ? 0 : -1}>
      {resultsWords.extraction}
    </div>
    {columns.map(({ pointer, name, schema }, at) => (
      <div
        key={pointer}
        class={/number|integer/u.test(String(schema["type"])) ? "num" : undefined}
        role="columnheader"
        aria-colindex={at + 2}
        aria-sort={sortOf(order, pointer)}
        data-column={at + 1}
        tabIndex={active === at + 1 ? 0 : -1}
        title={name}
      >
        <span dir="auto">{name}</span>
      </div>
    ))}
  </div>
));

/** Which rows to draw: from the first in sight, as far as the box is high. */
const useWindow = (box: RefObject<HTMLDivElement>, height: number) => {
  const [first, setFirst] = useState(0);
  const [boxPx, setBoxPx] = useState(innerHeight);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setBoxPx(entry?.contentRect.height ?? innerHeight));
    if (box.current !== null) observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  const onScroll = (): void => setFirst(Math.floor((box.current?.scrollTop ?? 0) / height / STEP) * STEP);
  const from = Math.max(0, first - BEYOND);
  const to = first + Math.ceil(boxPx / height) + STEP + BEYOND;
  return { from, to, boxPx, onScroll };
};

/** Scrolls the box so that neither the head nor the first column covers a cell. */
const reveal = (box: HTMLElement, cell: HTMLElement, { row, column }: Place, height: number): void => {
  if (row >= 0) {
    const below = (row + 2) * height - box.clientHeight;
    box.scrollTop = Math.max(below, Math.min(box.scrollTop, row * height));
  }
  if (column === 0) return;
  const { offsetLeft, offsetWidth } = cell;
  const first = cell.parentElement?.firstElementChild as HTMLElement | null;
  const right = offsetLeft + offsetWidth - box.clientWidth;
  box.scrollLeft = Math.min(offsetLeft - (first?.offsetWidth ?? 0), Math.max(box.scrollLeft, right));
};

/** Where a key moves to; undefined for other keys. */
const moved = (
  { key, ctrlKey, metaKey }: KeyboardEvent,
  { row, column }: Place,
  size: { readonly rows: number; readonly columns: number; readonly page: number }
): Place | undefined => {
  const isFar = ctrlKey || metaKey;
  const last = size.rows - 1;
  const places: Readonly<Record<string, Place>> = {
    ArrowUp: { row: isFar ? 0 : row - 1, column },
    ArrowDown: { row: isFar ? last : row + 1, column },
    ArrowLeft: { row, column: isFar ? 0 : column - 1 },
    ArrowRight: { row, column: isFar ? size.columns : column + 1 },
    PageUp: { row: Math.max(0, row - size.page), column },
    PageDown: { row: row + size.page, column },
    Home: { row: isFar ? 0 : row, column: 0 },
    End: { row: isFar ? last : row, column: size.columns }
  };
  const to = places[key];
  if (to === undefined) return undefined;
  return {
    row: Math.max(-1, Math.min(last, to.row)),
    column: Math.max(0, Math.min(size.columns, to.column))
  };
};

const placeOf = (target: EventTarget | null): Place | undefined => {
  const cell = (target as HTMLElement | null)?.closest<HTMLElement>("[data-column]");
  const row = cell?.closest<HTMLElement>("[data-row]");
  if (cell == null || row == null) return undefined;
  return { row: Number(row.dataset["row"]), column: Number(cell.dataset["column"]) };
};

/** Moves the focus to a place, each time that the count changes. */
const useFocus = (box: RefObject<HTMLDivElement>, place: Place, count: number, height: number): void => {
  useLayoutEffect(() => {
    const cell = box.current?.querySelector<HTMLElement>('[tabindex="0"]');
    if (count === 0 || box.current === null || cell == null) return;
    reveal(box.current, cell, place, height);
    cell.focus({ preventScroll: true });
    box.current.scrollIntoView({ block: "nearest" });
  }, [count]);
};

export interface GridProps {
  readonly rows: ReadonlyArray<ResultRow>;
  readonly columns: ReadonlyArray<Column>;
  readonly order: Order | undefined;
  readonly place: Place;
  /** Counts the requests to move the focus there, from 0. */
  readonly focusCount: number;
  readonly onMove: (place: Place) => void;
  readonly onSort: (pointer: string) => void;
  readonly onShow: () => void;
  readonly onToggle: () => void;
  readonly onEnter: () => void;
}

export const Grid = (props: GridProps) => {
  const { rows, columns, order, place, focusCount, onMove, onSort, onShow, onToggle, onEnter } = props;
  const box = useRef<HTMLDivElement>(null);
  const [height] = useState(rowPx);
  const { from, to, boxPx, onScroll } = useWindow(box, height);
  useFocus(box, place, focusCount, height);
  const sortBy = ({ column }: Place): void => {
    const pointer = columns[column - 1]?.pointer;
    if (pointer !== undefined) onSort(pointer);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const size = { rows: rows.length, columns: columns.length, page: Math.floor(boxPx / height) - 2 };
    const to = moved(event, place, size);
    const isActing = event.key === " " || event.key === "Enter";
    if (to === undefined && !isActing) return;
    event.preventDefault();
    if (to !== undefined) onMove(to);
    else if (place.row === -1) sortBy(place);
    else if (event.key === " ") onToggle();
    else onEnter();
  };
  const onClick = ({ target }: MouseEvent): void => {
    const at = placeOf(target);
    if (at === undefined) return;
    onMove(at);
    if ((target as HTMLElement).closest("a") !== null) return;
    if (at.row === -1) sortBy(at);
    else onShow();
  };
  const rowAt = (index: number) => {
    const row = rows[index];
    const active = index === place.row ? place.column : -1;
    return (
      row && <Row key={index} row={row} index={index} columns={columns} active={active} height={height} />
    );
  };
  const indices = Array.from({ length: Math.min(to, rows.length) - from }, (_, at) => from + at);
  return (
    <div
      ref={box}
      class="results-box panel"
      role="grid"
      aria-label={resultsWords.table}
      aria-rowcount={rows.length + 1}
      aria-colcount={columns.length + 1}
      aria-describedby="results-keys"
      style={{ "--columns": String(Math.max(1, columns.length)) }}
      onScroll={onScroll}
      onKeyDown={onKeyDown}
      onClick={onClick}
    >
      <Head columns={columns} order={order} active={place.row === -1 ? place.column : -1} />
      <div class="result-rows" role="rowgroup" style={{ height: `${rows.length * height}px` }}>
        {indices.map((index) => (index === place.row ? null : rowAt(index)))}
        {/* Always the last, because an element that is moved loses the focus. */}
        {[rowAt(place.row)]}
      </div>
    </div>
  );
};
