/**
 * The public API of the client. Anything not exported here may change without notice. What it loads has a budget
 * (bench/sizes.ts). Tests: typing.test.ts.
 */
export { Winnow, type WinnowOptions } from "./winnow.ts";
export type { SubmitManyOptions } from "./resources/submitMany.ts";
export { Batches, type BatchQuote, type BatchSubmission } from "./resources/batches.ts";
export type { Concurrent, ConcurrencyOptions, Settled } from "./resources/submitMany.ts";
export type { Answer, Call } from "./core/call.ts";
export {
  SchemaMismatchError,
  type ExtractionOf,
  type ExtractionSchema,
  type SchemaIssue
} from "./schema/extractionSchema.ts";
export {
  ApiKeys,
  Billing,
  Ledger,
  Members,
  Session,
  WebhookDeliveries,
  WebhookEndpoints,
  type ExtractionFilter,
  type ResultFilter,
  type UsageOptions,
  type WebhookDeliveryFilter as DeliveryFilter
} from "./generated/resources.ts";
export { Extractions, type SchemaOption } from "./resources/extractions.ts";
export type { ExtractionEvent } from "./resources/events.ts";
export type { JsonSchema, JsonSchemaValue, Values } from "./schema/jsonSchemaValue.ts";
export type {
  CompleteFields,
  CompleteResult,
  DownloadResult,
  OkResult,
  RejectedResult,
  TerminalResult
} from "./schema/results.ts";
export type {
  StandardIssue,
  StandardResult,
  StandardSchema,
  StandardValue
} from "./schema/extractionSchema.ts";
export type { Inquiry, ListingSubmission, Submission, SubmitOptions } from "./resources/submission.ts";
export { Files, type FileOptions } from "./resources/files.ts";
export type { ListOptions, PageOptions } from "./core/resource.ts";
export { Results, type CsvOptions } from "./resources/results.ts";
export { Schemas, type SchemaToSave } from "./resources/schemas.ts";
export type { RequestOptions } from "./core/request.ts";
export type { WaitOptions, WaitProgress } from "./resources/wait.ts";
export {
  ApiError,
  type ApiErrorFields,
  type ErrorCode,
  type ErrorDetails,
  WinnowError
} from "./core/apiError.ts";
export * from "./core/errors.ts";
export * from "./generated/errors.ts";
export * from "./generated/rules.ts";
export { newIdempotencyKey } from "./core/idempotencyKey.ts";
export type { LogEntry, LogFields, Logger } from "./core/log.ts";
/** Every shape of the API; a name above comes before one there. */
export type * from "./generated/types.ts";
