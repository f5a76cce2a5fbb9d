/**
 * The table: a grid with one tab stop, in which only the rows in sight and the focused one are drawn. Rows have a fixed
 * height and are placed from script, which the content security policy allows, unlike styles in the page. Tests: results.test.ts.
 */
import type { ResultRow } from "@winnow/client";
import type { RefObject } from "preact";
import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from "@tanstack/virtual-core";
import { useLocation } from "preact-iso";
import { useLayoutEffect, useReducer, useRef, useState } from "preact/hooks";
import { href } from "../../data/addresses.ts";
import { memo } from "../../parts/memo.ts";
import { nameOf } from "../../parts/runTexts.ts";
import { STATUS_GLYPHS } from "../../parts/Status.tsx";
import { number } from "../../words/format.ts";
import type { Checking } from "./checking.ts";
import { cellOf, summaryOf, textOf, type Column, type Mark, type Place } from "./table.ts";
import { remPx, TEXT_LENGTH_MAX, WIDTH_REM_MIN, type ResultsTable } from "./useResultsTable.ts";
import { resultsWords } from "./words.ts";

/** As in results.css; also the height of the head and of the summary. */
const ROW_REM = 2.75;
/** Rows that are drawn beyond each edge. */
const BEYOND = 8;

/** By which a key changes the width of a column. */
const RESIZE_REM = 1;

/** One glyph per mark, distinguishable without colour. */
const GLYPHS: Readonly<Record<Mark, string>> = {
  quoted: "M5 12l5 5 9-10",
  unsupported: STATUS_GLYPHS.toCheck,
  not_stated: "M6 12h12",
  corrected: "M5 19l1-4L16 5l3 3L9 18z",
  accepted: "M2 12l5 5 8-10M12 15l2 2 8-10"
};

export const MarkSign = ({ mark }: { readonly mark: Mark }) => (
  <svg class={`icon sign ${mark}`} viewBox="0 0 24 24" role="img" aria-label={resultsWords.marks[mark]}>
    <path d={GLYPHS[mark]} />
  </svg>
);

