/** Members of the account, who may sign in without a link from the operator. */
import { useQuery } from "@tanstack/preact-query";
import type { Member } from "@winnow/client";
import { useState } from "preact/hooks";
import { cache, keys } from "../../data/cache.ts";
import { winnow } from "../../data/client.ts";
import { Confirm } from "../../parts/Dialog.tsx";
import { Problem } from "../../parts/Problem.tsx";
import { Time } from "../../parts/Time.tsx";
import { useAct } from "../../parts/useAct.ts";
import { Waiting } from "../../parts/Waiting.tsx";
import { words } from "../../words/words.ts";

const changed = (): void => void cache.invalidateQueries({ queryKey: keys.members });

const nameOf = ({ email, name }: Member): string => email ?? name ?? "";

const MemberRow = ({ member, onRemove }: { readonly member: Member; readonly onRemove: () => void }) => (
  <li>
    <div class="grow">
      <strong>{nameOf(member)}</strong>
      <p class="hint">
        {member.name === null ? words.account.waits : words.account.memberSince}{" "}
        <Time iso={member.createdAt} />
      </p>
    </div>
    <button class="button small" type="button" onClick={onRemove}>
      {words.account.remove}
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

const Remove = ({ member, onClose }: { readonly member: Member; readonly onClose: () => void }) => {
  const { act, isBusy, error } = useAct();
  const remove = (): void =>
    void act(
      () => winnow.members.remove(member.id),
      () => {
        changed();
        onClose();
      }
    );
  return (
    <Confirm
      title={words.account.removeTitle(nameOf(member))}
      action={words.account.remove}
      isBusy={isBusy}
      onClose={onClose}
      onConfirm={remove}
    >
      <p>{words.account.removeText}</p>
      {error === null ? null : <Problem error={error} />}
    </Confirm>
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
      {leaving === null ? null : <Remove member={leaving} onClose={() => setLeaving(null)} />}
    </section>
  );
};
