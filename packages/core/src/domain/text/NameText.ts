/** The name that people give to an account, a key, a schema or a batch: lists show it on one line. Tests: batches.test.ts, SchemaRules.test.ts. */
import * as Schema from "effect/Schema";

export const NAME_CHARS_MAX = 200;

/** For messages. */
export const NAME_RULE = `must be 1 to ${NAME_CHARS_MAX} characters without control characters, not all blank`;

export const NameText = Schema.String.check(
  Schema.isPattern(new RegExp(`^(?=.*\\S)[^\\p{Cc}\\p{Cs}]{1,${NAME_CHARS_MAX}}$`, "u"), {
    message: NAME_RULE
  })
);
