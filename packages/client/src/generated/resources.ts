// @generated from packages/server/openapi.json by scripts/resources.ts: do not edit.

import type { RequestOptions } from "../core/request.ts";
import type { Call } from "../core/call.ts";
import { pathOf } from "../core/itemPath.ts";
import { eachItem, Resource, type ListOptions, type PageOptions } from "../core/resource.ts";
import { postOnce, type SubmitOptions } from "../resources/submission.ts";
import type { Account, AccountBody, AccountChangeBody, AccountOverview, AccountPage, ApiKey, ApiKeyBody, ApiKeyList, Balance, Batch, BatchChangeBody, BatchPage, BillingOffer, CorrectionsBody, CreatedApiKey, CreatedWebhookEndpoint, ExtractionDetail, ExtractionPage, Health, LedgerPage, Member, MemberBody, MemberList, RedeliverAnswer, RedeliverBody, ResultLink, ResultLinkBody, ResultPage, RotatedWebhookSecret, RunRoute, SavedSchema, SchemaPage, SessionList, SignInLink, SignInMethods, SourceRouteList, TopUpBody, TopUpPage, TopUpRequest, UsageReport, WebhookDelivery, WebhookDeliveryDetail, WebhookDeliveryPage, WebhookEndpoint, WebhookEndpointBody, WebhookEndpointList } from "./types.ts";

/** All filters must match. */
export interface ExtractionFilter {
  /** Filter by status: `queued`, `pending`, `running`, `complete` or `failed`. */
  readonly status?: "queued" | "pending" | "running" | "complete" | "failed" | (string & {}) | undefined;
  /** Filter by outcome: `ok`, `no_match` or `uncertain`. */
  readonly outcome?: "ok" | "no_match" | "uncertain" | (string & {}) | undefined;
  /** Filter by kind: `video`, `photos` or `webpage`. */
  readonly kind?: "video" | "photos" | "webpage" | (string & {}) | undefined;
  /** Only extractions with this saved or predefined schema. */
  readonly schemaId?: string | undefined;
  /** Only extractions that this API key submitted. */
  readonly apiKeyId?: string | undefined;
  /** Only items of this batch; `none`: of no batch. */
  readonly batchId?: string | undefined;
  /** Date and time (RFC 3339): only extractions submitted then or later. */
  readonly since?: Date | string | undefined;
  /** Date and time (RFC 3339): only extractions submitted before. */
  readonly until?: Date | string | undefined;
  /** Only extractions whose title or URL contains this text, ignoring case; at most 200 characters. */
  readonly q?: string | undefined;
}

/** All filters must match. */
export interface ResultFilter {
  /** Only runs with this saved or predefined schema; required for CSV of rows that have several. */
  readonly schemaId?: string | undefined;
  /** Only items of this batch; `none`: of no batch. */
  readonly batchId?: string | undefined;
  /** Date and time (RFC 3339): only runs submitted then or later. */
  readonly since?: Date | string | undefined;
  /** Only rows with a value that is `quoted`, `unsupported` or `not_stated`. */
  readonly support?: "quoted" | "unsupported" | "not_stated" | (string & {}) | undefined;
}

/** All filters must match. */
export interface WebhookDeliveryFilter {
  /** Filter by status: `pending`, `delivered` or `failed`. */
  readonly status?: "pending" | "delivered" | "failed" | (string & {}) | undefined;
}

export interface UsageOptions extends RequestOptions {
  /** 1 to 90; 30 by default. */
  readonly days?: number | undefined;
  /** `YYYY-MM`, UTC: the days of that month up to today, in place of the last `days`. */
  readonly month?: string | undefined;
}

export interface MembersRemoveOptions extends RequestOptions {
  /** `true` also revokes the API keys, webhook endpoints and open invitations that the member made. */
  readonly revoke?: boolean | undefined;
}

/** All filters must match. */
export interface AccountFilter {
  /** An id, or part of a name. */
  readonly q?: string | undefined;
}

export class Extractions extends Resource {
  /** One page. The account's extractions, newest first. All filters must match. With several filters, or with `q`, one page scans at most 5,000 extractions: it may have fewer entries than `limit`, or none, while `has_more` is true. Continue with `next_cursor`. */
  page(options: PageOptions & ExtractionFilter = {}): Call<ExtractionPage> {
    return this.pageOf("/v1/extractions", options);
  }

