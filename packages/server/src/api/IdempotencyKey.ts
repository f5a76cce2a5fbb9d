/** The header `Idempotency-Key` (specification, "Idempotency"). */
import * as Schema from "effect/Schema";

/** `promise`: what the same key and body never do. */
export const idempotencyHeaders = (promise: string) => ({
  "idempotency-key": Schema.optionalKey(
    Schema.String.annotate({ description: `1 to 255 printable ASCII characters. ${promise}` })
  )
});
