/** Reads the settings (SettingsTable) from an environment and describes invalid ones. Reads no files. */
import * as Result from "effect/Result";
import { type Setting, SETTING_ROWS, SETTINGS, type Settings } from "./SettingsTable.ts";

export type { Settings };
export type Role = Settings["role"];
export type LogLevel = Settings["logLevel"];

/** One sentence for the operator: which setting, what is wrong, and how to fix it. */
export interface BadSetting {
  readonly name: string;
  readonly message: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Names of all settings; other variables that start with WINNOW_ are typos. */
export const SETTING_NAMES: ReadonlyArray<string> = SETTING_ROWS.map(([, { name }]) => name);

/** One line per setting, for help texts. */
export const settingsHelp = (): string =>
  SETTING_ROWS.map(([, { name, expected }]) => `  ${name.padEnd(31)} ${expected.replaceAll("`", "")}`).join(
    "\n"
  );

/** Variables that look like settings but are unknown. */
export const unknownSettings = (env: Environment): ReadonlyArray<string> =>
  Object.keys(env).filter((name) => name.startsWith("WINNOW_") && !SETTING_NAMES.includes(name));

const reject = ({ name, expected, secret }: Setting, text: string): BadSetting => ({
  name,
  // A value with @ may contain a password, and a query may contain a key.
  message: `${name} ${secret === true || /[?@]/u.test(text) ? "is set to something else" : `is "${text}"`}, but must be ${expected}.`
});

const defaultOf = (row: Setting, dataDir: string): unknown =>
  typeof row.default === "function" ? row.default(dataDir) : row.default;

/** A bucket needs its credentials. */
const missingKey = ({ artifacts, awsAccessKeyId, awsSecretAccessKey }: Settings): BadSetting | null => {
  if (artifacts._tag === "Directory" || (awsAccessKeyId !== null && awsSecretAccessKey !== null)) return null;
  const { name } = awsAccessKeyId === null ? SETTINGS.awsAccessKeyId : SETTINGS.awsSecretAccessKey;
  return { name, message: `${name} must be set, because WINNOW_ARTIFACTS_URL names a bucket.` };
};

/**
 * Settings that require another one: the sign-in header a list of trusted proxies, the issuer a client id, and the
 * Stripe key a signing secret.
 */
const missingBeside = (settings: Settings): BadSetting | null => {
  const { signInHeader, trustedProxies, oidcIssuer, oidcClientId } = settings;
  const { stripeSecretKey, stripeWebhookSecret } = settings;
  const needs = (missing: Setting, given: Setting): BadSetting => ({
    name: missing.name,
    message: `${missing.name} must be set, because ${given.name} is.`
  });
  if (signInHeader !== null && trustedProxies.length === 0) {
    return needs(SETTINGS.trustedProxies, SETTINGS.signInHeader);
  }
  if (stripeSecretKey !== null && stripeWebhookSecret === null) {
    return needs(SETTINGS.stripeWebhookSecret, SETTINGS.stripeSecretKey);
  }
  return oidcIssuer !== null && oidcClientId === null
    ? needs(SETTINGS.oidcClientId, SETTINGS.oidcIssuer)
    : null;
};

/** A speech model needs a server too. */
const missingSpeechServer = (settings: Settings): BadSetting | null => {
  const { llmBaseUrl, openAiApiKey, speechApiKey, speechBaseUrl, speechModel } = settings;
  const isNamed = [llmBaseUrl, openAiApiKey, speechApiKey, speechBaseUrl].some((given) => given !== null);
  if (speechModel === null || isNamed) return null;
  const { name } = SETTINGS.speechModel;
  return {
    name,
    message: `${name} is set, but none of WINNOW_SPEECH_BASE_URL, WINNOW_LLM_BASE_URL and OPENAI_API_KEY says which server has it.`
  };
};

/** The default model of OpenAI's own server, if only a key is set. */
const OPENAI_MODEL = "gpt-5.4-mini";

/** A model requires a server, and for a custom server the model cannot be guessed. */
const withModel = (settings: Settings): Result.Result<Settings, BadSetting> => {
  const { openAiApiKey, llmBaseUrl, llmModel } = settings;
  const { name } = SETTINGS.llmModel;
  if (openAiApiKey === null && llmBaseUrl === null) {
    const message = `${name} is set, but neither OPENAI_API_KEY nor WINNOW_LLM_BASE_URL says which server has it.`;
    return llmModel === null ? Result.succeed(settings) : Result.fail({ name, message });
  }
  if (llmModel !== null) return Result.succeed(settings);
  if (llmBaseUrl === null) return Result.succeed({ ...settings, llmModel: OPENAI_MODEL });
  // The server is only used for its speech model.
  if (settings.speechModel !== null && settings.speechBaseUrl === null) return Result.succeed(settings);
  const message = `${name} must be set, because WINNOW_LLM_BASE_URL names a server of your own.`;
  return Result.fail({ name, message });
};

/** Reads all settings; empty variables count as unset. Fails with the first invalid one. */
export const readSettings = (env: Environment): Result.Result<Settings, BadSetting> => {
  const textOf = (name: string): string | undefined => env[name]?.trim() || undefined;
  const found: Partial<Record<keyof Settings, unknown>> = {};
  for (const [key, row] of SETTING_ROWS) {
    const text = textOf(row.name);
    if (text === undefined) continue;
    const value = row.parse(text);
    if (value === null) return Result.fail(reject(row, text));
    found[key] = value;
  }
  const dataDir = (found.dataDir ?? SETTINGS.dataDir.default()) as string;
  const all = SETTING_ROWS.map(([key, row]) => [key, found[key] ?? defaultOf(row, dataDir)]);
  const settings = Object.fromEntries(all) as Settings;
  const missing = missingKey(settings) ?? missingBeside(settings) ?? missingSpeechServer(settings);
  return missing === null ? withModel(settings) : Result.fail(missing);
};

/** `http://HOST:PORT`, with brackets around an IPv6 address. */
export const originOf = (host: string, port: number): string =>
  `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
