/** Why the server cannot start: one sentence for the operator, naming the setting if there is one. Tests: serve.test.ts. */
import * as Data from "effect/Data";
import * as Layer from "effect/Layer";
import { type SettingMessage, told } from "./SettingRow.ts";
import { adapterMessage } from "./SettingsTable.ts";

export class StartFailed extends Data.TaggedError("StartFailed")<{
  readonly why: SettingMessage;
  /** A database or bucket became unavailable during the start: it may recover. */
  readonly isAway: boolean;
}> {
  /** A message of an adapter names settings in its words. */
  constructor(why: SettingMessage | string, isAway = false) {
    super({ why: typeof why === "string" ? adapterMessage(why) : why, isAway });
  }

  override get message(): string {
    return this.why.message;
  }
}

/** A package that is missing is not needed without these settings. */
export const orUnset =
  (unset: SettingMessage) =>
  ({ message }: { readonly message: string }): StartFailed =>
    new StartFailed(told`${message}\nOr unset ${unset}.`);

/** A layer that fails, in place of one that cannot be built. */
export const notStarted = <Services>(
  ...why: ConstructorParameters<typeof StartFailed>
): Layer.Layer<Services, StartFailed> =>
  Layer.effectContext<Services, StartFailed, never>(new StartFailed(...why));
