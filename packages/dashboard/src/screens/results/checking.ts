/** Where somebody is in the table, what is shown of it, and the keys of the screen. Tests: results.test.ts. */
import type { ResultRow } from "@winnow/client";
import { useEffect, useState } from "preact/hooks";
import { useShortcuts } from "../../parts/shortcuts.ts";
import { note } from "../../parts/Toasts.tsx";
import { accept } from "./corrections.ts";
import { nextToCheck, type Column, type Place } from "./table.ts";
import { resultsWords } from "./words.ts";

interface Visit {
  /** Another object each time that it gets the focus; undefined until then. */
  readonly place: Place | undefined;
  /** Whether the cell there is shown in full, or corrected. */
  readonly shown: "value" | "form" | null;
}

/** Where somebody was in the table of each URL, for the way back to it. */
const visits = new Map<string, Visit>();

const FIRST: Place = { row: 0, column: 1 };

export const useChecking = (rows: ReadonlyArray<ResultRow>, columns: ReadonlyArray<Column>) => {
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

export type Checking = ReturnType<typeof useChecking>;
