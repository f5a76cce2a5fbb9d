/** Why the server cannot start: one sentence for the operator, naming the setting if there is one. */
import * as Data from "effect/Data";
import type { SettingMessage } from "./SettingRow.ts";

export class StartFailed extends Data.TaggedError("StartFailed")<{
  readonly why: SettingMessage;
  /** A database or bucket became unavailable during the start: it may recover. */
  readonly isAway?: boolean;
}> {
  override get message(): string {
    return this.why.message;
  }
}
