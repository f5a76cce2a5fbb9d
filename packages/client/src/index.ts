/** The public surface of the client. What is not listed here may change without notice. */
export { Winnow, type SubmitOptions, type WinnowOptions } from "./Winnow.ts";
export { Extractions, type TerminalResult } from "./extractions.ts";
export { Ledger } from "./ledger.ts";
export { Files, type FileOptions } from "./files.ts";
export type { ListOptions, PageOptions } from "./pages.ts";
export { Schemas } from "./schemas.ts";
export type { RequestOptions } from "./request.ts";
export type { WaitOptions, WaitProgress } from "./wait.ts";
export * from "./errors.ts";
export type {
  AccountOverview,
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
  LedgerEntry,
  LedgerKind,
  LedgerPage,
  Modality,
  Outcome,
  PendingResult,
  Policy,
  Price,
  ProbeBody,
  ProbeResponse,
  SavedSchema,
  SchemaBody,
  SchemaPage,
  SubmitBody,
  SubmitResponse,
  Summary
} from "./generated/types.ts";
