/**
 * Fetches, checks and removes local speech models, only when asked: `winnow models`. A file takes its name once it is
 * whole and its checksum is right; until then it is `.part`, which the next attempt continues.
 */
import { createHash } from "node:crypto";
import { createReadStream, existsSync, statSync } from "node:fs";
import { mkdir, open, rename, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import * as Data from "effect/Data";
import * as Effect from "effect/Effect";
import { type ModelFile, NAMED_MODELS, type NamedModel, VOICE_DETECTOR } from "./NamedModels.ts";
import { installedModels } from "./SpeechModels.ts";

/** `message` says what happened, and how to go on without a network. */
export class ModelNotFetched extends Data.TaggedError("ModelNotFetched")<{ readonly message: string }> {}

interface ModelProgress {
  readonly file: string;
  readonly doneBytes: number;
  readonly totalBytes: number;
}

const sizeOf = (path: string): number => (existsSync(path) ? statSync(path).size : 0);

const checksumOf = async (path: string): Promise<string> => {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
};

const isRight = async (path: string, { sha256, sizeBytes }: ModelFile): Promise<boolean> =>
  sizeOf(path) === sizeBytes && (await checksumOf(path)) === sha256;

/** Folder of a model below the models' folder. */
const modelFolder = (modelsDir: string, { name }: Pick<NamedModel, "name">): string => join(modelsDir, name);

/** Files that are missing or not whole, by their sizes. */
export const missingFiles = (model: NamedModel, modelsDir: string): ReadonlyArray<ModelFile> =>
  model.files.filter(
    ({ name, sizeBytes }) => sizeOf(join(modelFolder(modelsDir, model), name)) !== sizeBytes
  );

/** Names of files whose content is not the known one. Reads all of them. */
export const wrongFiles = (model: NamedModel, modelsDir: string): Effect.Effect<ReadonlyArray<string>> =>
  Effect.promise(async () => {
    const wrong: Array<string> = [];
    for (const file of model.files)
      if (!(await isRight(join(modelFolder(modelsDir, model), file.name), file))) wrong.push(file.name);
    return wrong;
  });

/** A server that sends nothing for this long has stalled. */
const IDLE_TIMEOUT_MS = 60_000;

interface Ending {
  readonly signal: AbortSignal;
  readonly idleTimeoutMs: number;
}

/** Appends what is still missing; a server that cannot continue sends the file from the start. */
const append = async (
  { sizeBytes, url }: ModelFile,
  part: string,
  onBytes: (doneBytes: number) => void,
  signal: AbortSignal
): Promise<void> => {
  const hadBytes = sizeOf(part);
  const response = await fetch(url, {
    signal,
    ...(hadBytes === 0 ? {} : { headers: { range: `bytes=${hadBytes}-` } })
  });
  if (!response.ok || response.body === null) throw new Error(`the server answered ${response.status}`);
  const isContinued = response.status === 206;
  const file = await open(part, isContinued ? "a" : "w");
  try {
    let doneBytes = isContinued ? hadBytes : 0;
    for await (const chunk of response.body) {
      doneBytes += chunk.length;
      if (doneBytes > sizeBytes) throw new Error(`it is larger than ${sizeBytes} bytes`);
      await file.write(chunk);
      onBytes(doneBytes);
    }
  } finally {
    await file.close();
  }
};

/** Ends if the server stalls. */
const receive = async (
  file: ModelFile,
  part: string,
  onBytes: (doneBytes: number) => void,
  { signal, idleTimeoutMs }: Ending
): Promise<void> => {
  const stalled = new AbortController();
  const stall = (): void => stalled.abort(new Error(`nothing arrived for ${idleTimeoutMs / 1_000} s`));
  const idle = setTimeout(stall, idleTimeoutMs);
  const onArrived = (doneBytes: number): void => {
    idle.refresh();
    onBytes(doneBytes);
  };
  try {
    await append(file, part, onArrived, AbortSignal.any([signal, stalled.signal]));
  } finally {
    clearTimeout(idle);
  }
};

const fetchFile = async (
  file: ModelFile,
  folder: string,
  onBytes: (doneBytes: number) => void,
  ending: Ending
): Promise<void> => {
  const path = join(folder, file.name);
  const part = `${path}.part`;
  if (await isRight(path, file)) return onBytes(file.sizeBytes);
  if (sizeOf(part) > file.sizeBytes) await rm(part);
  if (sizeOf(part) < file.sizeBytes) await receive(file, part, onBytes, ending);
  if (!(await isRight(part, file))) {
    const isShort = sizeOf(part) < file.sizeBytes;
    if (!isShort) await rm(part);
    throw new Error(isShort ? "the connection ended early" : "its checksum is not the known one");
  }
  await rename(part, path);
};

const causeOf = (error: unknown): string => {
  const { cause, message } = error as Error;
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
};

const byHand = (models: ReadonlyArray<NamedModel>, modelsDir: string): string =>
  models
    .flatMap((model) =>
      missingFiles(model, modelsDir).map(
        ({ name, sha256, url }) =>
          `  ${url}\n    to ${join(modelFolder(modelsDir, model), name)}\n    sha256 ${sha256}`
      )
    )
    .join("\n");

const fetchFiles = async (
  model: NamedModel,
  modelsDir: string,
  onProgress: (progress: ModelProgress) => void,
  ending: Ending
): Promise<void> => {
  const folder = modelFolder(modelsDir, model);
  const totalBytes = model.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  await mkdir(folder, { recursive: true });
  let beforeBytes = 0;
  for (const file of model.files) {
    const onBytes = (doneBytes: number): void =>
      onProgress({ file: file.name, doneBytes: beforeBytes + doneBytes, totalBytes });
    await fetchFile(file, folder, onBytes, ending).catch((error: unknown) => {
      throw new Error(`${file.name} could not be fetched: ${causeOf(error)}.`);
    });
    beforeBytes += file.sizeBytes;
  }
};

/** All files of the models; those that are already there and right are kept. */
export const fetchModels = (
  models: ReadonlyArray<NamedModel>,
  modelsDir: string,
  onProgress: (progress: ModelProgress) => void,
  idleTimeoutMs = IDLE_TIMEOUT_MS
): Effect.Effect<void, ModelNotFetched> =>
  Effect.tryPromise({
    try: async (signal) => {
      for (const model of models) {
        await fetchFiles(model, modelsDir, onProgress, { signal, idleTimeoutMs });
      }
    },
    catch: (error) =>
      new ModelNotFetched({
        message:
          `${(error as Error).message} Run the command again to continue. Without a network, copy\n` +
          byHand(models, modelsDir)
      })
  });

/** Of a known model only its own files, also half-fetched ones; one of yours whole. False if there was none. */
export const removeModel = (
  name: string,
  modelsDir: string,
  known: ReadonlyArray<NamedModel> = [...NAMED_MODELS, VOICE_DETECTOR]
): Effect.Effect<boolean> =>
  Effect.promise(async () => {
    const folder = join(modelsDir, name);
    const model = known.find((each) => each.name === name);
    const isYours = model === undefined && installedModels(modelsDir).includes(name);
    const own = model?.files.flatMap((file) => [file.name, `${file.name}.part`]) ?? [];
    const paths = isYours ? [folder] : own.map((file) => join(folder, file)).filter(existsSync);
    for (const path of paths) await rm(path, { recursive: isYours });
    // What else is in it stays.
    if (paths.length > 0 && !isYours) await rmdir(folder).catch(() => undefined);
    return paths.length > 0;
  });

/** What a model needs beside itself. */
export const withVoiceDetector = (model: NamedModel): ReadonlyArray<NamedModel> =>
  model === VOICE_DETECTOR ? [model] : [VOICE_DETECTOR, model];
