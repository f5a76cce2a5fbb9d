/** Members of the account, who may sign in without a link from the operator, and invitations. */
import { useQuery } from "@tanstack/preact-query";
import type { Member } from "@winnow/client";
import { useState } from "preact/hooks";
import { cache, keys } from "../../data/cache.ts";
import { winnow } from "../../data/client.ts";
import { Problem, useAct } from "../../parts/Problem.tsx";
import { Time } from "../../parts/Time.tsx";
import { Waiting } from "../../parts/Waiting.tsx";
import { day } from "../../words/measures.ts";
import { words } from "../../words/words.ts";
import { isInvited, nameOf, RemoveMember } from "./RemoveMember.tsx";

const changed = (): void => void cache.invalidateQueries({ queryKey: keys.members });

const Day = ({ iso }: { readonly iso: string }) => <time dateTime={iso}>{day(iso)}</time>;

const MemberRow = ({ member, onRemove }: { readonly member: Member; readonly onRemove: () => void }) => (
  <li>
    <div class="grow">
      <strong>{nameOf(member)}</strong>
      <p class="hint">
        {isInvited(member) ? words.account.invitedUntil : words.account.memberSince}{" "}
        {isInvited(member) ? (
          <Day iso={member.expiresAt ?? member.createdAt} />
        ) : (
          <Time iso={member.createdAt} />
        )}
      </p>
    </div>
    <button class="button small" type="button" onClick={onRemove}>
      {isInvited(member) ? words.account.withdraw : words.account.remove}
      <span class="sr"> {nameOf(member)}</span>
    </button>
  </li>
);

const AddMember = () => {
  const [email, setEmail] = useState("");
  const { act, isBusy, error } = useAct();
  return (
    <form
      class="stack tight"
      onSubmit={(event) => {
        event.preventDefault();
        void act(
          () => winnow.members.add({ email }),
          () => {
            setEmail("");
            changed();
          }
        );
      }}
    >
      <label class="stack tight">
        {words.account.memberEmail}
        <span class="row">
          <input
            class="grow"
            type="email"
            required
            autocomplete="off"
            value={email}
            onInput={(event) => setEmail(event.currentTarget.value)}
          />
          <button class="button" type="submit" disabled={isBusy}>
            {words.account.addMember}
          </button>
        </span>
      </label>
      {error === null ? null : <Problem error={error} />}
    </form>
  );
};

export const Members = () => {
  const query = useQuery({
    queryKey: keys.members,
    queryFn: ({ signal }) => winnow.members.list({ signal })
  });
  const [leaving, setLeaving] = useState<Member | null>(null);
  return (
    <section class="stack tight" aria-label={words.account.members}>
      <h2>{words.account.members}</h2>
      <p class="hint">{words.account.membersHint}</p>
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
