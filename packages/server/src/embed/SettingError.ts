/**
 * What createWinnow rejects with when a setting is wrong.
 */

/** A setting that is wrong, or that the server cannot start with. */
export class SettingError extends Error {
  override readonly name = "SettingError";
  /** In camelCase, as it was given; null when no single one is to blame. */
  readonly setting: string | null;

  constructor(message: string, setting: string | null) {
    super(message);
    this.setting = setting;
  }
}
