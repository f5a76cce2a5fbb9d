/**
 * One row of the table of settings (SettingsTable), and sentences about rows. A setting has two names: its variable, for
 * the operator, and its option of createWinnow, for an embedder. Tests: Config.test.ts, SettingError.test.ts.
 */
import type { EngineSettingsShape } from "@winnow/core/engine/EngineSettings";
import type { Given, Kind } from "./SettingValue.ts";

/** A value, null for optional settings, or a function of the data directory. */
type Default<A> = A | null | ((dataDir: string) => A);

export interface Setting<A = unknown, D extends Default<A> = Default<A>, G extends Given = Given> {
  /** The environment variable. The option is the row's key in the table: the same in camelCase, without `WINNOW_`. */
  readonly name: string;
  readonly kind: Kind<A, G>;
  /** Completes "must be ...". */
  readonly expected: string;
  readonly default: D;
  /** Description of the default, if the value does not show it. */
  readonly defaultText?: string;
  /** The meaning: a Markdown phrase for the table in the docs. */
  readonly meaning: string;
  /** Secrets are never repeated in messages. */
  readonly secret?: boolean;
  /** What the engine gets of it; without this, another place reads it. */
  engine?(value: A | Extract<D, null>): Partial<EngineSettingsShape>;
}

/** A row with inferred types; `G` comes from the kind of value. */
export const setting = <A, const D extends Default<A>, G extends Given = string>(
  row: Setting<A, D, G>
): Setting<A, D, G> => row;

type Part = string | Setting;

/** What is wrong with a setting and how to fix it, in one sentence that names settings. */
export class SettingMessage {
  readonly parts: ReadonlyArray<Part>;

  constructor(parts: ReadonlyArray<Part>) {
    this.parts = parts;
  }

  /** The first setting that it names; null if there is none. */
  get setting(): Setting | null {
    return this.parts.find((part) => typeof part !== "string") ?? null;
  }

  /** For the operator. */
  get message(): string {
    return this.naming(({ name }) => name);
  }

  naming(nameOf: (setting: Setting) => string): string {
    return this.parts.map((part) => (typeof part === "string" ? part : nameOf(part))).join("");
  }
}

/** A message as a template: rows are named, messages continued, other values printed. */
export const told = (
  texts: TemplateStringsArray,
  ...values: ReadonlyArray<Setting | SettingMessage | string | number>
): SettingMessage =>
  new SettingMessage(
    texts.flatMap((part, at): ReadonlyArray<Part> => {
      const value = values[at];
      if (value === undefined) return [part];
      if (value instanceof SettingMessage) return [part, ...value.parts];
      return [part, typeof value === "object" ? value : String(value)];
    })
  );
