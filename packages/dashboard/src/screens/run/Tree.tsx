/** A JSON value as names, lists and tables; what has no parts is drawn by the caller. Tests: everyday.test.ts. */
import type { ComponentChildren } from "preact";
import { childPointer, pathText, stepsOf } from "../../parts/jsonPointer.ts";
import { words } from "../../words/words.ts";
import { runWords } from "./words.ts";

export interface LeafProps {
  readonly value: unknown;
  readonly pointer: string;
}

interface TreeProps extends LeafProps {
  readonly leaf: (at: LeafProps) => ComponentChildren;
  /** Whether a value is one; else those without parts are. */
  readonly isLeaf?: (value: unknown) => boolean;
  readonly isNested?: boolean;
}

const isScalar = (value: unknown): boolean => typeof value !== "object" || value === null;

/** The name that a value has in its object, with its places in lists: `amounts[0]`. */
const nameOf = (pointer: string): string => {
  const steps = stepsOf(pointer);
  const named = steps.findLastIndex((step) => !/^\d+$/u.test(step));
  return pathText(steps.slice(Math.max(0, named)).reduce(childPointer, ""));
};

/** Columns of a list of objects whose values are all leaves; none for any other list. */
const columnsOf = (
  list: ReadonlyArray<unknown>,
  isLeaf: (value: unknown) => boolean
): ReadonlyArray<string> =>
  list.every((item) => !isScalar(item) && !Array.isArray(item) && Object.values(item as object).every(isLeaf))
    ? [...new Set(list.flatMap((item) => Object.keys(item as object)))]
    : [];

interface TableProps extends TreeProps {
  readonly value: ReadonlyArray<unknown>;
  readonly columns: ReadonlyArray<string>;
}

const Table = ({ value, pointer, leaf, columns }: TableProps) => (
  <div class="table-scroll" tabIndex={0} role="group" aria-label={nameOf(pointer) || runWords.table}>
    <table class="values-table">
      <thead>
        <tr>
          {columns.map((name) => (
            <th key={name} scope="col" dir="auto">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {(value as ReadonlyArray<Readonly<Record<string, unknown>>>).map((row, index) => (
          <tr key={index}>
            {columns.map((name) => (
              <td key={name}>
                {Object.hasOwn(row, name)
                  ? leaf({ value: row[name], pointer: childPointer(childPointer(pointer, index), name) })
                  : null}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

export const Tree = ({ value, pointer, leaf, isLeaf = isScalar, isNested = false }: TreeProps) => {
  if (isLeaf(value)) return <>{leaf({ value, pointer })}</>;
  const entries = Object.entries(value as object);
  if (entries.length === 0) return <p class="hint">{words.none}</p>;
  if (Array.isArray(value)) {
    if (value.every(isLeaf)) {
      return (
        <ul class="bullets">
          {value.map((item: unknown, index) => (
            <li key={index}>{leaf({ value: item, pointer: childPointer(pointer, index) })}</li>
          ))}
        </ul>
      );
    }
    const columns = columnsOf(value, isLeaf);
    if (columns.length > 0) return <Table {...{ value, pointer, leaf, columns }} />;
  }
  return (
    <dl class={isNested ? "values nested" : "values"}>
      {entries.map(([name, child]) => (
        <div key={name}>
          <dt dir="auto">{Array.isArray(value) ? nameOf(childPointer(pointer, name)) : name}</dt>
          <dd class="stack tight">
            <Tree value={child} pointer={childPointer(pointer, name)} {...{ leaf, isLeaf }} isNested />
          </dd>
        </div>
      ))}
    </dl>
  );
};
