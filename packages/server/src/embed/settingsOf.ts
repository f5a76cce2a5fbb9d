/** Reads an embedder's settings with the rules of the environment, and uses their property names in messages. */
import * as Result from "effect/Result";
import { readSettings, SETTING_NAMES, type Settings } from "../settings/Config.ts";
import { optionNameOf, type WinnowSettings } from "../settings/SettingsTable.ts";
import { SettingError } from "./SettingError.ts";
import { unusablePath } from "../settings/settingPaths.ts";

const VARIABLES: ReadonlyMap<string, string> = new Map(
  SETTING_NAMES.map((variable) => [optionNameOf(variable).toLowerCase(), variable])
);

const PREFIXES = new Set(SETTING_NAMES.map((variable) => variable.split("_", 1)[0]));

/** Matches variable names in a message. */
const VARIABLE = new RegExp(String.raw`\b(?:${[...PREFIXES].join("|")})_[A-Z_]+\b`, "gu");

/** Replaces names of variables with those of options. */
const withOptionNames = (message: string): string =>
  message.replaceAll(VARIABLE, (name) => (SETTING_NAMES.includes(name) ? optionNameOf(name) : name));

const settingIn = (message: string): string | null => {
  const first = message.match(VARIABLE)?.[0];
  return first !== undefined && SETTING_NAMES.includes(first) ? optionNameOf(first) : null;
};

/** The error of a message about a variable, in terms of the option. */
export const settingError = (message: string): SettingError =>
  new SettingError(withOptionNames(message), settingIn(message));

const textOf = (key: string, value: unknown): string => {
  if (typeof value === "string") return value;
  if (typeof value === "number") return String(value);
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value.join(",");
  throw new SettingError(`${key} must be a string, a number or an array of strings.`, key);
};

const environmentOf = (given: Readonly<Record<string, unknown>>): Record<string, string> => {
  const environment: Record<string, string> = {};
  for (const [key, value] of Object.entries(given)) {
    const variable = VARIABLES.get(key.toLowerCase());
    if (variable === undefined) throw new SettingError(`${key} is not a known setting.`, key);
    if (value !== undefined && value !== null) environment[variable] = textOf(key, value);
  }
  return environment;
};

/** `env` is used where `given` has no value. Throws {@link SettingError}. */
export const settingsOf = (
  given: WinnowSettings,
  env: Readonly<Record<string, string | undefined>> = {}
): Settings => {
  const settings = readSettings({ ...env, ...environmentOf({ ...given }) });
  if (Result.isFailure(settings)) throw settingError(settings.failure.message);
  const unusable = unusablePath(settings.success);
  if (unusable !== null) throw settingError(unusable.message);
  return settings.success;
};
