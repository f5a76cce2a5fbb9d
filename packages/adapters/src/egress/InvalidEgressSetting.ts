/** A setting of the guard that cannot be read: the server refuses to start on it, naming it. */
import * as Schema from "effect/Schema";

export class InvalidEgressSetting extends Schema.TaggedError<InvalidEgressSetting>()("InvalidEgressSetting", {
  setting: Schema.Literals(["allow", "upstreamProxy"]),
  /** As it was given; for `upstreamProxy` without credentials. */
  entry: Schema.String,
  message: Schema.String
}) {}
