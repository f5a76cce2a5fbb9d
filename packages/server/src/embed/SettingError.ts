/** An embedder's settings, and their errors in terms of the options of createWinnow. */
import * as Result from "effect/Result";
import { readOptions, type Settings } from "../settings/Config.ts";
import { unusablePath } from "../settings/settingPaths.ts";
import type { SettingMessage } from "../settings/SettingRow.ts";
import { optionOf, SETTINGS, type WinnowSettings } from "../settings/SettingsTable.ts";

/** A setting is invalid, or the server cannot start with it. */
export class SettingError extends Error {
  override readonly name = "SettingError";
  /** The option; null if there is no single cause. */
  readonly setting: string | null;

  constructor(message: string, setting: string | null) {
    super(message);
    this.setting = setting;
  }
}

/** The error with the names of options. */
export const settingError = (why: SettingMessage): SettingError =>
  new SettingError(why.naming(optionOf), why.setting === null ? null : optionOf(why.setting));

/** `env` is used where `given` has no value. Throws {@link SettingError}. */
export const settingsOf = (
  given: WinnowSettings,
  env: Readonly<Record<string, string | undefined>> = {}
): Settings => {
  const unknown = Object.keys(given).find((key) => !Object.hasOwn(SETTINGS, key));
  if (unknown !== undefined) throw new SettingError(`${unknown} is not a known setting.`, unknown);
  const settings = readOptions(given, env);
  if (Result.isFailure(settings)) throw settingError(settings.failure);
  const unusable = unusablePath(settings.success);
  if (unusable !== null) throw settingError(unusable);
  return settings.success;
};
