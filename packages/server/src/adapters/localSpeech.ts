/** A speech model on this machine, by the settings: the Transcriber. */
import type { PackageMissing } from "@winnow/adapters/runtime/OptionalPackage";
import type { LocalModel, NoLocalModel } from "@winnow/local-speech";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import type { Settings } from "../settings/Config.ts";
import { pasteable } from "../programName.ts";
import { modelsDirOf } from "../settings/ModelSettings.ts";
import { told } from "../settings/SettingRow.ts";
import { SETTINGS } from "../settings/SettingsTable.ts";
import { notStarted, type StartFailed } from "../settings/StartFailed.ts";
import { loadLocalSpeech } from "./localSpeechPackage.ts";
import { programSettings } from "./programs.ts";

export { loadLocalSpeech };

const packageMissing = ({ message }: PackageMissing) =>
  notStarted<never>(told`${message}\nOr unset ${SETTINGS.speechModel}.`);

/** A transcriber with this model; `unset` of the settings is named if a package is missing. */
export const transcriberOf = (
  settings: Settings,
  model: LocalModel,
  workDir: string
): Layer.Layer<never, StartFailed> =>
  Layer.unwrap(
    Effect.zipWith(loadLocalSpeech, programSettings(settings), ({ layer }, programs) =>
      layer({
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
    Layer.catchTag("PackageMissing", packageMissing)
  );

/** As the end of a sentence. */
export const problemText = ({ problem, remedy }: NoLocalModel, { dataDir }: Settings): string =>
  remedy === null ? problem : `${problem}; get it with: ${pasteable(remedy, dataDir)}`;

/** The server does not start without its model. */
export const transcriber = (
  settings: Settings,
  name: string,
  workDir: string
): Layer.Layer<never, StartFailed> =>
  Layer.unwrap(
    Effect.map(loadLocalSpeech, ({ findLocalModel }) => {
      const found = findLocalModel(name, modelsDirOf(settings));
      return "problem" in found
        ? notStarted<never>(
            told`${SETTINGS.speechModel} is "${settings.speechModel ?? ""}", but ${problemText(found, settings)}.`
          )
        : transcriberOf(settings, found, workDir);
    })
  ).pipe(Layer.catchTag("PackageMissing", packageMissing));
