/**
 * The places of artifacts in a result: one value for each `summaryField` or `urlKey` of the table, with types
 * derived from it.
 */
import { ARTIFACT_ROWS, artifactOf, type ARTIFACTS, type ArtifactRow } from "./ArtifactName.ts";

type Rows = (typeof ARTIFACTS)[keyof typeof ARTIFACTS];
type Field = "summaryField" | "urlKey";
/** Names with a placeholder, of which a run can have several files. */
type ManyRows = Extract<Rows, { readonly name: `${string}<${string}` }>;
type KeysOf<Row, P extends Field> = Row extends Readonly<Record<P, infer Key extends string>> ? Key : never;

/** Keys with one file, and keys with a list of files. */
export type OneKey<P extends Field> = KeysOf<Exclude<Rows, ManyRows>, P>;
export type ManyKey<P extends Field> = KeysOf<ManyRows, P>;

export type ByField<P extends Field, One, Many> = {
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

const rowsByKey = (field: Field) => [...Map.groupBy(ARTIFACT_ROWS, (row) => row[field])];

/** Computed once, because every read of a result needs both. */
const ROWS_BY_KEY = { summaryField: rowsByKey("summaryField"), urlKey: rowsByKey("urlKey") };

/** One value for each key of a field, in the order of the table. */
export const byField = <P extends Field, One, Many>(
  field: P,
  { one, many }: Values<One, Many>
): ByField<P, One, Many> => {
  const entries = ROWS_BY_KEY[field].flatMap(([key, rows]) => {
    const [first] = rows;
    if (key === undefined || first === undefined) return [];
    const includes = (name: string): boolean => rows.some((row) => row === artifactOf(name));
    return [[key, first.name.includes("<") ? many(includes, rows) : one(first)]];
  });
  return Object.fromEntries(entries) as ByField<P, One, Many>;
};
