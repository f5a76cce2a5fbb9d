/** The demo's speech model: one on this machine, if `winnow models` has added one. */
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";

const { WINNOW_DATA_DIR = ".winnow", WINNOW_MODELS_DIR, WINNOW_SPEECH_MODEL } = process.env;
const MODELS = path.resolve(WINNOW_MODELS_DIR ?? path.join(WINNOW_DATA_DIR, "models"));

const isModel = (name: string): boolean =>
  readdirSync(path.join(MODELS, name)).some((file) => file.endsWith("tokens.txt"));

export interface DemoSpeech {
  /** For the user; null with a model of the user's settings. */
  readonly words: string | null;
  readonly isThere: boolean;
  /** Further settings of the server. */
  readonly env: Readonly<Record<string, string>>;
}

export const findSpeech = (): DemoSpeech => {
  if (WINNOW_SPEECH_MODEL) return { words: null, isThere: true, env: {} };
  const folders = existsSync(MODELS) ? readdirSync(MODELS, { withFileTypes: true }) : [];
  const [first] = folders.flatMap((each) => (each.isDirectory() && isModel(each.name) ? [each.name] : []));
  return first === undefined
    ? {
        words:
          "Videos without captions get no transcript: there is no speech model. To add one (161 MB): npm run winnow -- models add whisper-base",
        isThere: false,
        env: {}
      }
    : {
        words: `Videos without captions are transcribed on this machine, by ${first}.`,
        isThere: true,
        env: { WINNOW_SPEECH_MODEL: `local:${first}`, WINNOW_MODELS_DIR: MODELS }
      };
};
