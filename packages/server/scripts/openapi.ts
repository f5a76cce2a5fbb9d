/** Prints openapi.json: the document of the contract. */
import { openApiDocument } from "../src/routes/Api.ts";

console.log(JSON.stringify(openApiDocument(), null, 2));
