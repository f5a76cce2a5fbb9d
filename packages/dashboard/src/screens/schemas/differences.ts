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

/** A field without the fields in it. */
interface Written {
  readonly own: Json;
  readonly isMissable: boolean;
}

const fieldsOf = (schema: Json, field = "", isRequired = true): ReadonlyArray<readonly [string, Written]> => {
  const { properties, items, required, ...own } = schema;
  const names = Array.isArray(required) ? required : [];
  const within = isJson(properties) ? Object.entries(properties) : [];
  const below = within.flatMap(([name, value]) =>
    isJson(value) ? fieldsOf(value, field === "" ? name : `${field}.${name}`, names.includes(name)) : []
  );
  const each = isJson(items) ? fieldsOf(items, `${field}[]`) : [];
  return [[field, { own, isMissable: !isRequired || typesOf(own).includes("null") }], ...below, ...each];
};

const typeText = (schema: Json): string =>
  typesOf(schema)
    .filter((each) => each !== "null")
    .join(" or ") || JSON.stringify(null);

const listOf = (value: unknown): ReadonlyArray<string> =>
  Array.isArray(value) ? value.filter((each) => each !== null).map((each) => JSON.stringify(each)) : [];

const without = (texts: ReadonlyArray<string>, others: ReadonlyArray<string>): string =>
  texts.filter((each) => !others.includes(each)).join(", ");

/** A keyword whose values differ, in words. */
const changeOf = (keyword: string, before: Json, after: Json): ReadonlyArray<string> => {
  const [old, now] = [before[keyword], after[keyword]];
  if (JSON.stringify(old) === JSON.stringify(now)) return [];
  if (keyword === "type") {
    const [was, is] = [typeText(before), typeText(after)];
    return was === is ? [] : [differenceWords.type(was, is)];
  }
  if (keyword === "enum" && old !== undefined && now !== undefined) {
    const [more, fewer] = [without(listOf(now), listOf(old)), without(listOf(old), listOf(now))];
    return [
      ...(more === "" ? [] : [differenceWords.allows(more)]),
      ...(fewer === "" ? [] : [differenceWords.forbids(fewer)])
    ];
  }
  if (keyword === "description")
    return [typeof now === "string" ? differenceWords.described(now) : differenceWords.notDescribed];
  return [
    now === undefined ? differenceWords.unset(keyword) : differenceWords.set(keyword, JSON.stringify(now))
  ];
};

const changesOf = (before: Written | undefined, after: Written | undefined): ReadonlyArray<string> => {
  if (after === undefined) return [differenceWords.isGone];
  const missable = after.isMissable ? differenceWords.mayBeMissing : differenceWords.mayNotBeMissing;
  if (before === undefined) return [differenceWords.isNew];
  return [
    ...(before.isMissable === after.isMissable ? [] : [missable]),
    ...[...new Set([...Object.keys(after.own), ...Object.keys(before.own)])].flatMap((keyword) =>
      changeOf(keyword, before.own, after.own)
    )
  ];
};

/** In the order of the later version; fields that are gone come last. */
export const differencesOf = (before: Json, after: Json): ReadonlyArray<Difference> => {
  const [old, now] = [new Map(fieldsOf(before)), new Map(fieldsOf(after))];
  return [...new Set([...now.keys(), ...old.keys()])]
    .map((field) => ({ field, changes: changesOf(old.get(field), now.get(field)) }))
    .filter(({ changes }) => changes.length > 0);
};
