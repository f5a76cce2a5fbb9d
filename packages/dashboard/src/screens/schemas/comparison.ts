/** The values of two results of one source, cell by cell. Pure. Tests: schemas.test.ts. */
import { childPointer } from "../../parts/jsonPointer.ts";

export interface Cell {
  /** JSON pointer of the value. */
  readonly pointer: string;
  /** As text; null where that result has no such value. */
  readonly before: string | null;
  readonly after: string | null;
}

const isEmpty = (value: object): boolean => Object.keys(value).length === 0;

const leavesOf = (value: unknown, pointer = ""): ReadonlyArray<readonly [string, string]> =>
  typeof value !== "object" || value === null || isEmpty(value)
    ? [[pointer, typeof value === "string" ? value : JSON.stringify(value)]]
    : Object.entries(value).flatMap(([step, child]) => leavesOf(child, childPointer(pointer, step)));

const tableOf = (values: unknown): ReadonlyMap<string, string> =>
  new Map(values === undefined ? [] : leavesOf(values));

/** In the order of the later result; what only the earlier one has comes last. Undefined has no values. */
export const cellsOf = (before: unknown, after: unknown): ReadonlyArray<Cell> => {
  const [old, now] = [tableOf(before), tableOf(after)];
  return [...new Set([...now.keys(), ...old.keys()])].map((pointer) => ({
    pointer,
    before: old.get(pointer) ?? null,
    after: now.get(pointer) ?? null
  }));
};

export const differs = ({ before, after }: Cell): boolean => before !== after;
