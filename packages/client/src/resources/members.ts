/** What the methods of an account's members take beyond the API. */
import type { Call, RequestOptions } from "../core/request.ts";
import { pathOf } from "../core/itemPath.ts";
import * as Generated from "../generated/resources.ts";

interface MemberRemoval extends RequestOptions {
  /** Also revokes the API keys, webhook endpoints and open invitations that the member made. Default false. */
  readonly revoke?: boolean;
}

/** People who may sign in to the account without a link, and invitations. Requires a web session. */
export class Members extends Generated.Members {
  /** Ends their sessions at once, or withdraws the invitation. */
  remove(id: string, { revoke, ...options }: MemberRemoval = {}): Call<void> {
    const query = revoke === true ? "?revoke=true" : "";
    return this.send("DELETE", pathOf(`/v1/members/{member}${query}`, id), options);
  }
}
