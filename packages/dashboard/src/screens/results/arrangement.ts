/** How somebody arranged the table of a schema: kept on this device. Tests: results.test.ts. */
import { useMemo, useState } from "preact/hooks";

interface Arrangement {
  /** Pointers of columns; undefined until somebody has chosen. */
  readonly hidden?: ReadonlyArray<string>;
  /** In pixels, of the columns that somebody made wider or narrower. */
  readonly widths?: Readonly<Record<string, number>>;
}

export const useArrangement = (schemaId: string) => {
  const key = `winnow.table.${schemaId}`;
  const [changes, setChanges] = useState(0);
  const arrangement = useMemo(
    () => JSON.parse(localStorage.getItem(key) ?? "{}") as Arrangement,
    [key, changes]
  );
  const arrange = (change: Arrangement): void => {
    localStorage.setItem(key, JSON.stringify({ ...arrangement, ...change }));
    setChanges((count) => count + 1);
  };
  return { arrangement, arrange };
};
