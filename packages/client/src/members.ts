/** People who may sign in to the account without a link. Requires a web session. */
import type { Call } from "./call.ts";
import type { Member, MemberBody, MemberList } from "./generated/types.ts";
import { itemPath } from "./itemPath.ts";
import { sendJson, type RequestOptions, type Transport } from "./request.ts";

const PATH = "/v1/members";

export class Members {
  private readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /** Oldest first. */
  list(options: RequestOptions = {}): Call<MemberList> {
    return sendJson(this.transport, { method: "GET", path: PATH, ...options });
  }

  /** Adding the same address again returns the same member. */
  add(body: MemberBody, options: RequestOptions = {}): Call<Member> {
    return sendJson(this.transport, { method: "POST", path: PATH, body, ...options });
  }

  /** Ends their sessions at once. */
  remove(id: string, options: RequestOptions = {}): Call<void> {
    return sendJson(this.transport, { method: "DELETE", path: itemPath(PATH, "member", id), ...options });
  }
}
