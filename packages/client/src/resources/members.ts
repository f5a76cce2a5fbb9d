/** People who may sign in to the account without a link, and invitations. Requires a web session. */
import type { Call } from "../core/call.ts";
import type { Member, MemberBody, MemberList } from "../generated/types.ts";
import { itemPath } from "../core/itemPath.ts";
import { sendJson, type RequestOptions, type Transport } from "../core/request.ts";

const PATH = "/v1/members";

export interface MemberRemoval extends RequestOptions {
  /** Also revokes the API keys, webhook endpoints and open invitations that the member made. Default false. */
  readonly revoke?: boolean;
}

export class Members {
  private readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /** Oldest first. */
  list(options: RequestOptions = {}): Call<MemberList> {
    return sendJson(this.transport, { method: "GET", path: PATH, ...options });
  }

  /** Invites an address, whose owner accepts at the next sign-in. Inviting it again extends the invitation. */
  add(body: MemberBody, options: RequestOptions = {}): Call<Member> {
    return sendJson(this.transport, { method: "POST", path: PATH, body, ...options });
  }

  /** Ends their sessions at once, or withdraws the invitation. */
  remove(id: string, options: MemberRemoval = {}): Call<void> {
    const path = itemPath(PATH, "member", id, options.revoke === true ? "?revoke=true" : "");
    return sendJson(this.transport, { method: "DELETE", path, ...options });
  }
}
