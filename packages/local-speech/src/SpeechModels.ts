/** Which speech models are in the models' folder, and what kind of model the files in a folder are. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, isAbsolute, join } from "node:path";
import { NAMED_MODELS, VOICE_DETECTOR } from "./NamedModels.ts";

/** What `local` means where no model is installed yet. */
const SUGGESTED_MODEL = "whisper-base";

/** Absolute paths of a model's files. */
export type ModelFiles =
  | {
      readonly family: "whisper";
      readonly encoder: string;
      readonly decoder: string;
      readonly tokens: string;
    }
  | {
      readonly family: "transducer";
      readonly encoder: string;
      readonly decoder: string;
      readonly joiner: string;
      readonly tokens: string;
    }
  | { readonly family: "senseVoice"; readonly model: string; readonly tokens: string };

/** Whisper ends its process for any other. */
const WHISPER_LANGUAGES =
  "af am ar as az ba be bg bn bo br bs ca cs cy da de el en es et eu fa fi fo fr gl gu ha haw he hi hr " +
  "ht hu hy id is it ja jw ka kk km kn ko la lb ln lo lt lv mg mi mk ml mn mr ms mt my ne nl nn no oc " +
  "pa pl ps pt ro ru sa sd si sk sl sn so sq sr su sv sw ta te tg th tk tl tr tt uk ur uz vi yi yo zh";

const SENSE_VOICE_LANGUAGES = "en ja ko yue zh";

const LANGUAGES: Readonly<Record<ModelFiles["family"], ReadonlySet<string>>> = {
  whisper: new Set(WHISPER_LANGUAGES.split(" ")),
  senseVoice: new Set(SENSE_VOICE_LANGUAGES.split(" ")),
  transducer: new Set()
};

/** A language (BCP 47) as the model names it; empty if it has to recognise it. */
export const languageFor = ({ family }: ModelFiles, language: string | null): string => {
  const [first = ""] = (language ?? "").toLowerCase().split("-");
  return LANGUAGES[family].has(first) ? first : "";
};

/** A model that is there, with its voice detector. */
export interface LocalModel {
  /** As shown and as part of the cache key. */
  readonly name: string;
  readonly files: ModelFiles;
  readonly voiceDetector: string;
  /** Of all files. */
  readonly sizeBytes: number;
}

/** The file whose name matches, the smaller kind (`int8`) first; null if there is none. */
const fileLike = (folder: string, names: ReadonlyArray<string>, pattern: RegExp): string | null => {
  const found = names.filter((name) => pattern.test(name));
  const chosen = found.find((name) => name.includes("int8")) ?? found[0];
  return chosen === undefined ? null : join(folder, chosen);
};

/** By the names that sherpa-onnx's published models have; null if they are none of these kinds. */
export const modelFilesIn = (folder: string): ModelFiles | null => {
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
  const names = isFolder ? readdirSync(folder).toSorted() : [];
  const like = (pattern: RegExp) => fileLike(folder, names, pattern);
  const tokens = like(/tokens\.txt$/u);
  if (tokens === null) return null;
  const [encoder, decoder] = [like(/encoder.*\.onnx$/u), like(/decoder.*\.onnx$/u)];
  if (encoder !== null && decoder !== null) {
    const joiner = like(/joiner.*\.onnx$/u);
    return joiner === null
      ? { family: "whisper", encoder, decoder, tokens }
      : { family: "transducer", encoder, decoder, joiner, tokens };
  }
  const model = like(/^model.*\.onnx$/u);
  return model === null ? null : { family: "senseVoice", model, tokens };
};

/** Names of the models in the models' folder. */
export const installedModels = (modelsDir: string): ReadonlyArray<string> =>
  existsSync(modelsDir)
    ? readdirSync(modelsDir)
        .filter((name) => modelFilesIn(join(modelsDir, name)) !== null)
        .toSorted()
    : [];

/** Why there is no model, and the command that helps, if there is one. */
export interface NoLocalModel {
  readonly problem: string;
  readonly remedy: string | null;
}

const absent = (problem: string, model: string): NoLocalModel => ({
  problem,
  remedy: `winnow models add ${model}`
});

const folderOf = (name: string, modelsDir: string): string | NoLocalModel => {
  if (name !== "") return isAbsolute(name) ? name : join(modelsDir, name);
  const installed = installedModels(modelsDir);
  if (installed.length > 1)
    return {
      problem: `there are ${installed.join(", ")}: name one, as in local:${installed[0]}`,
      remedy: null
    };
  return installed.length === 0
    ? absent(`there is no model in ${modelsDir}`, SUGGESTED_MODEL)
    : join(modelsDir, installed[0] ?? "");
};

export const pathsOf = ({ family: _family, ...paths }: ModelFiles): ReadonlyArray<string> =>
  Object.values(paths);

const sizeOf = (files: ModelFiles): number =>
  pathsOf(files).reduce((sum, path) => sum + statSync(path).size, 0);

/** `name`: of a folder of the models' folder, an absolute path, or empty for the only one that is there. */
export const findLocalModel = (name: string, modelsDir: string): LocalModel | NoLocalModel => {
  const folder = folderOf(name, modelsDir);
  if (typeof folder !== "string") return folder;
  const files = modelFilesIn(folder);
  if (files === null) {
    const isNamed = NAMED_MODELS.some((model) => model.name === name);
    return absent(`there is no speech model in ${folder}`, isNamed ? name : SUGGESTED_MODEL);
  }
  const [detector = ""] = VOICE_DETECTOR.files.map((file) => file.name);
  const voiceDetector = [join(folder, detector), join(modelsDir, VOICE_DETECTOR.name, detector)].find(
    existsSync
  );
  return voiceDetector === undefined
    ? absent(`${detector} is missing`, VOICE_DETECTOR.name)
    : { name: `local:${basename(folder)}`, files, voiceDetector, sizeBytes: sizeOf(files) };
};
