/** The values of many extractions as one table: each with its proof, checked and corrected with the keyboard. */
import type { ResultRow } from "@winnow/client";
import { useEffect, useMemo, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { href } from "../../data/addresses.ts";
import {
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
import { note } from "../../parts/Toasts.tsx";
import { Empty, Loading, Problem } from "../../parts/Waiting.tsx";
import { number } from "../../words/format.ts";
import { navWords, toCheckText } from "../../words/words.ts";
import { useArrangement } from "./arrangement.ts";
import { accept } from "./corrections.ts";
import { Details } from "./Details.tsx";
import { Export } from "./Export.tsx";
import { Grid, MarkSign } from "./Grid.tsx";
import { ANY_SCHEMA, ColumnChoice, FilterBar } from "./ResultFilters.tsx";
import {
  columnsOf,
  countToCheck,
  found,
  MARKS,
  nextToCheck,
  visibleColumns,
  type Column,
  type Place
} from "./table.ts";
import { useResultsTable, type ResultsTableInput } from "./useResultsTable.ts";
import { exportWords, resultsWords } from "./words.ts";

type Query = Readonly<Record<string, string>>;

const filtersOf = (query: Query): ResultFilters =>
  Object.fromEntries(RESULT_FILTERS.flatMap((name) => (query[name] ? [[name, query[name]]] : [])));

interface TableProps extends ResultsTableInput {
  readonly isLoading: boolean;
}

interface Visit {
  /** Another object each time that it gets the focus; undefined until then. */
  readonly place: Place | undefined;
  /** Whether the cell there is shown in full, or corrected. */
  readonly shown: "value" | "form" | null;
}

/** Where somebody was in the table of each URL, for the way back to it. */
const visits = new Map<string, Visit>();

const FIRST: Place = { row: 0, column: 1 };

/** Where somebody is in the table, and the keys of the screen. */
const useChecking = (rows: ReadonlyArray<ResultRow>, columns: ReadonlyArray<Column>) => {
  const [before] = useState(() => visits.get(location.search));
  const [visit, setVisit] = useState<Visit>({ place: undefined, shown: before?.shown ?? null });
  const { place: focused, shown } = visit;
  const wanted = focused ?? before?.place ?? FIRST;
  const place = {
    row: Math.min(wanted.row, rows.length - 1),
    column: Math.min(wanted.column, columns.length)
  };
  const row = rows[place.row];
  const column = columns[place.column - 1];
  const go = (change: Partial<Visit>): void =>
    setVisit(({ place: at = before?.place ?? FIRST, ...was }) => {
      const to = { ...was, place: { ...at }, ...change };
      // At once, because a click on a link moves too, and then leaves the screen.
      visits.set(location.search, to);
      return to;
    });
  const show = (to: Visit["shown"]): void => go({ shown: to });
  const move = (to: Place): void => go({ place: to, ...(shown === "form" ? { shown: "value" } : {}) });
  const next = (): void => {
    const to = nextToCheck(rows, columns, place);
    if (to === undefined) note(resultsWords.noneToCheck);
    else go({ place: to, shown: "value" });
  };
  useEffect(() => {
    // After the frame has given the focus to the screen.
    if (before !== undefined) go({});
  }, []);
  useEffect(() => {
    if (focused !== undefined) visits.set(location.search, visit);
  }, [location.search]);
  useShortcuts({
    e: next,
    a: () => {
      if (row !== undefined && column !== undefined) accept(row, column);
    },
    Escape: () => {
      if (shown !== null) show(null);
    },
    "/": () => document.getElementById("search")?.focus()
  });
  return { place, focused, row, column, shown, show, move, next };
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
  const { place, focused, row, column, shown, show, move, next } = useChecking(rows, columns);
  return (
    <>
      <Status rows={rows} columns={columns} isLoading={isLoading} onNext={next} />
      <div class={shown === null ? "results-view" : "results-view open"}>
        <Grid
          rows={rows}
          columns={columns}
          table={table}
          place={place}
          focused={focused}
          onMove={move}
          onShow={() => show("value")}
          onToggle={() => show(shown === null ? "value" : null)}
          onEnter={() => {
            if (column !== undefined) show("form");
            else if (row !== undefined) route(href(`runs/${row.extractionId}`));
          }}
        />
        {shown === null || row === undefined ? null : (
          <Details
            row={row}
            column={column}
            isEditing={shown === "form"}
            onEdit={(isEditing) => show(isEditing ? "form" : "value")}
            onClose={() => show(null)}
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
  const given = filtersOf(query);
  const isKnown = given.schemaId !== undefined;
  const newest = useNewestSchema(given, !isKnown);
  useEffect(() => {
    if (!isKnown && newest.data !== undefined)
      route(href("results", { ...query, schemaId: newest.data ?? ANY_SCHEMA }), true);
  }, [isKnown, newest.data]);
  const { schemaId, ...others } = given;
  return { filters: schemaId === ANY_SCHEMA ? others : given, isKnown, newest };
};

const isReviewOf = ({ support }: ResultFilters): boolean => support === "unsupported";

const NO_ROWS: ReadonlyArray<ResultRow> = [];

/** A schema with a hundred fields would be too wide to look through. */
const COLUMNS_SHOWN_MAX = 16;

const useColumns = (filters: ResultFilters, rows: ReadonlyArray<ResultRow>) => {
  const schemas = useSchemas().data ?? [];
  const schema = schemas.find(({ id }) => id === filters.schemaId)?.schema;
  const { arrangement, arrange } = useArrangement(filters.schemaId ?? ANY_SCHEMA);
  const columns = useMemo(
    () => columnsOf(schema, schema === undefined ? rows : NO_ROWS),
    [schema, schema ?? rows]
  );
  const { hidden = columns.slice(COLUMNS_SHOWN_MAX).map(({ pointer }) => pointer), widths = {} } =
    arrangement;
  const isReview = isReviewOf(filters);
  const visible = useMemo(
    () => visibleColumns(columns, hidden, rows, isReview),
    [columns, hidden.join("\n"), rows, isReview]
  );
  return { schemas, columns, hidden, visible, widths, arrange };
};

interface BodyProps extends Omit<TableProps, "rows" | "isLoading"> {
  readonly search: string;
  readonly list: ReturnType<typeof useResults>;
  readonly isFiltered: boolean;
}

const Body = ({ list, search, isFiltered, ...table }: BodyProps) => {
  const { all } = table;
  const rows = useMemo(() => found(all, search), [all, search]);
  if (all.length > 0) return <Table {...table} rows={rows} isLoading={list.isFetching} />;
  return list.isSuccess && !list.isFetching ? <Nothing isFiltered={isFiltered} /> : <Loading lines={8} />;
};

const Results = () => {
  const { query, route } = useLocation();
  const { filters, isKnown, newest } = useFilters(query, route);
  const list = useResults(filters, isKnown);
  const all = list.data?.rows ?? NO_ROWS;
  const [search, setSearch] = useState("");
  const [dialog, setDialog] = useState<"columns" | "export" | null>(null);
  const { schemas, columns, hidden, visible, widths, arrange } = useColumns(filters, all);
  const { sort } = query;
  useEffect(() => setSearch(""), [JSON.stringify(filters)]);
  const error = list.error ?? (isKnown ? null : newest.error);
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
        schemas={schemas}
        search={search}
        onSearch={setSearch}
        onChange={(change) =>
          route(href("results", { ...query, ...change, ...("schemaId" in change ? { sort: "" } : {}) }), true)
        }
      />
      {error === null ? null : (
        <Problem error={error} retry={() => void (isKnown ? list.refetch() : newest.refetch())} />
      )}
      {list.data?.isCut === true ? <p class="notice calm">{resultsWords.cut(number(ROWS_MAX))}</p> : null}
      {error !== null && all.length === 0 ? null : (
        <Body
          list={list}
          search={search}
          isFiltered={Object.keys(filters).length > 0}
          all={all}
          columns={visible}
          order={sort}
          widths={widths}
          onWidths={(to) => arrange({ widths: to })}
          onOrder={(to) => route(href("results", { ...query, sort: to }), true)}
        />
      )}
      {dialog === "columns" ? (
        <ColumnChoice
          columns={columns}
          hidden={hidden}
          onChange={(to) => arrange({ hidden: to })}
          onClose={() => setDialog(null)}
        />
      ) : null}
      {dialog === "export" ? <Export filters={filters} onClose={() => setDialog(null)} /> : null}
    </>
  );
};

export default Results;
