/**
 * One row of the table of settings (SettingsTable): variable, default, meaning, what its value must be, and whether
 * it is a secret.
 */
import type { Parse } from "./SettingValue.ts";

/** A value, null for optional settings, or a function of the data directory. */
type Default<A> = A | null | ((dataDir: string) => A);

export interface Setting<
  Name extends string = string,
  A = unknown,
  D extends Default<A> = Default<A>,
  Given extends string | number | ReadonlyArray<string> = string | number | ReadonlyArray<string>
> {
  /** The environment variable. */
  readonly name: Name;
  readonly parse: Parse<A, Given>;
  /** Completes "must be ...". */
  readonly expected: string;
  readonly default: D;
  /** Description of the default, if the value does not show it. */
  readonly defaultText?: string;
  /** The meaning: a Markdown phrase for the table in the docs. */
  readonly meaning: string;
  /** Secrets are never repeated in messages. */
  readonly secret?: boolean;
}

/** A row with inferred types; `Given` comes from the kind of value. */
export const setting = <
  const Name extends string,
  A,
  const D extends Default<A>,
  Given extends string | number | ReadonlyArray<string> = string
>(
  row: Setting<Name, A, D, Given>
): Setting<Name, A, D, Given> => row;
