/** What belongs to an account beside its extractions: keys, members, web sessions and credits. */
import type { Call, RequestOptions } from "../core/request.ts";
import type {
  ApiKeyBody,
  ApiKeyList,
  BillingOffer,
  CreatedApiKey,
  LedgerPage,
  Member,
  MemberBody,
  MemberList,
  SessionList,
  SignInMethods,
  TopUpPage,
  TopUpRequest
} from "../generated/types.ts";
import { itemPath } from "../core/itemPath.ts";
import { eachItem, Resource, type ListOptions, type PageOptions } from "../core/resource.ts";

/** API keys of the account. Requires a web session: a key cannot create other keys. */
export class ApiKeys extends Resource {
  /** Active keys, newest first. */
  list(options: RequestOptions = {}): Call<ApiKeyList> {
    return this.send("GET", "/v1/api-keys", options);
  }

  /** The returned `key` is shown only once. Not retried if the connection drops: check the list then. */
  create(body: ApiKeyBody = {}, options: RequestOptions = {}): Call<CreatedApiKey> {
    return this.send("POST", "/v1/api-keys", { body, maxRetries: 0, ...options });
  }

  /** Requests with this key fail with an UnauthorizedError at once. */
  revoke(id: string, options: RequestOptions = {}): Call<void> {
    return this.send("DELETE", itemPath("/v1/api-keys", "API key", id), options);
  }
}

interface MemberRemoval extends RequestOptions {
  /** Also revokes the API keys, webhook endpoints and open invitations that the member made. Default false. */
  readonly revoke?: boolean;
}

/** People who may sign in to the account without a link, and invitations. Requires a web session. */
export class Members extends Resource {
  /** Oldest first. */
  list(options: RequestOptions = {}): Call<MemberList> {
    return this.send("GET", "/v1/members", options);
  }

  /** Invites an address, whose owner accepts at the next sign-in. Inviting it again extends the invitation. */
  add(body: MemberBody, options: RequestOptions = {}): Call<Member> {
    return this.send("POST", "/v1/members", { body, ...options });
  }

  /** Ends their sessions at once, or withdraws the invitation. */
  remove(id: string, { revoke, ...options }: MemberRemoval = {}): Call<void> {
    const query = revoke === true ? "?revoke=true" : "";
    return this.send("DELETE", itemPath("/v1/members", "member", id, query), options);
  }
}

/** Web sessions, and ways to sign in. Requires a web session, except for {@link Session.signInMethods}. */
export class Session extends Resource {
  /** Web sessions of the account, including this one; newest first. */
  list(options: RequestOptions = {}): Call<SessionList> {
    return this.send("GET", "/v1/sessions", options);
  }

  /** Sign-in methods other than the operator's link. Works without being signed in. */
  signInMethods(options: RequestOptions = {}): Call<SignInMethods> {
    return this.send("GET", "/sign-in/methods", options);
  }

  /** Ends every session of the account, including this one, and invalidates unused sign-in links. */
  signOutEverywhere(options: RequestOptions = {}): Call<void> {
    return this.send("DELETE", "/v1/sessions", options);
  }

  /** Ends this session at once. */
  signOut(options: RequestOptions = {}): Call<void> {
    return this.send("DELETE", "/v1/session", options);
  }
}

/** Every change of the account's balance. */
export class Ledger extends Resource {
  /** One page, newest first; `cursor` is the `next_cursor` of the previous page. */
  page(options: PageOptions = {}): Call<LedgerPage> {
    return this.pageOf("/v1/ledger", options);
  }

  /** Every entry of the account, newest first. Pages are fetched as needed. */
  list(options: ListOptions = {}): AsyncGenerator<LedgerPage["data"][number]> {
    return eachItem((page) => this.page(page), options);
  }
}

/** Buying credits. */
export class Billing extends Resource {
  /** The credit packs for sale, or the operator's note on how to get more. */
  offer(options: RequestOptions = {}): Call<BillingOffer> {
    return this.send("GET", "/v1/billing", options);
  }

  /**
   * The checkout page for one of the packs: redirect the browser to it. Credits are added after the payment.
   * Requires a web session. Not retried.
   */
  topUp(body: TopUpRequest, options: RequestOptions = {}): Call<TopUpPage> {
    return this.send("POST", "/v1/top-ups", { body, maxRetries: 0, ...options });
  }
}
