/** The values of many extractions as one table: each with its proof, checked and corrected with the keyboard. */
import type { ResultRow } from "@winnow/client";
import { useEffect, useMemo, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { href } from "../../data/addresses.ts";
import {
  correct,
  refreshResults,
  RESULT_FILTERS,
  ROWS_MAX,
  useCorrected,
  useNewestSchema,
  useResults,
  type ResultFilters
} from "../../data/results.ts";
import { useSchemas } from "../../data/schemas.ts";
import { PageHead } from "../../parts/Page.tsx";
import { useShortcuts } from "../../parts/shortcuts.ts";
import { note, undoable } from "../../parts/Toasts.tsx";
import { Empty, Loading, Problem } from "../../parts/Waiting.tsx";
import { number } from "../../words/format.ts";
import { navWords, toCheckText } from "../../words/words.ts";
import { Details, type CellActs } from "./Details.tsx";
import { Export } from "./Export.tsx";
import { Grid, MarkSign } from "./Grid.tsx";
import { ANY_SCHEMA, ColumnChoice, FilterBar, hiddenColumns } from "./ResultFilters.tsx";
import {
  cellOf,
  columnsOf,
  countToCheck,
  found,
  isToCheck,
  MARKS,
  nextToCheck,
  visibleColumns,
  within,
  withCorrections,
  type Column,
  type Corrections,
  type Place
} from "./table.ts";
import { useResultsTable, type ResultsTableInput } from "./useResultsTable.ts";
import { exportWords, resultsWords } from "./words.ts";

type Query = Readonly<Record<string, string>>;

const filtersOf = (query: Query): ResultFilters =>
  Object.fromEntries(RESULT_FILTERS.flatMap((name) => (query[name] ? [[name, query[name]]] : [])));

// Corrections, each shown at once, and undone for five seconds.

const change = (row: ResultRow, { pointer }: Column, to: Corrections): Promise<void> => {
  const before = Object.fromEntries(within(row.corrections, pointer));
  return correct(
    row,
    (corrections) => withCorrections(corrections, pointer, to),
    (corrections) => withCorrections(corrections, pointer, before)
  );
};

const changed = (row: ResultRow, column: Column, text: string): void => {
  const before = Object.fromEntries(within(row.corrections, column.pointer));
  undoable(
    text,
    () => undefined,
    () => void change(row, column, before).catch((error: Error) => note(error.message))
  );
};

const accept = (row: ResultRow, column: Column): void => {
  const cell = cellOf(row, column.pointer);
  if (!isToCheck(cell)) return;
  changed(row, column, resultsWords.accepted(column.name));
  change(row, column, { [column.pointer]: cell.value }).catch((error: Error) => note(error.message));
};

const remove = (row: ResultRow, column: Column): void => {
  changed(row, column, resultsWords.removed(column.name));
  change(row, column, {}).catch((error: Error) => note(error.message));
};

const save = async (row: ResultRow, column: Column, value: unknown): Promise<void> => {
  await change(row, column, { [column.pointer]: value });
  changed(row, column, resultsWords.corrected(column.name));
};

interface TableProps extends ResultsTableInput {
  readonly isLoading: boolean;
}

type Shown = "value" | "form" | null;

/** Where somebody was in the table of each URL, for the way back to it. */
const visits = new Map<string, { readonly place: Place; readonly shown: Shown }>();

/** Where the focus is, whether the cell there is shown in full, and the keys of the screen. */
const useChecking = (rows: ReadonlyArray<ResultRow>, columns: ReadonlyArray<Column>) => {
  const [visit] = useState(() => visits.get(location.search));
  const [wanted, setWanted] = useState<Place>(visit?.place ?? { row: 0, column: 1 });
  const [focusCount, setFocusCount] = useState(0);
  const [shown, setShown] = useState<Shown>(visit?.shown ?? null);
  const place = {
    row: Math.min(wanted.row, rows.length - 1),
    column: Math.min(wanted.column, columns.length)
  };
  const row = rows[place.row];
  const column = columns[place.column - 1];
  const move = (to: Place = place): void => {
    if (shown === "form") setShown("value");
    // At once, because a click on a link moves too, and then leaves the screen.
    visits.set(location.search, { place: to, shown });
    setWanted(to);
    setFocusCount((count) => count + 1);
  };
  const next = (): void => {
    const to = nextToCheck(rows, columns, place);
    if (to === undefined) return note(resultsWords.noneToCheck);
    move(to);
    setShown("value");
  };
  const close = (): void => {
    if (shown !== null) move();
    setShown(null);
  };
  useEffect(() => {
    // After the frame has given the focus to the screen.
    if (visit !== undefined) move();
  }, []);
  useEffect(() => void visits.set(location.search, { place, shown }), [shown, location.search]);
  useShortcuts({
    e: next,
    a: () => {
      if (row !== undefined && column !== undefined) accept(row, column);
    },
    Escape: close,
    "/": () => document.getElementById("search")?.focus()
  });
  return { place, row, column, focusCount, shown, setShown, move, next, close };
};

interface StatusProps extends Pick<TableProps, "rows" | "columns" | "isLoading"> {
  readonly onNext: () => void;
}

const Status = ({ rows, columns, isLoading, onNext }: StatusProps) => {
  const toCheck = useMemo(() => countToCheck(rows, columns), [rows, columns]);
  return (
    <div class="row">
      <p role="status">
        <strong>{resultsWords.rows(rows.length, number(rows.length))}</strong>
        {isLoading ? ` ${resultsWords.loading}` : ""} · {toCheckText(toCheck)}
      </p>
      <button class="button small end" type="button" disabled={toCheck === 0} onClick={onNext}>
        {resultsWords.next} <kbd>e</kbd>
      </button>
    </div>
  );
};

const Table = ({ isLoading, ...given }: TableProps) => {
  const { route } = useLocation();
  const { columns } = given;
  const table = useResultsTable(given);
  const model = table.getSortedRowModel();
  // The order does not change when a value is corrected.
  const rows = useCorrected(useMemo(() => model.rows.map(({ original }) => original), [model]));
  const checking = useChecking(rows, columns);
  const { place, row, column, focusCount, shown, setShown, move, next, close } = checking;
  const acts = (on: ResultRow, of: Column): CellActs => ({
    accept: () => accept(on, of),
    undo: () => remove(on, of),
    save: (value) => save(on, of, value),
    edit: (isEditing) => {
      if (!isEditing) move();
      setShown(isEditing ? "form" : "value");
    }
  });
  return (
    <>
      <Status rows={rows} columns={columns} isLoading={isLoading} onNext={next} />
      <div class={shown === null ? "results-view" : "results-view open"}>
        <Grid
          rows={rows}
          columns={columns}
          table={table}
          place={place}
          focusCount={focusCount}
          onMove={move}
          onShow={() => setShown("value")}
          onToggle={() => {
            move();
            setShown(shown === null ? "value" : null);
          }}
          onEnter={() => {
            if (column !== undefined) setShown("form");
            else if (row !== undefined) route(href(`runs/${row.extractionId}`));
          }}
        />
        {shown === null || row === undefined ? null : (
          <Details
            row={row}
            column={column}
            isEditing={shown === "form"}
            acts={column === undefined ? undefined : acts(row, column)}
            onClose={close}
          />
        )}
      </div>
      <ul class="row legend hint" aria-label={resultsWords.legend}>
        {MARKS.map((mark) => (
          <li key={mark}>
            <MarkSign mark={mark} />
            <span aria-hidden="true"> {resultsWords.marks[mark]}</span>
          </li>
        ))}
      </ul>
      <p class="hint" id="results-keys">
        {resultsWords.keys}
      </p>
    </>
  );
};

const Nothing = ({ isFiltered }: { readonly isFiltered: boolean }) =>
  isFiltered ? (
    <Empty title={resultsWords.noneFound}>
      <p>{resultsWords.noneFoundText}</p>
      <a class="button" href={href(`results?schemaId=${ANY_SCHEMA}`)}>
        {resultsWords.showAll}
      </a>
    </Empty>
  ) : (
    <Empty title={resultsWords.emptyTitle}>
      <p>{resultsWords.emptyText}</p>
      <div class="row">
        <a class="button main" href={href("new")}>
          {navWords.new}
        </a>
        <a class="button" href={href("schemas")}>
          {resultsWords.schemas}
        </a>
      </div>
    </Empty>
  );

/** The filters of the URL, which gets the schema of the newest row where it names none. */
const useFilters = (query: Query, route: (url: string, isReplaced: boolean) => void) => {
  const text = JSON.stringify(filtersOf(query));
  const given = useMemo(() => JSON.parse(text) as ResultFilters, [text]);
  const isKnown = given.schemaId !== undefined;
  const newest = useNewestSchema(given, !isKnown);
  useEffect(() => {
    if (!isKnown && newest.data !== undefined)
      route(href("results", { ...query, schemaId: newest.data ?? ANY_SCHEMA }), true);
  }, [isKnown, newest.data]);
  const filters = useMemo((): ResultFilters => {
    const { schemaId = ANY_SCHEMA, ...others } = given;
    return schemaId === ANY_SCHEMA ? others : { ...others, schemaId };
  }, [given]);
  return { filters, isKnown, newest };
};

const isReviewOf = ({ support }: ResultFilters): boolean => support === "unsupported";

const NO_ROWS: ReadonlyArray<ResultRow> = [];

const useColumns = (filters: ResultFilters, rows: ReadonlyArray<ResultRow>) => {
  const schemas = useSchemas();
  const schema = schemas.data?.find(({ id }) => id === filters.schemaId)?.schema;
  const [changes, setChanges] = useState(0);
  const schemaId = filters.schemaId ?? ANY_SCHEMA;
  const columns = useMemo(
    () => columnsOf(schema, schema === undefined ? rows : NO_ROWS),
    [schema, schema ?? rows]
  );
  const hidden = useMemo(() => hiddenColumns(schemaId, columns), [schemaId, columns, changes]);
  const isReview = isReviewOf(filters);
  const visible = useMemo(
    () => visibleColumns(columns, hidden, rows, isReview),
    [columns, hidden, rows, isReview]
  );
  return { schemas, schemaId, columns, hidden, visible, onChange: () => setChanges(changes + 1) };
};

const Results = () => {
  const { query, route } = useLocation();
  const { filters, isKnown, newest } = useFilters(query, route);
  const list = useResults(filters, isKnown);
  const all = list.data?.rows ?? NO_ROWS;
  const [search, setSearch] = useState("");
  const [dialog, setDialog] = useState<"columns" | "export" | null>(null);
  const { schemas, visible, ...choice } = useColumns(filters, all);
  const { sort } = query;
  const rows = useMemo(() => found(all, search), [all, search]);
  useEffect(() => setSearch(""), [filters]);
  const error = list.error ?? (isKnown ? null : newest.error);
  const isEmpty = list.isSuccess && !list.isFetching && all.length === 0;
  return (
    <>
      <PageHead
        title={isReviewOf(filters) ? resultsWords.review : navWords.results}
        hint={resultsWords.hint}
        guide="web-app"
      >
        <button class="button" type="button" onClick={() => setDialog("columns")}>
          {resultsWords.columns}
        </button>
        <button class="button" type="button" onClick={() => setDialog("export")}>
          {exportWords.title}
        </button>
        <button class="button" type="button" disabled={list.isFetching} onClick={() => void refreshResults()}>
          {resultsWords.refresh}
        </button>
      </PageHead>
      <FilterBar
        filters={filters}
        schemas={schemas.data ?? []}
        search={search}
        onSearch={setSearch}
        onChange={({ schemaId = ANY_SCHEMA, ...others }) =>
          route(
            href("results", { schemaId, ...others, sort: schemaId === query["schemaId"] ? sort : "" }),
            true
          )
        }
      />
      {error === null ? null : (
        <Problem error={error} retry={() => void (isKnown ? list.refetch() : newest.refetch())} />
      )}
      {list.data?.isCut === true ? <p class="notice calm">{resultsWords.cut(number(ROWS_MAX))}</p> : null}
      {isEmpty ? (
        <Nothing isFiltered={Object.keys(filters).length > 0} />
      ) : all.length > 0 ? (
        <Table
          rows={rows}
          all={all}
          columns={visible}
          order={sort}
          isLoading={list.isFetching}
          onOrder={(to) => route(href("results", { ...query, sort: to }), true)}
        />
      ) : error === null ? (
        <Loading lines={8} />
      ) : null}
      {dialog === "columns" ? <ColumnChoice {...choice} onClose={() => setDialog(null)} /> : null}
      {dialog === "export" ? <Export filters={filters} onClose={() => setDialog(null)} /> : null}
    </>
  );
};

export default Results;