  /** Everything, in the same order. Pages are fetched as needed. */
  list(options: ListOptions & ExtractionFilter = {}): AsyncGenerator<ExtractionPage["data"][number]> {
    return eachItem((page) => this.page(page), options);
  }

  /** Status and credits. */
  get(id: string, options: RequestOptions = {}): Call<ExtractionDetail> {
    return this.send("GET", pathOf("/v1/extractions/{extraction}", id), options);
  }

  /** Cancels the extraction if it has not ended. Deletes result, files and prompt; its idempotency key then returns 409. Ledger entries remain. */
  delete(id: string, options: RequestOptions = {}): Call<void> {
    return this.send("DELETE", pathOf("/v1/extractions/{extraction}", id), options);
  }

  /** Stops the extraction and refunds it in full. It becomes `failed` with the reason `cancelled`. One that has already ended is returned unchanged. */
  cancel(id: string, options: RequestOptions = {}): Call<ExtractionDetail> {
    return this.send("POST", pathOf("/v1/extractions/{extraction}/cancel", id), options);
  }
}

export class Batches extends Resource {
  /** One page. Newest first, without their items. */
  page(options: PageOptions = {}): Call<BatchPage> {
    return this.pageOf("/v1/batches", options);
  }

  /** Everything, in the same order. Pages are fetched as needed. */
  list(options: ListOptions = {}): AsyncGenerator<BatchPage["data"][number]> {
    return eachItem((page) => this.page(page), options);
  }

  /** With every item and its state. */
  get(id: string, options: RequestOptions = {}): Call<Batch> {
    return this.send("GET", pathOf("/v1/batches/{batch}", id), options);
  }

  /** Gives it another name. */
  update(id: string, body: BatchChangeBody, options: RequestOptions = {}): Call<Batch> {
    return this.send("PATCH", pathOf("/v1/batches/{batch}", id), { ...options, body });
  }

  /** What has started goes on; everything else waits. */
  pause(id: string, options: RequestOptions = {}): Call<Batch> {
    return this.send("POST", pathOf("/v1/batches/{batch}/pause", id), options);
  }

  /** Continues a paused batch. */
  resume(id: string, options: RequestOptions = {}): Call<Batch> {
    return this.send("POST", pathOf("/v1/batches/{batch}/resume", id), options);
  }

  /** Cancels every item that has not ended, with its refund. Results that exist remain. */
  cancel(id: string, options: RequestOptions = {}): Call<Batch> {
    return this.send("POST", pathOf("/v1/batches/{batch}/cancel", id), options);
  }

  /** Submits every failed item again, at its price now and in one debit. Each gets a new extraction in its place. Not retried if the connection drops: look first what was done. */
  retryFailed(id: string, options: RequestOptions = {}): Call<Batch> {
    return this.send("POST", pathOf("/v1/batches/{batch}/retry-failed", id), { ...options, maxRetries: 0 });
  }
}

export class Results extends Resource {
  /** One page. The values of complete AI runs with outcome `ok`, newest first. As CSV or JSON lines, all rows are streamed, and `limit` and `cursor` do not apply. A page may be short while `has_more` is true. */
  page(options: PageOptions & ResultFilter = {}): Call<ResultPage> {
    return this.pageOf("/v1/results", options);
  }

  /** Everything, in the same order. Pages are fetched as needed. */
  list(options: ListOptions & ResultFilter = {}): AsyncGenerator<ResultPage["data"][number]> {
    return eachItem((page) => this.page(page), options);
  }

  /** A URL that gives anyone who has it these rows, as they are whenever it is opened, for 30 days and without a key: for a spreadsheet that imports them. It ends with the API key that made it. One of a web session outlasts it, and ends when the account is signed out everywhere or its member is removed. */
  link(body: ResultLinkBody = {}, options: RequestOptions = {}): Call<ResultLink> {
    return this.send("POST", "/v1/results/links", { ...options, body });
  }

