/** Whole numbers whose only limits are those of a double, which the API document leaves out. */
import * as Schema from "effect/Schema";

/** Generators of clients and tests would take such limits literally. */
export const Integer = Schema.Number.check(Schema.isInt({ toJsonSchema: () => ({ type: "integer" }) }));
