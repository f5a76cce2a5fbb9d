/** The only error of reading a page. */
import * as Schema from "effect/Schema";

/**
 * `empty`: no text, title or media; `timeout` and `crashed`: the page took more time or memory than one reading
 * may; `crashed` also after a bug in an extractor.
 */
export class PageUnreadable extends Schema.TaggedError<PageUnreadable>()("PageUnreadable", {
  reason: Schema.Literals([
    "empty",
    "unsupported_type",
    "damaged",
    "encrypted",
    "too_large",
    "timeout",
    "crashed"
  ]),
  message: Schema.String
}) {}
