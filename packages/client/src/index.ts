/** The public surface of the client. What is not listed here may change without notice. */
export { Winnow, type SubmitOptions, type WinnowOptions } from "./Winnow.ts";
export { Extractions, type ListOptions, type TerminalResult } from "./extractions.ts";
export { Files, type FileOptions } from "./files.ts";
export type { RequestOptions } from "./request.ts";
export type { WaitOptions, WaitProgress } from "./wait.ts";
export * from "./errors.ts";
export type {
  AiBreakdown,
  Artifacts,
  CompleteResult,
  DownloadBreakdown,
  Extraction,
  ExtractionDetail,
  ExtractionPage,
  ExtractionPhase,
  ExtractionStatus,
  FailedResult,
  Failure,
  FailureReason,
  Modality,
  Outcome,
  PendingResult,
  Policy,
  Price,
  ProbeBody,
  ProbeResponse,
  SubmitBody,
  SubmitResponse,
  Summary
} from "./generated/types.ts";
