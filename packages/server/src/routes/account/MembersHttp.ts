/**
 * Handlers of the account's members.
 */
import type { Member } from "@winnow/core/domain/access/Member";
import { Members } from "@winnow/core/engine/accounts/Members";
import * as Effect from "effect/Effect";
import type { HttpServerRequest } from "effect/http/HttpServerRequest";
import { InvalidRequest } from "../../http/ApiErrors.ts";
import { withApiErrors } from "../../http/handlers.ts";
import { Principal } from "../../http/authentication/Authorization.ts";
import { MemberBody } from "./MemberWire.ts";
import { decodedBody } from "../../http/requestBody.ts";
import { dateTime } from "../../http/openapi/described.ts";

const memberItem = ({ id, email, subject, createdAtMs, expiresAtMs, invitedBy }: Member) => ({
  id,
  email,
  name: subject,
  status: subject === null ? ("invited" as const) : ("member" as const),
  createdAt: dateTime(createdAtMs),
  expiresAt: expiresAtMs === null ? null : dateTime(expiresAtMs),
  invitedBy
});

/** Absent is `false`. @fails InvalidRequest {param:"revoke"} */
const revokeOf = (text: string | undefined): Effect.Effect<boolean, InvalidRequest> =>
  text === undefined || text === "false" || text === "true"
    ? Effect.succeed(text === "true")
    : Effect.fail(
        new InvalidRequest({
          error: { message: "`revoke` must be `true` or `false`.", details: { param: "revoke" } }
        })
      );

export const makeMembers = Effect.map(Members, (members) => ({
  list: Effect.fn("http.listMembers")(function* () {
    const { accountId } = yield* Principal;
    return { data: (yield* members.list(accountId)).map(memberItem) };
  }),
  add: Effect.fn("http.addMember")(function* (request: HttpServerRequest) {
    const { accountId, memberId } = yield* Principal;
    const { email } = yield* decodedBody(request, MemberBody);
    return memberItem(yield* members.invite(accountId, email, memberId));
  }, withApiErrors),
  remove: Effect.fn("http.removeMember")(function* (id: string, query: { readonly revoke?: string }) {
    const { accountId } = yield* Principal;
    const isRevoking = yield* revokeOf(query.revoke);
    yield* members.remove(accountId, id, isRevoking);
  }, withApiErrors)
}));
