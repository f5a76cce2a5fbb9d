/** Whole numbers limited by a double only, which the API document leaves out. Tests: the server's OpenApiDocument.test.ts. */
import * as Schema from "effect/Schema";

/** Generators of clients and tests would take such limits literally. */
export const Integer = Schema.Number.check(Schema.isInt({ toJsonSchema: () => ({ type: "integer" }) }));
