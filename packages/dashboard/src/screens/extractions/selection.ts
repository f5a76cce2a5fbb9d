/** Which rows are selected: one by one, in ranges, or all that match the filters. */
import { useCallback, useRef, useState } from "preact/hooks";
import type { ExtractionItem } from "../../data/extractions.ts";

/** By id, each as it was when it was selected. */
export type SelectedRows = ReadonlyMap<string, ExtractionItem>;

const NONE: SelectedRows = new Map();

/** `items` in the order in which they are shown; rows of another `scope` are not selected any more. */
export const useSelection = (items: ReadonlyArray<ExtractionItem>, scope: string) => {
  const [state, setState] = useState({ scope, rows: NONE });
  const rows = state.scope === scope ? state.rows : NONE;
  const latest = useRef({ items, rows, scope });
  latest.current = { items, rows, scope };
  /** Where a range begins. */
  const anchor = useRef<string | null>(null);
  const set = useCallback(
    (next: SelectedRows): void => setState({ scope: latest.current.scope, rows: next }),
    []
  );
  const toggle = useCallback((id: string, isRange: boolean): void => {
    const { items: shown, rows: before } = latest.current;
    const at = shown.findIndex((item) => item.id === id);
    const from = isRange ? shown.findIndex((item) => item.id === anchor.current) : -1;
    const range =
      from === -1 ? shown.slice(at, at + 1) : shown.slice(Math.min(at, from), Math.max(at, from) + 1);
    const isOn = !before.has(id);
    const next = new Map(before);
    for (const item of range) {
      if (isOn) next.set(item.id, item);
      else next.delete(item.id);
    }
    anchor.current = id;
    set(next);
  }, []);
  return { rows, set, toggle };
};
