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
import { Empty, Loading, Problem } from "../../parts/Waiting.tsx";
import { number } from "../../words/format.ts";
import { navWords, toCheckText } from "../../words/words.ts";
import { useArrangement } from "./arrangement.ts";
import { useChecking } from "./checking.ts";
import { Details } from "./Details.tsx";
import { Export } from "./Export.tsx";
import { Grid, MarkSign } from "./Grid.tsx";
import { ANY_SCHEMA, ColumnChoice, TableFilters } from "./ResultFilters.tsx";
import { columnsOf, countToCheck, found, MARKS, visibleColumns } from "./table.ts";
import { useResultsTable, type ResultsTableInput } from "./useResultsTable.ts";
import { exportWords, resultsWords } from "./words.ts";

type Query = Readonly<Record<string, string>>;

const filtersOf = (query: Query): ResultFilters =>
  Object.fromEntries(RESULT_FILTERS.flatMap((name) => (query[name] ? [[name, query[name]]] : [])));

interface TableProps extends ResultsTableInput {
  readonly isLoading: boolean;
}

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
  const { columns } = given;
  const table = useResultsTable(given);
  const model = table.getSortedRowModel();
  // The order does not change when a value is corrected.
  const rows = useCorrected(useMemo(() => model.rows.map(({ original }) => original), [model]));
  const checking = useChecking(rows, columns);
  const { row, shown, next } = checking;
  return (
    <>
      <Status rows={rows} columns={columns} isLoading={isLoading} onNext={next} />
      <div class={shown === null ? "results-view" : "results-view open"}>
        <Grid rows={rows} columns={columns} table={table} checking={checking} />
        {shown === null || row === undefined ? null : <Details {...checking} row={row} />}
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
      <TableFilters
        filters={filters}
        schemas={schemas}
        search={search}
        onSearch={setSearch}
        onChange={(change) =>
          route(href("results", { ...query, ...change, ...("schemaId" in change ? { sort: "" } : {}) }), true)
        }
      />
      <Problem error={error} retry={() => void (isKnown ? list.refetch() : newest.refetch())} />
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
