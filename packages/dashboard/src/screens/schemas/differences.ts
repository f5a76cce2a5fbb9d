/** What differs between two versions of a schema, field by field and in words. Pure. */
import { differenceWords } from "./words.ts";

type Json = Readonly<Record<string, unknown>>;

interface Difference {
  /** `offers[].price`; empty for what stands beside the fields, such as definitions. */
  readonly field: string;
  readonly changes: ReadonlyArray<string>;
}

const isJson = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const typesOf = ({ type }: Json): ReadonlyArray<unknown> => [type ?? []].flat();

/** The keywords of each field without those of the fields in it, and whether it may be missing. */
const fieldsOf = (schema: Json, field = "", isRequired = true): ReadonlyArray<readonly [string, Json]> => {
  const { properties, items, required, ...own } = schema;
  const names = Array.isArray(required) ? required : [];
  const within = isJson(properties) ? Object.entries(properties) : [];
  const below = within.flatMap(([name, value]) =>
    isJson(value) ? fieldsOf(value, field === "" ? name : `${field}.${name}`, names.includes(name)) : []
  );
  const each = isJson(items) ? fieldsOf(items, `${field}[]`) : [];
  const isMissable = !isRequired || typesOf(own).includes("null");
  return [[field, { isMissable, ...own }], ...below, ...each];
};

const typeText = (schema: Json): string =>
  typesOf(schema)
    .filter((each) => each !== "null")
    .join(" or ") || JSON.stringify(null);

/** The choices that only the first has. */
const more = ({ enum: left }: Json, { enum: right }: Json): string => {
  const [choices, others] = [left, right].map((list) =>
    [list ?? []]
      .flat()
      .filter((each) => each !== null)
      .map((each) => JSON.stringify(each))
  );
  return (choices ?? []).filter((each) => !others?.includes(each)).join(", ");
};

/** A keyword whose values differ, in words, as far as there is something to tell. */
const changeOf = (keyword: string, before: Json, after: Json): ReadonlyArray<string | false> => {
  const [old, now] = [before[keyword], after[keyword]];
  const [was, is] = [typeText(before), typeText(after)];
  if (keyword === "isMissable") return [now ? differenceWords.mayBeMissing : differenceWords.mayNotBeMissing];
  if (keyword === "type") return [was !== is && differenceWords.type(was, is)];
  if (keyword === "description")
    return [typeof now === "string" ? differenceWords.described(now) : differenceWords.notDescribed];
  if (now === undefined) return [differenceWords.unset(keyword)];
  if (keyword !== "enum" || old === undefined) return [differenceWords.set(keyword, JSON.stringify(now))];
  const [added, removed] = [more(after, before), more(before, after)];
  return [added !== "" && differenceWords.allows(added), removed !== "" && differenceWords.forbids(removed)];
};

const changesOf = (before: Json | undefined, after: Json | undefined): ReadonlyArray<string> => {
  if (after === undefined) return [differenceWords.isGone];
  if (before === undefined) return [differenceWords.isNew];
  return Object.keys({ ...after, ...before })
    .filter((keyword) => JSON.stringify(before[keyword]) !== JSON.stringify(after[keyword]))
    .flatMap((keyword) => changeOf(keyword, before, after))
    .filter((change) => change !== false);
};

/** In the order of the later version; fields that are gone come last. */
export const differencesOf = (before: Json, after: Json): ReadonlyArray<Difference> => {
  const [old, now] = [new Map(fieldsOf(before)), new Map(fieldsOf(after))];
  return [...new Set([...now.keys(), ...old.keys()])]
    .map((field) => ({ field, changes: changesOf(old.get(field), now.get(field)) }))
    .filter(({ changes }) => changes.length > 0);
};
