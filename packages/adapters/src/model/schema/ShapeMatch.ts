/**
 * Whether a value looks like one of a shape on the wire: types, listed values and lengths. Linear in shapes times
 * values through memoization. Tests: Coercions.test.ts, Projection.test.ts.
 */
import { propertyOf } from "@winnow/core/domain/text/Json";
import type { JsonObject } from "@winnow/core/domain/json-schema/SchemaRules";
import {
  type Strictness,
  type ArrayShape,
  type Json,
  type Leaf,
  type ShapeId,
  type ShapeTable,
  ANY_TEXT,
  asWrittenNumber,
  inDoubles,
  isObject,
  type ObjectShape,
  optionName,
  shapeAt,
  type Union,
  type WrittenNumber
} from "./Shape.ts";
import { typeOf } from "./AllOf.ts";

/** Maximum comparisons for one value: some milliseconds, where an unbounded check could take seconds. */
const STEPS_MAX = 300_000;

export type Fits = (id: ShapeId, value: Json, strictness: Strictness) => boolean;

const isListed = (values: ReadonlyArray<Json> | null, value: Json): boolean =>
  values === null || values.includes(value);

/** A number that a double rounds fits a text better: there, its digits remain. */
const isTextOf = ({ isExact }: WrittenNumber, strictness: Strictness): boolean =>
  strictness === "tolerant" || !isExact;

const fitsLeaf = (shape: Leaf, value: Json, strictness: Strictness): boolean => {
  const number = asWrittenNumber(value);
  if (number !== null && shape.type === "string")
    return isTextOf(number, strictness) && isListed(shape.values, number.text);
  const type = typeOf(value);
  const isType = type === shape.type || (type === "integer" && shape.type === "number");
  const isPrecise = number === null || number.isExact || strictness === "tolerant";
  return isType && isPrecise && isListed(shape.values, inDoubles(value));
};

/** Memoizes by identity, so that nested options are not tried repeatedly. */
const memoized = (check: (id: ShapeId, value: Json, strictness: Strictness) => boolean): Fits => {
  const known = new WeakMap<object, Map<string, boolean>>();
  let steps = 0;
  return (id, value, strictness) => {
    if (++steps > STEPS_MAX) return false;
    if (typeof value !== "object" || value === null) return check(id, value, strictness);
    const results = known.get(value) ?? new Map<string, boolean>();
    known.set(value, results);
    const key = `${id}${strictness}`;
    const before = results.get(key);
    if (before !== undefined) return before;
    // A recursive check of the same value and shape proves nothing.
    results.set(key, false);
    const fits = check(id, value, strictness);
    results.set(key, fits);
    return fits;
  };
};

/** Whether a list has an allowed length. */
const isCount = (
  value: Json,
  { minItems, maxItems }: Pick<ArrayShape, "minItems" | "maxItems">
): value is ReadonlyArray<Json> =>
  Array.isArray(value) && value.length >= (minItems ?? 0) && value.length <= (maxItems ?? value.length);

const hasOnly = (value: object, names: ReadonlyArray<string>): boolean => {
  const known = new Set(names);
  return Object.keys(value).every((name) => known.has(name));
};

class WireFit {
  readonly #table: ShapeTable;
  readonly fits: Fits = memoized((id, value, strictness) => this.#check(id, value, strictness));

  constructor(table: ShapeTable) {
    this.#table = table;
  }

  #object({ properties, extra, extraName }: ObjectShape, value: JsonObject, strictness: Strictness): boolean {
    const names = properties.map(({ wireName }) => wireName);
    if (!hasOnly(value, extra === null ? names : [...names, extraName])) return false;
    const fitting = properties.every(({ wireName, shape, required }) => {
      const property = propertyOf(value, wireName);
      if (property === undefined) return strictness === "tolerant" && !required;
      return (property === null && !required) || this.fits(shape, property, strictness);
    });
    const others = extra === null ? undefined : propertyOf(value, extraName);
    if (!fitting || extra === null || others === undefined)
      return fitting && (extra === null || strictness === "tolerant");
    return this.#entries(others, extra, strictness);
  }

  #entries(value: Json, values: ShapeId, strictness: Strictness): boolean {
    return (
      Array.isArray(value) &&
      value.every((one: Json) => {
        if (!isObject(one) || !hasOnly(one, ["key", "value"])) return false;
        const inner = propertyOf(one, "value");
        const isKeyed = typeof propertyOf(one, "key") === "string";
        return isKeyed && inner !== undefined && this.fits(values, inner, strictness);
      })
    );
  }

  #option(shape: Union, place: number, value: Json, strictness: Strictness): boolean {
    const id = shape.options[place];
    if (id === undefined) return false;
    if (!shape.tagged.has(id)) return this.fits(id, value, strictness);
    const name = optionName(place);
    const inner = isObject(value) && hasOnly(value, [name]) ? propertyOf(value, name) : undefined;
    return inner !== undefined && this.fits(id, inner, strictness);
  }

  #check(id: ShapeId, value: Json, strictness: Strictness): boolean {
    const shape = shapeAt(this.#table, id);
    switch (shape._tag) {
      case "Leaf":
        return fitsLeaf(shape, value, strictness);
      case "Any":
        if (isObject(value)) return hasOnly(value, [ANY_TEXT]) && typeof value[ANY_TEXT] === "string";
        return !Array.isArray(value);
      case "Object":
        return isObject(value) && this.#object(shape, value, strictness);
      case "Map":
        return this.#entries(value, shape.values, strictness);
      case "Array":
        return (
          isCount(value, shape) &&
          value.every((one, place) => this.fits(shape.slots[place] ?? shape.rest, one, strictness))
        );
      case "Union":
        return shape.options.some((_, place) => this.#option(shape, place, value, strictness));
      case "Never":
        return false;
    }
  }
}

export const makeFitsWire = (table: ShapeTable): Fits => new WireFit(table).fits;
