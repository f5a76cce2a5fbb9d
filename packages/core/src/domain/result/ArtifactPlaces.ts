/**
 * The places of artifacts in a result: one value for each `summaryField` or `urlKey` of the table, with types
 * derived from it.
 */
import { ARTIFACT_ROWS, artifactOf, type ARTIFACTS, type ArtifactRow } from "./ArtifactName.ts";

type Rows = (typeof ARTIFACTS)[keyof typeof ARTIFACTS];
type Place = "summaryField" | "urlKey";
/** Names with a placeholder, of which a run can have several files. */
type ManyRows = Extract<Rows, { readonly name: `${string}<${string}` }>;
type KeysOf<Row, P extends Place> = Row extends Readonly<Record<P, infer Key extends string>> ? Key : never;

/** Keys with one file, and keys with a list of files. */
export type OneKey<P extends Place> = KeysOf<Exclude<Rows, ManyRows>, P>;
export type ManyKey<P extends Place> = KeysOf<ManyRows, P>;

export type Placed<P extends Place, One, Many> = {
  readonly [Key in OneKey<P>]: One;
} & { readonly [Key in ManyKey<P>]: Many };

interface Values<One, Many> {
  readonly one: (row: ArtifactRow) => One;
  /**
   * `rows` share a key, for example one text in two formats. `includes` tells whether a file belongs to one of
   * them.
   */
  readonly many: (includes: (fileName: string) => boolean, rows: ReadonlyArray<ArtifactRow>) => Many;
}

const rowsByKey = (place: Place) => [...Map.groupBy(ARTIFACT_ROWS, (row) => row[place])];

/** Computed once, because every read of a result needs both. */
const ROWS_BY_KEY = { summaryField: rowsByKey("summaryField"), urlKey: rowsByKey("urlKey") };

/** One value for each key of a place, in the order of the table. */
export const placed = <P extends Place, One, Many>(
  place: P,
  { one, many }: Values<One, Many>
): Placed<P, One, Many> => {
  const entries = ROWS_BY_KEY[place].flatMap(([key, rows]) => {
    const [first] = rows;
    if (key === undefined || first === undefined) return [];
    const includes = (name: string): boolean => rows.some((row) => row === artifactOf(name));
    return [[key, first.name.includes("<") ? many(includes, rows) : one(first)]];
  });
  return Object.fromEntries(entries) as Placed<P, One, Many>;
};
