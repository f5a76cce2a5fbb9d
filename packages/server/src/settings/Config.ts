/** Reads the settings (SettingsTable) from an environment or from options. Reads no files. */
import { localModelOf } from "./ModelSettings.ts";
import * as Result from "effect/Result";
import { type Setting, type SettingMessage, told } from "./SettingRow.ts";
import {
  SETTING_NAMES,
  SETTING_ROWS,
  SETTINGS,
  type Settings,
  type WinnowSettings
} from "./SettingsTable.ts";

export type { SettingMessage, Settings };
export type LogLevel = Settings["logLevel"];

type Environment = Readonly<Record<string, string | undefined>>;

/** The default of a setting, as Markdown. */
export const defaultText = ({ default: value, defaultText: described }: Setting): string => {
  if (described !== undefined) return described;
  if (value === null) return "unset";
  return Array.isArray(value) && value.length === 0 ? "empty" : `\`${String(value)}\``;
};

/** "the `sandbox` ([why](security.md))" is "the sandbox"; "see [why](security.md)" is "see why". */
const withoutMarkdown = (text: string): string =>
  text
    .replace(/ \(\[[^\]]*\]\([^)]*\)\)/gu, "")
    .replace(/\[([^\]]*)\]\([^)]*\)/gu, "$1")
    .replaceAll("`", "");

/** Each setting with its default and its purpose, for help texts. */
export const settingsHelp = (): string =>
  SETTING_ROWS.map(
    ([, row]) => `  ${row.name} (${withoutMarkdown(defaultText(row))})\n      ${withoutMarkdown(row.meaning)}`
  ).join("\n");

/** Of commands and clients, which may be set beside a server's. */
const CLIENT_NAMES: ReadonlyArray<string> = ["WINNOW_URL", "WINNOW_API_KEY"];

/** Variables that look like settings but are unknown. */
export const unknownSettings = (env: Environment): ReadonlyArray<string> =>
  Object.keys(env).filter(
    (name) => name.startsWith("WINNOW_") && !SETTING_NAMES.includes(name) && !CLIENT_NAMES.includes(name)
  );

/** Typing errors by which a name may differ from the one that was meant. */
const TYPOS_MAX = 2;

