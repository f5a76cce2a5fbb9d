/** The public API of the client. Anything not exported here may change without notice. */
export { Winnow, type SubmitManyOptions, type UsageOptions, type WinnowOptions } from "./Winnow.ts";
export type { Batch, BatchOptions, Settled } from "./batch.ts";
export type { Answer, Call } from "./call.ts";
export type { ExtractionOf, ExtractionSchema } from "./extractionSchema.ts";
export { ApiKeys } from "./apiKeys.ts";
export { Billing } from "./billing.ts";
export { Extractions, type ExtractionFilter, type SchemaOption } from "./extractions.ts";
export type { ExtractionEvent } from "./events.ts";
export type { JsonSchema, JsonSchemaValue, Values } from "./jsonSchemaValue.ts";
export type {
  CompleteFields,
  CompleteResult,
  DownloadResult,
  OkResult,
  RejectedResult,
  TerminalResult
} from "./results.ts";
export type { StandardIssue, StandardResult, StandardSchema, StandardValue } from "./standardSchema.ts";
export type { Inquiry, Submission, SubmitOptions } from "./submission.ts";
export { Members } from "./members.ts";
export { Session } from "./session.ts";
export { Ledger } from "./ledger.ts";
export { Files, type FileOptions } from "./files.ts";
export type { ListOptions, PageOptions } from "./pages.ts";
export { Schemas, type SchemaToSave } from "./schemas.ts";
export type { RequestOptions } from "./request.ts";
export type { WaitOptions, WaitProgress } from "./wait.ts";
export { WebhookDeliveries, type DeliveryFilter } from "./webhookDeliveries.ts";
export { WebhookEndpoints } from "./webhookEndpoints.ts";
export * from "./errors.ts";
export type * from "./errorDetails.ts";
export type { LogEntry, LogFields, Logger } from "./logger.ts";
export type {
  AccountOverview,
  AiBreakdown,
  ApiKeyBody,
  ApiKeyItem,
  ApiKeyList,
  ArtifactDetail,
  Artifacts,
  CaptionLanguage,
  BillingOffer,
  DownloadBreakdown,
  Extraction,
  ExtractionDetail,
  ExtractionPage,
  ExtractionPhase,
  ExtractionProgress,
  ExtractionStatus,
  EvidenceItem,
  FailedResult,
  Failure,
  FileLink,
  FailureReason,
  LedgerEntry,
  LedgerKind,
  LedgerPage,
  MadeBy,
  Member,
  MemberBody,
  MemberList,
  Modality,
  Outcome,
  PendingResult,
  PlanLimits,
  Policy,
  Price,
  ProbeBody,
  ProbeResponse,
  SavedSchema,
  SchemaBody,
  SchemaPage,
  SubmitBody,
  SubmitResponse,
  SessionItem,
  SessionList,
  SignInMethods,
  SourceKind,
  Summary,
  TopUpPage,
  TopUpRequest,
  UsageDay,
  UsageReport,
  CreatedApiKey,
  CreditPack,
  CreatedWebhookEndpoint,
  DeliveryStatus,
  RedeliverAnswer,
  RotatedWebhookSecret,
  WebhookAttempt,
  WebhookDelivery,
  WebhookDeliveryDetail,
  WebhookDeliveryPage,
  WebhookEndpoint,
  WebhookEndpointBody,
  WebhookEndpointList,
  WebhookEventName
} from "./generated/types.ts";
