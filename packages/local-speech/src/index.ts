/** What a server and its program use, where this package is installed. */
export { layer, type LocalTranscriberOptions } from "./LocalTranscriber.ts";
export { type ListedModel, listModels } from "./ModelList.ts";
export { fetchModels, removeModel, withVoiceDetector, wrongFiles } from "./ModelStore.ts";
export {
  findLocalModel,
  installedModels,
  type LocalModel,
  NAMED_MODELS,
  type NoLocalModel,
  VOICE_DETECTOR
} from "./SpeechModels.ts";
export { transcribeOnce } from "./transcribeOnce.ts";