/** The number of letters to insert, to delete or to replace (Levenshtein). */
const typosBetween = (given: string, name: string): number => {
  let row = Array.from({ length: name.length + 1 }, (_, at) => at);
  for (const [index, letter] of [...given].entries()) {
    const next = [index + 1];
    for (let at = 1; at <= name.length; at += 1) {
      const replaced = (row[at - 1] ?? 0) + (name[at - 1] === letter ? 0 : 1);
      next.push(Math.min((row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1, replaced));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
};

/** The setting that an unknown name probably means; null if none is near. */
export const meantSetting = (unknown: string): string | null => {
  const ranked = [...SETTING_NAMES, ...CLIENT_NAMES]
    .map((name) => ({ name, typos: typosBetween(unknown, name) }))
    .filter(({ typos }) => typos <= TYPOS_MAX)
    .toSorted((left, right) => left.typos - right.typos);
  return ranked[0]?.name ?? null;
};

/** For the log. */
export const unknownSettingText = (name: string): string => {
  const meant = meantSetting(name);
  return `${name} is not a known setting${meant === null ? "." : `; did you mean ${meant}?`}`;
};

/** Null if it may be a secret: a value with @ may contain a password, and a query may contain a key. */
const shownOf = ({ secret }: Setting, value: unknown): string | null => {
  if (typeof value === "string") return secret === true || /[?@]/u.test(value) ? null : `"${value}"`;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : null;
};

const reject = (row: Setting, value: unknown): SettingMessage =>
  told`${row} is ${shownOf(row, value) ?? "set to something else"}, but must be ${row.expected}.`;

const defaultOf = (row: Setting, dataDir: string): unknown =>
  typeof row.default === "function" ? row.default(dataDir) : row.default;

/** A bucket needs its credentials. */
const missingKey = ({
  artifactsUrl,
  awsAccessKeyId,
  awsSecretAccessKey
}: Settings): SettingMessage | null => {
  if (artifactsUrl._tag === "Directory" || (awsAccessKeyId !== null && awsSecretAccessKey !== null))
    return null;
  const missing = awsAccessKeyId === null ? SETTINGS.awsAccessKeyId : SETTINGS.awsSecretAccessKey;
  return told`${missing} must be set, because ${SETTINGS.artifactsUrl} names a bucket.`;
};

/** Settings that require another one. */
const NEEDS = [
  ["signInHeader", "trustedProxies"],
  ["stripeSecretKey", "stripeWebhookSecret"],
  ["oidcIssuer", "oidcClientId"]
] as const;

const missingBeside = (settings: Settings): SettingMessage | null => {
  const isSet = (value: unknown): boolean => present(value) !== undefined;
  const [given, missing] =
    NEEDS.find(([needing, needed]) => isSet(settings[needing]) && !isSet(settings[needed])) ?? [];
  return given === undefined || missing === undefined
    ? null
    : told`${SETTINGS[missing]} must be set, because ${SETTINGS[given]} is.`;
};

/** A private server sells nothing. */
const contradictory = (settings: Settings): SettingMessage | null => {
  if (settings.private === "off") return null;
  const { plans, stripeSecretKey, private: isPrivate } = SETTINGS;
  const set = [
    [settings.plans, plans],
    [settings.stripeSecretKey, stripeSecretKey]
  ] as const;
  const row = set.find(([value]) => value !== null)?.[1];
  return row === undefined
    ? null
    : told`${isPrivate} is "on", so ${row} must not be set: nothing has a price.`;
};

/** A speech model needs a server too. */
const missingSpeechServer = (settings: Settings): SettingMessage | null => {
  const { llmBaseUrl, openaiApiKey, speechApiKey, speechBaseUrl, speechModel } = settings;
  const isNamed = [llmBaseUrl, openaiApiKey, speechApiKey, speechBaseUrl].some((given) => given !== null);
  if (speechModel === null || isNamed || localModelOf(speechModel) !== null) return null;
  const { speechModel: model, speechBaseUrl: speech, llmBaseUrl: llm, openaiApiKey: key } = SETTINGS;
  return told`${model} is set, but none of ${speech}, ${llm} and ${key} says which server has it.`;
};

/** The default model of OpenAI's own server, if only a key is set. */
const OPENAI_MODEL = "gpt-5.4-mini";

/** A model requires a server, and for a custom server the model cannot be guessed. */
const withModel = (settings: Settings): Result.Result<Settings, SettingMessage> => {
  const { openaiApiKey, llmBaseUrl, llmModel } = settings;
  const { llmModel: model, llmBaseUrl: server, openaiApiKey: key } = SETTINGS;
  if (openaiApiKey === null && llmBaseUrl === null) {
    return llmModel === null
      ? Result.succeed(settings)
      : Result.fail(told`${model} is set, but neither ${key} nor ${server} says which server has it.`);
  }
  if (llmModel !== null) return Result.succeed(settings);
  if (llmBaseUrl === null) return Result.succeed({ ...settings, llmModel: OPENAI_MODEL });
  // The server is only used for its speech model.
  const { speechBaseUrl, speechModel } = settings;
  const isForSpeech = speechModel !== null && localModelOf(speechModel) === null && speechBaseUrl === null;
  if (isForSpeech) return Result.succeed(settings);
  return Result.fail(told`${model} must be set, because ${server} names a server of your own.`);
};

/** Undefined if it is empty. */
const present = (value: unknown): unknown => {
  if (typeof value === "string") return value.trim() || undefined;
  return value === null || (Array.isArray(value) && value.length === 0) ? undefined : value;
};

const valueIn = ({ kind }: Setting, value: unknown): unknown =>
  typeof value === "string" ? kind.parse(value) : (kind.accept?.(value as never) ?? null);

/** Sentences that stand one below the other. */
const together = (messages: ReadonlyArray<SettingMessage>): SettingMessage =>
  messages.reduce((all, message) => told`${all}\n${message}`);

/** Fails with every invalid one. */
const settingsFrom = (
  given: (key: keyof Settings, row: Setting) => unknown
): Result.Result<Settings, SettingMessage> => {
  const found: Partial<Record<keyof Settings, unknown>> = {};
  const rejected: Array<SettingMessage> = [];
  for (const [key, row] of SETTING_ROWS) {
    const value = present(given(key, row));
    if (value === undefined) continue;
    found[key] = valueIn(row, value);
    if (found[key] === null) rejected.push(reject(row, value));
  }
  if (rejected.length > 0) return Result.fail(together(rejected));
  const dataDir = (found.dataDir ?? SETTINGS.dataDir.default()) as string;
  const all = SETTING_ROWS.map(([key, row]) => [key, found[key] ?? defaultOf(row, dataDir)]);
  const settings = Object.fromEntries(all) as Settings;
  const checks = [missingKey, missingBeside, missingSpeechServer, contradictory];
  const wrong = checks.flatMap((check) => check(settings) ?? []);
  const complete = withModel(settings);
  if (Result.isFailure(complete)) wrong.push(complete.failure);
  return wrong.length === 0 ? complete : Result.fail(together(wrong));
};

/** All settings from variables; empty ones count as unset. */
export const readSettings = (env: Environment): Result.Result<Settings, SettingMessage> =>
  settingsFrom((_, { name }) => env[name]);

/** All settings from options and, for those that are absent, from variables. */
export const readOptions = (
  options: WinnowSettings,
  env: Environment
): Result.Result<Settings, SettingMessage> => settingsFrom((key, { name }) => options[key] ?? env[name]);

/** `http://HOST:PORT`, with brackets around an IPv6 address. */
export const originOf = (host: string, port: number): string =>
  `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
