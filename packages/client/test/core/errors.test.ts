/** The errors that callers can tell apart are those of the API. */
import { readFileSync } from "node:fs";
import { assert, it } from "vitest";
import { ApiError, apiError } from "../../src/core/errors.ts";

const DOCUMENT = new URL("../../../server/openapi.json", import.meta.url);

interface ErrorSchema {
  readonly properties?: {
    readonly error?: { readonly properties?: { readonly code?: { readonly enum?: ReadonlyArray<string> } } };
  };
}

it("every error code of the API has a class of its own", () => {
  const { components } = JSON.parse(readFileSync(DOCUMENT, "utf8")) as {
    readonly components: { readonly schemas: Readonly<Record<string, ErrorSchema>> };
  };
  const codes = Object.values(components.schemas).flatMap(
    ({ properties }) => properties?.error?.properties?.code?.enum ?? []
  );
  assert.include(codes, "insufficient_credits");
  for (const code of codes) {
    const error = apiError({
      code,
      status: 400,
      message: "",
      details: {},
      requestId: null,
      retryAfterSeconds: null
    });
    assert.notStrictEqual(error.constructor, ApiError, `${code}: a class and a row of CLASSES in errors.ts`);
  }
});
