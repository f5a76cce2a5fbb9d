/** Members of the account, who may sign in without a link from the operator, and invitations. */
import { useQuery } from "@tanstack/preact-query";
import type { Member } from "@winnow/client";
import { useApiKeys } from "../../data/apiKeys.ts";
import { changed, keys } from "../../data/cache.ts";
import { winnow } from "../../data/client.ts";
import { useEndpoints } from "../../data/deliveries.ts";
import { AskButton } from "../../parts/Dialog.tsx";
import { Waiting } from "../../parts/Waiting.tsx";
import { accountWords } from "./words.ts";
import { day } from "../../words/format.ts";
import { Form } from "../../parts/Form.tsx";

const isInvited = ({ status }: Member): boolean => status === "invited";

const nameOf = ({ email, name }: Member): string => email ?? name ?? "";

interface MadeProps {
  readonly member: Member;
  readonly members: ReadonlyArray<Member>;
}

/** What the member made and that would stay, unless it is revoked. */
const Made = ({ member: { id }, members }: MadeProps) => {
  const apiKeys = useApiKeys().data?.data;
  const endpoints = useEndpoints().data?.data;
  const isTheirs = ({ createdBy }: { readonly createdBy: string | null }) => createdBy === id;
  const lines = [
    ...(apiKeys ?? []).filter(isTheirs).map(({ name }) => accountWords.madeKey(name)),
    ...(endpoints ?? []).filter(isTheirs).map(({ url }) => accountWords.madeEndpoint(url)),
    ...members
      .filter((each) => isInvited(each) && each.invitedBy === id)
      .map((each) => accountWords.madeInvitation(nameOf(each)))
  ];
  if (apiKeys !== undefined && endpoints !== undefined && lines.length === 0) return null;
  return (
    <>
      <p>{accountWords.madeThese}</p>
      <ul class="hint">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <label class="check">
        <input type="checkbox" name="revoke" defaultChecked />
        {accountWords.revokeMade}
      </label>
    </>
  );
};

const LIST = ["members"];

const MemberRow = ({ member, members }: MadeProps) => {
  const words = isInvited(member) ? accountWords.invitation : accountWords.membership;
  return (
    <li>
      <div class="grow">
        <strong>{nameOf(member)}</strong>
        <p class="hint">
          {words.since} {day(member.expiresAt ?? member.createdAt)}
        </p>
      </div>
      <AskButton
        kind="button small"
        label={
          <>
            {words.end}
            <span class="sr"> {nameOf(member)}</span>
          </>
        }
        title={words.title(nameOf(member))}
        action={words.end}
        does={(valueOf) => winnow.members.remove(member.id, { revoke: valueOf("revoke") !== "" })}
        then={() => changed(LIST, keys.apiKeys, keys.endpoints)}
      >
        <p>{words.text}</p>
        {isInvited(member) ? null : <Made member={member} members={members} />}
      </AskButton>
    </li>
  );
};

const AddMember = () => (
  <Form
    class="stack tight"
    onSubmit={async (valueOf, form) => {
      await winnow.members.add({ email: valueOf("email") });
      form.reset();
      changed(LIST);
    }}
  >
    <label class="stack tight">
      {accountWords.memberEmail}
      <span class="row">
        <input class="grow" name="email" type="email" required autocomplete="off" />
        <button class="button" type="submit">
          {accountWords.addMember}
        </button>
      </span>
    </label>
  </Form>
);

export const Members = () => {
  const query = useQuery({
    queryKey: LIST,
    queryFn: ({ signal }) => winnow.members.list({ signal })
  });
  return (
    <section class="stack tight" aria-label={accountWords.members}>
      <h2>{accountWords.members}</h2>
      <p class="hint">{accountWords.membersHint}</p>
      <Waiting query={query} lines={1}>
        {({ data }) =>
          data.length === 0 ? null : (
            <ul class="panel cards">
              {data.map((member) => (
                <MemberRow key={member.id} member={member} members={data} />
              ))}
            </ul>
          )
        }
      </Waiting>
      <AddMember />
    </section>
  );
};
