/** Whether a value has a shape in the form of the caller's schema, not in wire form. */
import { fitsLeaf, type Fits, isCount, isListed, memoized } from "../../../src/model/schema/ShapeMatch.ts";
import { isObject, propertyOf, shapeAt, type ShapeTable } from "../../../src/model/schema/Shape.ts";

/** `tolerant` ignores properties that the shape does not name. */
export const makeFitsOriginal = (table: ShapeTable): Fits => {
  const fits: Fits = memoized((id, value, strictness) => {
    const shape = shapeAt(table, id);
    switch (shape._tag) {
      case "Leaf":
        return fitsLeaf(shape, value, strictness);
      case "Literal":
        return isListed(shape.values, value);
      case "Any":
        return true;
      case "Object": {
        if (!isObject(value)) return false;
        const { extra, properties, listsAdditional, forbiddenNames } = shape;
        const named = new Set(properties.map(({ name }) => name));
        const known = properties.every(({ name, shape, required }) => {
          const property = propertyOf(value, name);
          return property === undefined ? !required : fits(shape, property, strictness);
        });
        const others = Object.entries(value).filter(([name]) => !named.has(name));
        if (others.some(([name]) => forbiddenNames.includes(name))) return false;
        if (extra === null || listsAdditional)
          return known && (strictness === "tolerant" || others.length === 0);
        return known && others.every(([, property]) => fits(extra, property, strictness));
      }
      case "Map":
        return isObject(value) && Object.values(value).every((one) => fits(shape.values, one, strictness));
      case "Array":
        return isCount(value, shape) && value.every((one) => fits(shape.items, one, strictness));
      case "Tuple": {
        const { slots, rest } = shape;
        return (
          Array.isArray(value) &&
          slots.every(({ required }, place) => !required || place < value.length) &&
          value.every((one, place) => {
            const slot = slots[place]?.shape ?? rest;
            return slot === null ? strictness === "tolerant" : fits(slot, one, strictness);
          })
        );
      }
      case "Union":
        return shape.options.some((option) => fits(option, value, strictness));
      case "Never":
        return false;
    }
  });
  return fits;
};
