/** The only error of reading a page. */
import * as Schema from "effect/Schema";

/**
 * `empty`: no text, title or media; `too_large` and `timeout`: the page is larger, or took more memory or time, than a
 * reading may; `crashed`: a bug in an extractor.
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
