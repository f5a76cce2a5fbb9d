/** What a server and its program use, where this package is installed. */
export { layer, type LocalTranscriberOptions } from "./LocalTranscriber.ts";
export { type ListedModel, listModels } from "./ModelList.ts";
export { fetchModels, removeModel, withVoiceDetector, wrongFiles } from "./ModelStore.ts";
export { NAMED_MODELS, VOICE_DETECTOR } from "./NamedModels.ts";
export { findLocalModel, installedModels, type LocalModel, type NoLocalModel } from "./SpeechModels.ts";
export { transcribeOnce } from "./transcribeOnce.ts";
