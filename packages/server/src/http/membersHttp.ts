/**
 * Handlers of the account's members.
 */
import type { Member } from "@winnow/core/domain/Member";
import { SignIn } from "@winnow/core/engine/SignIn";
import * as Effect from "effect/Effect";
import type { HttpServerRequest } from "effect/http/HttpServerRequest";
import { MemberBody } from "../api/MemberWire.ts";
import { Principal } from "../api/Authorization.ts";
import { decodedBody } from "./decodedBody.ts";
import { actionRefusals, notFound } from "./refusals.ts";
import { dateTime } from "./wire.ts";

const memberItem = ({ id, email, subject, createdAtMs }: Member) => ({
  id,
  email,
  name: subject,
  createdAt: dateTime(createdAtMs)
});

export const makeMembers = Effect.map(SignIn, (signIn) => ({
  list: Effect.fn("http.listMembers")(function* () {
    const { accountId } = yield* Principal;
    return { data: (yield* signIn.listMembers(accountId)).map(memberItem) };
  }),
  add: Effect.fn("http.addMember")(function* (request: HttpServerRequest) {
    const { accountId } = yield* Principal;
    const { email } = yield* decodedBody(request, MemberBody);
    return memberItem(yield* signIn.addMember(accountId, email).pipe(Effect.catchTags(actionRefusals)));
  }),
  remove: Effect.fn("http.removeMember")(function* (id: string) {
    const { accountId } = yield* Principal;
    yield* signIn.removeMember(accountId, id).pipe(Effect.catchTag("NotFound", notFound));
  })
}));