export const isOfNumbers = ({ schema }: Column): boolean => /number|integer/u.test(String(schema["type"]));

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
    {columns.map((column, at) => {
      const { mark, value } = cellOf(row, column.pointer);
      const text = textOf(value).slice(0, TEXT_LENGTH_MAX);
      return (
        <div
          key={column.pointer}
          class={isOfNumbers(column) ? "num" : undefined}
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

interface HeadProps {
  readonly table: ResultsTable;
  readonly columns: ReadonlyArray<Column>;
  readonly active: number;
}

const SORTS = { asc: "ascending", desc: "descending" } as const;

const Head = ({ table, columns, active }: HeadProps) => (
  <div class="result-row result-head" role="row" aria-rowindex={1} data-row={-1}>
    {table.getFlatHeaders().map((header, at) => {
      const { column } = header;
      const name = String(column.columnDef.header);
      const given = columns[at - 1];
      const sort = column.getIsSorted();
      const resize = header.getResizeHandler();
      return (
        <div
          key={column.id}
          class={given !== undefined && isOfNumbers(given) ? "num" : undefined}
          role="columnheader"
          aria-colindex={at + 1}
          aria-sort={sort === false ? undefined : SORTS[sort]}
          data-column={at}
          tabIndex={active === at ? 0 : -1}
          title={name}
        >
          <span dir="auto">{name}</span>
          <i
            class="result-edge"
            onMouseDown={resize}
            onTouchStart={resize}
            onDblClick={() => column.resetSize()}
          />
        </div>
      );
    })}
  </div>
);

interface FootProps {
  readonly rows: ReadonlyArray<ResultRow>;
  readonly columns: ReadonlyArray<Column>;
}

const Foot = memo(({ rows, columns }: FootProps) => (
  <div class="result-row result-head result-foot" role="row" aria-rowindex={rows.length + 2}>
    <div role="rowheader" aria-colindex={1}>
      {resultsWords.summary}
    </div>
    {columns.map((column, at) => {
      const { stated, toCheck, range } = summaryOf(rows, column);
      const text =
        range === null
          ? resultsWords.stated(number(stated), number(rows.length))
          : range.map(number).join(" – ");
      return (
        <div
          key={column.pointer}
          class={isOfNumbers(column) ? "num" : undefined}
          role="gridcell"
          aria-colindex={at + 2}
          title={text}
        >
          <span>{text}</span>
          {toCheck === 0 ? null : (
            <>
              <MarkSign mark="unsupported" /> {number(toCheck)}
            </>
          )}
        </div>
      );
    })}
  </div>
));

/** The rows in sight; with what React's hook of TanStack Virtual does, which wants React. */
const useVirtualRows = (box: RefObject<HTMLDivElement>, count: number, height: number) => {
  const [, redraw] = useReducer((times: number) => times + 1, 0);
  const options = {
    count,
    getScrollElement: () => box.current,
    estimateSize: () => height,
    // The head.
    scrollMargin: height,
    overscan: BEYOND,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    onChange: () => redraw(undefined)
  };
  const [virtual] = useState(() => new Virtualizer<HTMLDivElement, HTMLDivElement>(options));
  virtual.setOptions(options);
  useLayoutEffect(() => virtual._didMount(), []);
  useLayoutEffect(() => virtual._willUpdate());
  return virtual;
};

/** Scrolls the box so that neither head, summary nor first column covers a cell. */
const reveal = (box: HTMLElement, cell: HTMLElement, { row, column }: Place, height: number): void => {
  if (row >= 0) {
    const below = (row + 3) * height - box.clientHeight;
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

type Sized = ReturnType<ResultsTable["getAllLeafColumns"]>[number];

/** Shift and an arrow change the width of a column; false for other keys. */
const isResized = ({ key, shiftKey }: KeyboardEvent, column: Sized, table: ResultsTable): boolean => {
  const stepRem = { ArrowLeft: -RESIZE_REM, ArrowRight: RESIZE_REM }[key];
  if (!shiftKey || stepRem === undefined) return false;
  const width = Math.max(column.columnDef.minSize ?? 0, column.getSize() + stepRem * remPx());
  table.setColumnSizing((widths) => ({ ...widths, [column.id]: width }));
  return true;
};

const placeOf = (target: EventTarget | null): Place | undefined => {
  const cell = (target as HTMLElement | null)?.closest<HTMLElement>("[data-column]");
  const row = cell?.closest<HTMLElement>("[data-row]");
  if (cell == null || row == null) return undefined;
  return { row: Number(row.dataset["row"]), column: Number(cell.dataset["column"]) };
};

/** Moves the focus to a place, each time that it is another object. */
const useFocus = (box: RefObject<HTMLDivElement>, place: Place | undefined, height: number): void => {
  useLayoutEffect(() => {
    const cell = box.current?.querySelector<HTMLElement>('[tabindex="0"]');
    if (place === undefined || box.current === null || cell == null) return;
    reveal(box.current, cell, place, height);
    cell.focus({ preventScroll: true });
    box.current.scrollIntoView({ block: "nearest" });
  }, [place]);
};

/** Of the table and its columns: names give way to values before the box scrolls, unless somebody set their width. */
const widthsOf = (table: ResultsTable) => {
  const [name = 0, ...others] = table.getFlatHeaders().map((header) => header.getSize());
  const isSet = table.getAllLeafColumns()[0]?.columnDef.size !== name;
  const least = isSet ? name : Math.min(name, WIDTH_REM_MIN * remPx());
  const columns = [`minmax(${least}px, ${name}px)`, ...others.map((width) => `${width}px`)];
  return { "--columns": columns.join(" "), "--width": `${table.getTotalSize() - name + least}px` };
};

interface GridProps {
  readonly rows: ReadonlyArray<ResultRow>;
  readonly columns: ReadonlyArray<Column>;
  readonly table: ResultsTable;
  readonly checking: Checking;
}

export const Grid = ({ rows, columns, table, checking }: GridProps) => {
  const { route } = useLocation();
  const { place, shown, show, move } = checking;
  const box = useRef<HTMLDivElement>(null);
  const [height] = useState(() => ROW_REM * remPx());
  const virtual = useVirtualRows(box, rows.length, height);
  useFocus(box, checking.focused, height);
  const sized = table.getFlatHeaders();
  const headAt = ({ column }: Place) => sized[column]?.column;
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = place.row === -1 ? headAt(place) : undefined;
    if (at !== undefined && isResized(event, at, table)) return event.preventDefault();
    const page = Math.floor((box.current?.clientHeight ?? 0) / height) - 3;
    const to = moved(event, place, { rows: rows.length, columns: columns.length, page });
    if (to === undefined && event.key !== " " && event.key !== "Enter") return;
    event.preventDefault();
    if (to !== undefined) move(to);
    else if (at !== undefined) at.toggleSorting();
    else if (event.key === " ") show(shown === null ? "value" : null);
    else if (checking.column !== undefined) show("form");
    else if (checking.row !== undefined) route(href(`runs/${checking.row.extractionId}`));
  };
  const onClick = ({ target }: MouseEvent): void => {
    const at = placeOf(target);
    if (at === undefined || (target as HTMLElement).closest(".result-edge") !== null) return;
    move(at);
    if ((target as HTMLElement).closest("a") !== null) return;
    if (at.row === -1) headAt(at)?.toggleSorting();
    else show("value");
  };
  const rowAt = (index: number) => {
    const row = rows[index];
    const active = index === place.row ? place.column : -1;
    return (
      row && <Row key={index} row={row} index={index} columns={columns} active={active} height={height} />
    );
  };
  return (
    <div
      ref={box}
      class="results-box panel"
      role="grid"
      aria-label={resultsWords.table}
      aria-rowcount={rows.length + 2}
      aria-colcount={columns.length + 1}
      aria-describedby="results-keys"
      style={widthsOf(table)}
      onKeyDown={onKeyDown}
      onClick={onClick}
    >
      <Head table={table} columns={columns} active={place.row === -1 ? place.column : -1} />
      <div class="result-rows" role="rowgroup" style={{ height: `${rows.length * height}px` }}>
        {virtual.getVirtualItems().map(({ index }) => (index === place.row ? null : rowAt(index)))}
        {/* Always the last, because an element that is moved loses the focus. */}
        {[rowAt(place.row)]}
      </div>
      <Foot rows={rows} columns={columns} />
    </div>
  );
};
