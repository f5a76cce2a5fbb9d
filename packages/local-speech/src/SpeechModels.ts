/**
 * The local speech models that `winnow models` knows, and what kind of model the files in a folder are.
 *
 * Every file has a fixed address (a commit, never a branch), its size and its SHA-256. Those of the recognisers are
 * the ones that Hugging Face publishes for these commits, as independent projects record them; that of the voice
 * detector was computed from the file.
 */
import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, isAbsolute, join } from "node:path";

export interface ModelFile {
  /** In the model's folder. */
  readonly name: string;
  readonly url: string;
  readonly sizeBytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

export interface NamedModel {
  readonly name: string;
  readonly languages: string;
  readonly license: string;
  readonly files: ReadonlyArray<ModelFile>;
}

const HUGGING_FACE = "https://huggingface.co/csukuangfj";

type Pinned = readonly [name: string, sizeBytes: number, sha256: string];

const at = (base: string, files: ReadonlyArray<Pinned>): ReadonlyArray<ModelFile> =>
  files.map(([name, sizeBytes, sha256]) => ({ name, url: `${base}/${name}`, sizeBytes, sha256 }));

const WHISPER_TOKENS = [
  "tokens.txt",
  816_730,
  "b34b360dbb493e781e479794586d661700670d65564001f23024971d1f2fa126"
] as const;

/** `encoder` and `decoder`: size and checksum. */
const whisper = (
  size: string,
  commit: string,
  encoder: readonly [number, string],
  decoder: readonly [number, string]
): NamedModel => ({
  name: `whisper-${size}`,
  languages: "99 languages",
  license: "MIT",
  files: at(`${HUGGING_FACE}/sherpa-onnx-whisper-${size}/resolve/${commit}`, [
    [`${size}-encoder.int8.onnx`, ...encoder],
    [`${size}-decoder.int8.onnx`, ...decoder],
    [`${size}-${WHISPER_TOKENS[0]}`, WHISPER_TOKENS[1], WHISPER_TOKENS[2]]
  ])
});

/** Silero's voice activity detector, which decides what the recogniser hears. */
export const VOICE_DETECTOR: NamedModel = {
  name: "silero-vad",
  languages: "any",
  license: "MIT",
  files: at(
    "https://raw.githubusercontent.com/snakers4/silero-vad/806dcba3f0b5d95282d0889a074954a2f8c6397b/src/silero_vad/data",
    [["silero_vad.onnx", 2_327_524, "1a153a22f4509e292a94e67d6f9b85e8deb25b4988682b7e174c65279d8788e3"]]
  )
};

export const NAMED_MODELS: ReadonlyArray<NamedModel> = [
  whisper(
    "tiny",
    "65176e2deb88badc814a94058666cadccc29b61c",
    [12_937_772, "d24fb083ae3b1041fc24e97971d60e280c9342201fbb67b0ab428a8b4a51a434"],
    [89_855_401, "d2fece8dd42771f1df975c6c0445770d0c292bf7547c2cae04a6c0cc57540925"]
  ),
  whisper(
    "base",
    "bb53ee204431c90d314c1cc08d28d23e5b7927cc",
    [29_120_534, "0b8fb1304b6109976038efff5ace81720e00386f3ff6b54ee8c75291ca0a1e11"],
    [130_672_026, "9759d217388a01b3a4c7c15533201067b48ae819c4daafc8624e64b9409dc02d"]
  ),
  whisper(
    "small",
    "8f3c18b358db4d1f2fc1eae49d75cd20989e4309",
    [112_442_483, "4cbe7b22fa9026b843b60a68640c747de05bafb1a11b57edc0e66c232d9f33a9"],
    [262_226_114, "acad50b5c782696e91b55914cc5ab4f756f1532f76e22aa6fc615f39fb69a8ee"]
  ),
  {
    name: "parakeet-v3",
    languages: "25 European languages",
    license: "CC-BY-4.0",
    files: at(
      `${HUGGING_FACE}/sherpa-onnx-nemo-parakeet-tdt-0.6b-v3-int8/resolve/2bda32ec70b097a55adaa07d9a7173915b43cc78`,
      [
        [
          "encoder.int8.onnx",
          652_184_281,
          "acfc2b4456377e15d04f0243af540b7fe7c992f8d898d751cf134c3a55fd2247"
        ],
        ["decoder.int8.onnx", 11_845_275, "179e50c43d1a9de79c8a24149a2f9bac6eb5981823f2a2ed88d655b24248db4e"],
        ["joiner.int8.onnx", 6_355_277, "3164c13fc2821009440d20fcb5fdc78bff28b4db2f8d0f0b329101719c0948b3"],
        ["tokens.txt", 93_939, "d58544679ea4bc6ac563d1f545eb7d474bd6cfa467f0a6e2c1dc1c7d37e3c35d"]
      ]
    )
  }
];

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
