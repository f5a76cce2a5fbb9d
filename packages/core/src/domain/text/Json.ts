/**
 * JSON values, and JSON Pointers into them (RFC 6901): "" is the whole value, `/a/0` the first item of its member `a`.
 * Loads nothing: the worker processes that read schemas would wait for it.
 */
import type * as Schema from "effect/Schema";

export const isJsonObject = (value: unknown): value is { readonly [name: string]: Schema.Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The fields that are not null: the wire leaves out what the store has as null. */
export const present = <Fields extends object>(
  fields: Fields
): { readonly [Name in keyof Fields]?: Exclude<Fields[Name], null> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as typeof fields;

/** Of the fields that have a value. */
export const mapPresent = <A, B>(
  fields: Readonly<Record<string, A | null | undefined>>,
  of: (value: A) => B
): Readonly<Record<string, B>> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) =>
      value === null || value === undefined ? [] : [[name, of(value)]]
    )
  );

/** Own properties only: names may include `__proto__` or `constructor`. */
export const propertyOf = (
  value: { readonly [name: string]: Schema.Json },
  name: string
): Schema.Json | undefined => (Object.hasOwn(value, name) ? value[name] : undefined);

/** `pointerBelow("/a", "b/c")` is `/a/b~1c`. */
export const pointerBelow = (parent: string, ...steps: ReadonlyArray<string | number>): string =>
  steps.reduce<string>(
    (path, step) => `${path}/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`,
    parent
  );

/** The value at a pointer; undefined if there is none. Own members only. */
export const valueAt = (root: unknown, pointer: string): unknown =>
  pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>(
      (value, step) =>
        typeof value === "object" && value !== null && Object.hasOwn(value, step)
          ? (value as Readonly<Record<string, unknown>>)[step]
          : undefined,
      root
    );

/** The target of a reference within a schema; undefined for anchors, other documents and missing targets. */
export const pointedAt = (root: unknown, reference: string): unknown =>
  reference === "#" || reference.startsWith("#/") ? valueAt(root, reference.slice(1)) : undefined;

/** A scalar of a value: string, number, boolean or null. */
export interface Leaf {
  readonly pointer: string;
  readonly value: string | number | boolean | null;
}

/** In the order of the value. Empty lists and objects have no leaves. */
export const leavesOf = (value: Schema.Json): ReadonlyArray<Leaf> => {
  const leaves: Array<Leaf> = [];
  const open: Array<readonly [pointer: string, value: Schema.Json]> = [["", value]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [at, inner] = next;
    if (typeof inner !== "object" || inner === null) {
      leaves.push({ pointer: at, value: inner });
      continue;
    }
    const names = Object.keys(inner);
    for (let place = names.length - 1; place >= 0; place--) {
      const name = names[place] ?? "";
      open.push([pointerBelow(at, name), (inner as { readonly [name: string]: Schema.Json })[name] ?? null]);
    }
  }
  return leaves;
};

/** A text (`"a\"b"`), also one that is cut off (`"a\\`), or a bracket. */
const TOKEN = /"[^"\\]*(?:\\[^][^"\\]*)*(?:"|\\?$)|[[\]{}]/gu;

/** The JSON of a list or an object that was cut off, up to its last list or object that is whole; empty if there is none. */
export const wholePartOf = (cut: string): string => {
  const open: Array<string> = [];
  let end = 0;
  let missing = "";
  for (const { 0: token, index } of cut.matchAll(TOKEN)) {
    if (token === "{") open.push("}");
    else if (token === "[") open.push("]");
    else if (token === open.at(-1)) {
      open.pop();
      end = index + 1;
      missing = open.toReversed().join("");
    }
  }
  return cut.slice(0, end) + missing;
};
