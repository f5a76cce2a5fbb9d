/** A speech model on this machine, by the settings: the Transcriber. Tests: the CLI's modelChecks.test.ts, modelCommands.test.ts. */
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
import { programSettings, started } from "./programs.ts";

/** A transcriber with this model. */
export const transcriberOf = (
  settings: Settings,
  model: LocalModel,
  workDir: string
): Layer.Layer<never, StartFailed> =>
  started(
    settings,
    Layer.unwrap(
      Effect.zipWith(loadLocalSpeech, programSettings(settings), ({ layer }, programs) =>
        layer({ model, threads: settings.speechThreads, workDir, programs, sandbox: settings.sandbox })
      )
    ),
    told`${SETTINGS.speechModel}`
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
  started(
    settings,
    Layer.unwrap(
      Effect.map(loadLocalSpeech, ({ findLocalModel }) => {
        const found = findLocalModel(name, modelsDirOf(settings));
        return "problem" in found
          ? notStarted<never>(
              told`${SETTINGS.speechModel} is "${settings.speechModel ?? ""}", but ${problemText(found, settings)}.`
            )
          : transcriberOf(settings, found, workDir);
      })
    ),
    told`${SETTINGS.speechModel}`
  );