  /** Keeps corrected values beside those of the result, which stay as they are. They must fit the schema, and are deleted with the extraction. */
  correct(id: string, body: CorrectionsBody, options: RequestOptions = {}): Call<CorrectionsBody> {
    return this.send("PUT", pathOf("/v1/extractions/{extraction}/corrections", id), { ...options, body });
  }

  /** Only the values that the run read remain. */
  removeCorrections(id: string, options: RequestOptions = {}): Call<void> {
    return this.send("DELETE", pathOf("/v1/extractions/{extraction}/corrections", id), options);
  }
}

export class Schemas extends Resource {
  /** One page. Saved and predefined schemas, newest first; a page ends at a megabyte, and may have fewer than `limit`. */
  page(options: PageOptions = {}): Call<SchemaPage> {
    return this.pageOf("/v1/schemas", options);
  }

  /** Everything, in the same order. Pages are fetched as needed. */
  list(options: ListOptions = {}): AsyncGenerator<SchemaPage["data"][number]> {
    return eachItem((page) => this.page(page), options);
  }

  /** A saved or predefined schema. */
  get(id: string, options: RequestOptions = {}): Call<SavedSchema> {
    return this.send("GET", pathOf("/v1/schemas/{schema}", id), options);
  }

  /** Runs that use it keep their copy. Predefined schemas cannot be deleted. */
  delete(id: string, options: RequestOptions = {}): Call<void> {
    return this.send("DELETE", pathOf("/v1/schemas/{schema}", id), options);
  }
}

export class WebhookEndpoints extends Resource {
  /** In the order of registration, without secrets. */
  page(options: RequestOptions = {}): Call<WebhookEndpointList> {
    return this.send("GET", "/v1/webhook-endpoints", options);
  }

  /** Everything, in the same order. */
  async *list(options: RequestOptions = {}) {
    yield* (await this.page(options)).data;
  }

  /** The endpoint then receives an event for every extraction that ends. The URL must be https with a public host; at most 5 endpoints by default. If the URL is already registered, in any spelling, the response is 200 with the existing endpoint and no secret. */
  create(body: WebhookEndpointBody, options: SubmitOptions = {}): Call<WebhookEndpoint & Partial<CreatedWebhookEndpoint>> {
    return postOnce(this.transport, "/v1/webhook-endpoints", body, options);
  }

  /** Pending deliveries to it are cancelled; the log is kept. */
  delete(id: string, options: RequestOptions = {}): Call<void> {
    return this.send("DELETE", pathOf("/v1/webhook-endpoints/{endpoint}", id), options);
  }

  /** Sends the event `test`, signed and delivered like real events. */
  test(id: string, options: RequestOptions = {}): Call<WebhookDelivery> {
    return this.send("POST", pathOf("/v1/webhook-endpoints/{endpoint}/test", id), options);
  }

  /** For 24 hours, deliveries are signed with both secrets, so that receivers can be updated without missing any. Not retried if the connection drops: look first what was done. */
  rotateSecret(id: string, options: RequestOptions = {}): Call<RotatedWebhookSecret> {
    return this.send("POST", pathOf("/v1/webhook-endpoints/{endpoint}/rotate-secret", id), { ...options, maxRetries: 0 });
  }

  /** An endpoint that fails for 5 days is disabled. Missed events are sent again only on request. */
  enable(id: string, options: RequestOptions = {}): Call<WebhookEndpoint> {
    return this.send("POST", pathOf("/v1/webhook-endpoints/{endpoint}/enable", id), options);
  }
}

export class WebhookDeliveries extends Resource {
  /** One page. Newest first. */
  page(options: PageOptions & WebhookDeliveryFilter = {}): Call<WebhookDeliveryPage> {
    return this.pageOf("/v1/webhook-deliveries", options);
  }

  /** Everything, in the same order. Pages are fetched as needed. */
  list(options: ListOptions & WebhookDeliveryFilter = {}): AsyncGenerator<WebhookDeliveryPage["data"][number]> {
    return eachItem((page) => this.page(page), options);
  }

  /** Sends all deliveries that failed since a time again, with a fresh retry schedule. */
  redeliverFailed(body: RedeliverBody, options: RequestOptions = {}): Call<RedeliverAnswer> {
    return this.send("POST", "/v1/webhook-deliveries/redeliver", { ...options, body });
  }

