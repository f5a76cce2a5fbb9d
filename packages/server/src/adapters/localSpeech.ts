/** Speech models on this machine: the Transcriber, and what `winnow models` does. */
import * as LocalTranscriber from "@winnow/adapters/speech/local/LocalTranscriber";
import {
  findLocalModel,
  installedModels,
  type LocalModel,
  NAMED_MODELS,
  type NoLocalModel,
  VOICE_DETECTOR
} from "@winnow/adapters/speech/local/SpeechModels";
import { AUDIO_FILE, contentTypeOf } from "@winnow/core/domain/result/ArtifactName";
import type { FetchedFile } from "@winnow/core/ports/Downloader";
import { Transcriber } from "@winnow/core/ports/Transcriber";
import { join } from "node:path";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import type { Settings } from "../settings/Config.ts";
import { pasteable } from "../programName.ts";
import { modelsDirOf } from "../settings/ModelSettings.ts";
import { told } from "../settings/SettingRow.ts";
import { SETTINGS } from "../settings/SettingsTable.ts";
import { notStarted, type StartFailed } from "../settings/StartFailed.ts";
import { programSettings } from "./programs.ts";

export { findLocalModel, installedModels, modelsDirOf, NAMED_MODELS, VOICE_DETECTOR };
export {
  fetchModels,
  missingFiles,
  removeModel,
  withVoiceDetector,
  wrongFiles
} from "@winnow/adapters/speech/local/ModelStore";

/** A transcriber with this model; `unset` of the settings is named if a package is missing. */
export const transcriberOf = (
  settings: Settings,
  model: LocalModel,
  workDir: string
): Layer.Layer<never, StartFailed> =>
  Layer.unwrap(
    Effect.map(programSettings(settings), (programs) =>
      LocalTranscriber.layer({
        model,
        threads: settings.speechThreads,
        workDir,
        programs,
        sandbox: settings.sandbox
      })
    )
  ).pipe(
    Layer.catchTag("ProgramsMissing", ({ message }) =>
      notStarted<never>(told`${pasteable(message, settings.dataDir)}`)
    ),
    Layer.catchTag("SandboxMissing", ({ message }) =>
      notStarted<never>(told`${SETTINGS.sandbox}: ${message}`)
    ),
    Layer.catchTag("PackageMissing", ({ message }) =>
      notStarted<never>(told`${message}\nOr unset ${SETTINGS.speechModel}.`)
    )
  );

/** What is said in a recording. */
export const transcribeOnce = (settings: Settings, model: LocalModel, source: FetchedFile["source"]) =>
  Transcriber.use(({ transcribe }) =>
    transcribe(
      { name: AUDIO_FILE, contentType: contentTypeOf(AUDIO_FILE), sizeBytes: 0, source },
      { accountId: "acc_test", language: null, onProgress: () => Effect.void }
    )
  ).pipe(Effect.provide(transcriberOf(settings, model, join(settings.dataDir, "work"))));

/** As the end of a sentence. */
export const problemText = ({ problem, remedy }: NoLocalModel, { dataDir }: Settings): string =>
  remedy === null ? problem : `${problem}; get it with: ${pasteable(remedy, dataDir)}`;

/** The server does not start without its model. */
export const transcriber = (
  settings: Settings,
  name: string,
  workDir: string
): Layer.Layer<never, StartFailed> => {
  const found = findLocalModel(name, modelsDirOf(settings));
  return "problem" in found
    ? notStarted<never>(
        told`${SETTINGS.speechModel} is "${settings.speechModel ?? ""}", but ${problemText(found, settings)}.`
      )
    : transcriberOf(settings, found, workDir);
};
