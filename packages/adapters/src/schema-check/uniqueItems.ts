/** The keyword `uniqueItems` in linear time; ajv compares items pairwise. */
import { canonicalJson } from "@winnow/core/domain/text/CanonicalJson";
import type { FuncKeywordDefinition } from "ajv";

export const uniqueItems: FuncKeywordDefinition = {
  keyword: "uniqueItems",
  type: "array",
  schemaType: "boolean",
  error: { message: "must NOT have duplicate items" },
  validate: (isWanted: boolean, items: ReadonlyArray<unknown>): boolean =>
    !isWanted || new Set(items.map(canonicalJson)).size === items.length
};
