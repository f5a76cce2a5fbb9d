/**
 * The error of createWinnow for an invalid setting.
 */

/** A setting is invalid, or the server cannot start with it. */
export class SettingError extends Error {
  override readonly name = "SettingError";
  /** The setting in camelCase; null if there is no single cause. */
  readonly setting: string | null;

  constructor(message: string, setting: string | null) {
    super(message);
    this.setting = setting;
  }
}
