/** Why the server cannot start: one sentence for the operator, naming the setting if there is one. */
import * as Data from "effect/Data";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import type { SettingMessage } from "./SettingRow.ts";
import { adapterMessage } from "./SettingsTable.ts";

export class StartFailed extends Data.TaggedError("StartFailed")<{
  readonly why: SettingMessage;
  /** A database or bucket became unavailable during the start: it may recover. */
  readonly isAway?: boolean;
}> {
  override get message(): string {
    return this.why.message;
  }
}

/** A layer that fails, in place of one that cannot be built. */
export const notStarted = <Services>(
  why: SettingMessage | string,
  isAway = false
): Layer.Layer<Services, StartFailed> => {
  const failed = new StartFailed({ why: typeof why === "string" ? adapterMessage(why) : why, isAway });
  return Layer.effectContext<Services, StartFailed, never>(Effect.fail(failed));
};