  /** Includes every attempt. */
  get(id: string, options: RequestOptions = {}): Call<WebhookDeliveryDetail> {
    return this.send("GET", pathOf("/v1/webhook-deliveries/{delivery}", id), options);
  }

  /** Sends the same body again at once, with a fresh retry schedule. */
  redeliver(id: string, options: RequestOptions = {}): Call<WebhookDelivery> {
    return this.send("POST", pathOf("/v1/webhook-deliveries/{delivery}/redeliver", id), options);
  }
}

export class Root extends Resource {
  /** Balance, numbers of running and queued extractions, plan and limits. */
  account(options: RequestOptions = {}): Call<AccountOverview> {
    return this.send("GET", "/v1/account", options);
  }

  /** The last days up to today (UTC), or those of a month, oldest first, including days without usage. */
  usage(options: UsageOptions = {}): Call<UsageReport> {
    return this.query("GET", "/v1/usage", options);
  }
}

export class Billing extends Resource {
  /** The credits for sale, or the operator's note on how to get more. */
  offer(options: RequestOptions = {}): Call<BillingOffer> {
    return this.send("GET", "/v1/billing", options);
  }

  /** Returns the URL of the payment service's checkout page. Credits are added when that service reports the payment, usually within seconds; the first purchase adds the bonus. Not retried if the connection drops: look first what was done. */
  topUp(body: TopUpRequest, options: RequestOptions = {}): Call<TopUpPage> {
    return this.send("POST", "/v1/top-ups", { ...options, body, maxRetries: 0 });
  }
}

export class Ledger extends Resource {
  /** One page. Every change of the account's balance, newest first. Their sum is the balance. */
  page(options: PageOptions = {}): Call<LedgerPage> {
    return this.pageOf("/v1/ledger", options);
  }

  /** Everything, in the same order. Pages are fetched as needed. */
  list(options: ListOptions = {}): AsyncGenerator<LedgerPage["data"][number]> {
    return eachItem((page) => this.page(page), options);
  }
}

export class ApiKeys extends Resource {
  /** Without revoked keys. */
  list(options: RequestOptions = {}): Call<ApiKeyList> {
    return this.send("GET", "/v1/api-keys", options);
  }

  /** The key is shown once. An account can have at most 100. Not retried if the connection drops: look first what was done. */
  create(body: ApiKeyBody = {}, options: RequestOptions = {}): Call<CreatedApiKey> {
    return this.send("POST", "/v1/api-keys", { ...options, body, maxRetries: 0 });
  }

  /** Takes effect at once: requests with this key return 401. */
  revoke(id: string, options: RequestOptions = {}): Call<void> {
    return this.send("DELETE", pathOf("/v1/api-keys/{API key}", id), options);
  }
}

export class Session extends Resource {
  /** Ends this web session at once. */
  signOut(options: RequestOptions = {}): Call<void> {
    return this.send("DELETE", "/v1/session", options);
  }

  /** All web sessions of the account, including the current one. Empty if an embedding application handles sign-in. */
  list(options: RequestOptions = {}): Call<SessionList> {
    return this.send("GET", "/v1/sessions", options);
  }

  /** Ends every web session of the account, including this one, unused sign-in links, and the links to results that were not made with an API key. */
  signOutEverywhere(options: RequestOptions = {}): Call<void> {
    return this.send("DELETE", "/v1/sessions", options);
  }

  /** For the sign-in page. */
  signInMethods(options: RequestOptions = {}): Call<SignInMethods> {
    return this.send("GET", "/sign-in/methods", options);
  }
}

export class Members extends Resource {
  /** People who may sign in without a link from the operator, and open invitations, oldest first. */
  list(options: RequestOptions = {}): Call<MemberList> {
    return this.send("GET", "/v1/members", options);
  }

  /** Members are invited by e-mail address, which their identity provider must confirm. Its owner accepts or declines at the next sign-in, and stays a member if their address changes. The response does not depend on whether other accounts have invited the address or its owner has an account: a person who is a member of another account keeps it, and sees no invitations. An invitation expires after 14 days; inviting again extends it. An account can have at most 100 members and invitations. */
  add(body: MemberBody, options: RequestOptions = {}): Call<Member> {
    return this.send("POST", "/v1/members", { ...options, body });
  }

