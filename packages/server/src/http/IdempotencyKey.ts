/** The header `Idempotency-Key` of requests that are charged or create something. */
import * as Schema from "effect/Schema";

/** `promise`: the guarantee for repeated requests, as a sentence. */
export const idempotencyHeaders = (promise: string) => ({
  "idempotency-key": Schema.optionalKey(
    Schema.String.annotate({ description: `1 to 255 printable ASCII characters. ${promise}` })
  )
});
