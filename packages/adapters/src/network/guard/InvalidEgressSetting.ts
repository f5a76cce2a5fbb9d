/** An invalid setting of the guard; the server does not start and names it. */
import * as Schema from "effect/Schema";

export class InvalidEgressSetting extends Schema.TaggedError<InvalidEgressSetting>()("InvalidEgressSetting", {
  setting: Schema.Literals(["allow", "upstreamProxy"]),
  /** The setting as given; for `upstreamProxy` without credentials. */
  entry: Schema.String,
  message: Schema.String
}) {}