  /** Ends the member's sessions at once. What the member made stays, unless `revoke` is `true`: `createdBy` of API keys and webhook endpoints and `invitedBy` of invitations have the member's id. */
  remove(id: string, options: MembersRemoveOptions = {}): Call<void> {
    return this.query("DELETE", pathOf("/v1/members/{member}", id), options);
  }
}

export class AdminAccounts extends Resource {
  /** Its balance is 0. Not retried if the connection drops: look first what was done. */
  create(body: AccountBody, options: RequestOptions = {}): Call<Account> {
    return this.send("POST", "/admin/v1/accounts", { ...options, body, maxRetries: 0 });
  }

  /** One page. Newest first. */
  page(options: PageOptions & AccountFilter = {}): Call<AccountPage> {
    return this.pageOf("/admin/v1/accounts", options);
  }

  /** Everything, in the same order. Pages are fetched as needed. */
  list(options: ListOptions & AccountFilter = {}): AsyncGenerator<AccountPage["data"][number]> {
    return eachItem((page) => this.page(page), options);
  }

  /** Changes name, plan or limits. New limits apply from the next request. If the previous plan was cheaper, its prices apply for ten more minutes, so that no debit exceeds a recent quote. */
  update(id: string, body: AccountChangeBody = {}, options: RequestOptions = {}): Call<Account> {
    return this.send("PATCH", pathOf("/admin/v1/accounts/{account}", id), { ...options, body });
  }

  /** Name, balance, plan and limits. */
  get(id: string, options: RequestOptions = {}): Call<Account> {
    return this.send("GET", pathOf("/admin/v1/accounts/{account}", id), options);
  }

  /** Ends all web sessions of the account and invalidates unused sign-in links. */
  signOutEverywhere(id: string, options: RequestOptions = {}): Call<void> {
    return this.send("DELETE", pathOf("/admin/v1/accounts/{account}/sessions", id), options);
  }

  /** Which route served it. The account itself is not told. */
  runRoute(id: string, extractionId: string, options: RequestOptions = {}): Call<RunRoute> {
    return this.send("GET", pathOf("/admin/v1/accounts/{account}/extractions/{extraction}/route", id, extractionId), options);
  }
}

export class AdminApiKeys extends Resource {
  /** The key is shown once. Not retried if the connection drops: look first what was done. */
  create(id: string, body: ApiKeyBody = {}, options: RequestOptions = {}): Call<ApiKey> {
    return this.send("POST", pathOf("/admin/v1/accounts/{account}/api-keys", id), { ...options, body, maxRetries: 0 });
  }

  /** Takes effect at once: requests with this key return 401. */
  revoke(id: string, options: RequestOptions = {}): Call<void> {
    return this.send("DELETE", pathOf("/admin/v1/api-keys/{API key}", id), options);
  }
}

export class AdminTopUps extends Resource {
  /** The first top-up of an account adds a bonus of 1,000 credits. Send an `Idempotency-Key`: repeating the request then adds nothing and returns the current balance. */
  create(id: string, body: TopUpBody, options: SubmitOptions = {}): Call<Balance> {
    return postOnce(this.transport, pathOf("/admin/v1/accounts/{account}/top-ups", id), body, options);
  }
}

export class AdminSignInLinks extends Resource {
  /** A link whose page signs in to the account with a button. Works once, within 15 minutes. */
  create(id: string, options: RequestOptions = {}): Call<SignInLink> {
    return this.send("POST", pathOf("/admin/v1/accounts/{account}/sign-in-links", id), options);
  }
}

export class Admin extends Resource {
  /** The ways to sources, with rests and cookie files; of this process, like its metrics. */
  routes(options: RequestOptions = {}): Call<SourceRouteList> {
    return this.send("GET", "/admin/v1/routes", options);
  }

  /** 200 when the database responds and, in a process that executes runs, the worker is active. Not retried. */
  health(options: RequestOptions = {}): Call<Health> {
    return this.send("GET", "/readyz", { ...options, maxRetries: 0 });
  }
}
