/** The models that can be added or are there: `winnow models list`. Tests: the CLI's modelCommands.test.ts. */
import { missingFiles } from "./ModelStore.ts";
import { NAMED_MODELS, type NamedModel, VOICE_DETECTOR } from "./NamedModels.ts";
import { installedModels } from "./SpeechModels.ts";

export interface ListedModel {
  readonly name: string;
  /** `yours`: put there by hand. */
  readonly state: "installed" | "incomplete" | "available" | "yours";
  /** What has to be fetched; null for one of the user's own. */
  readonly sizeBytes: number | null;
  readonly languages: string | null;
  readonly license: string | null;
}

const sizeOf = ({ files }: NamedModel): number => files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);

const stateOf = (model: NamedModel, modelsDir: string): ListedModel["state"] => {
  const missing = missingFiles(model, modelsDir).length;
  if (missing === 0) return "installed";
  return missing === model.files.length ? "available" : "incomplete";
};

export const listModels = (modelsDir: string): ReadonlyArray<ListedModel> => {
  const known = [...NAMED_MODELS, VOICE_DETECTOR];
  const own = installedModels(modelsDir).filter((name) => known.every((model) => model.name !== name));
  return [
    ...known.map((model): ListedModel => ({
      name: model.name,
      state: stateOf(model, modelsDir),
      sizeBytes: sizeOf(model),
      languages: model.languages,
      license: model.license
    })),
    ...own.map((name): ListedModel => ({
      name,
      state: "yours",
      sizeBytes: null,
      languages: null,
      license: null
    }))
  ];
};
