/** Members of the account, who may sign in without a link from the operator, and invitations. */
import { useQuery } from "@tanstack/preact-query";
import type { Member } from "@winnow/client";
import { useState } from "preact/hooks";
import { changed, keys } from "../../data/cache.ts";
import { winnow } from "../../data/client.ts";
import { useEndpoints } from "../../data/deliveries.ts";
import { Ask } from "../../parts/Dialog.tsx";
import { Waiting } from "../../parts/Waiting.tsx";
import { accountWords } from "./words.ts";
import { Time } from "../../parts/Time.tsx";
import { day } from "../../words/format.ts";
import { Form } from "../../parts/Form.tsx";

// Removes a member, and offers to revoke what they made, or withdraws an invitation.

const isInvited = ({ status }: Member): boolean => status === "invited";

const nameOf = ({ email, name }: Member): string => email ?? name ?? "";

/** One line for each thing that the member made and that would stay; undefined while it is loading. */
const useMade = (
  { id, status }: Member,
  members: ReadonlyArray<Member>
): ReadonlyArray<string> | undefined => {
  const enabled = status === "member";
  const apiKeys = useQuery({
    queryKey: keys.apiKeys,
    queryFn: ({ signal }) => winnow.apiKeys.list({ signal }),
    enabled
  });
  const endpoints = useEndpoints();
  if (!enabled) return [];
  if (apiKeys.data === undefined || endpoints.data === undefined) return undefined;
  const isTheirs = ({ createdBy }: { readonly createdBy: string | null }) => createdBy === id;
  return [
    ...apiKeys.data.data.filter(isTheirs).map(({ name }) => accountWords.madeKey(name)),
    ...endpoints.data.data.filter(isTheirs).map(({ url }) => accountWords.madeEndpoint(url)),
    ...members
      .filter((each) => isInvited(each) && each.invitedBy === id)
      .map((each) => accountWords.madeInvitation(nameOf(each)))
  ];
};

const Made = ({
  lines,
  isRevoking,
  onChange
}: {
  readonly lines: ReadonlyArray<string>;
  readonly isRevoking: boolean;
  readonly onChange: (isRevoking: boolean) => void;
}) => (
  <>
    <p>{accountWords.madeThese}</p>
    <ul class="hint">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
    <label class="check">
      <input
        type="checkbox"
        checked={isRevoking}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      {accountWords.revokeMade}
    </label>
  </>
);

const LIST = ["members"];

const RemoveMember = ({
  member,
  members,
  onClose
}: {
  readonly member: Member;
  readonly members: ReadonlyArray<Member>;
  readonly onClose: () => void;
}) => {
  const [isRevoking, setRevoking] = useState(true);
  const made = useMade(member, members);
  const texts = isInvited(member)
    ? {
        title: accountWords.withdrawTitle,
        text: accountWords.withdrawText,
        action: accountWords.withdraw
      }
    : { title: accountWords.removeTitle, text: accountWords.removeText, action: accountWords.remove };
  return (
    <Ask
      title={texts.title(nameOf(member))}
      action={texts.action}
      isDisabled={made === undefined}
      does={() => winnow.members.remove(member.id, { revoke: isRevoking && (made ?? []).length > 0 })}
      then={() => changed(LIST, keys.apiKeys, keys.endpoints)}
      onClose={onClose}
    >
      <p>{texts.text}</p>
      {made === undefined || made.length === 0 ? null : (
        <Made lines={made} isRevoking={isRevoking} onChange={setRevoking} />
      )}
    </Ask>
  );
};

const Day = ({ iso }: { readonly iso: string }) => <time dateTime={iso}>{day(iso)}</time>;

const MemberRow = ({ member, onRemove }: { readonly member: Member; readonly onRemove: () => void }) => (
  <li>
    <div class="grow">
      <strong>{nameOf(member)}</strong>
      <p class="hint">
        {isInvited(member) ? accountWords.invitedUntil : accountWords.memberSince}{" "}
        {isInvited(member) ? (
          <Day iso={member.expiresAt ?? member.createdAt} />
        ) : (
          <Time iso={member.createdAt} />
        )}
      </p>
    </div>
    <button class="button small" type="button" onClick={onRemove}>
      {isInvited(member) ? accountWords.withdraw : accountWords.remove}
      <span class="sr"> {nameOf(member)}</span>
    </button>
  </li>
);

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
  const [leaving, setLeaving] = useState<Member | null>(null);
  return (
    <section class="stack tight" aria-label={accountWords.members}>
      <h2>{accountWords.members}</h2>
      <p class="hint">{accountWords.membersHint}</p>
      <Waiting query={query} lines={1}>
        {({ data }) =>
          data.length === 0 ? null : (
            <ul class="panel cards">
              {data.map((member) => (
                <MemberRow key={member.id} member={member} onRemove={() => setLeaving(member)} />
              ))}
            </ul>
          )
        }
      </Waiting>
      <AddMember />
      {leaving === null ? null : (
        <RemoveMember member={leaving} members={query.data?.data ?? []} onClose={() => setLeaving(null)} />
      )}
    </section>
  );
};
