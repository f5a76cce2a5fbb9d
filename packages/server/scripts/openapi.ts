/** Prints openapi.json: the document of the contract. */
import { openApiDocument } from "../src/http/openapi/OpenApiDocument.ts";

console.log(JSON.stringify(openApiDocument(), null, 2));
