/** Signed-in browsers, and signing out all of them. */
import { useQuery } from "@tanstack/preact-query";
import type { SessionItem } from "@winnow/client";
import { useState } from "preact/hooks";
import { winnow } from "../../data/client.ts";
import { Confirm } from "../../parts/Dialog.tsx";
import { Problem, useAct } from "../../parts/Problem.tsx";
import { Time } from "../../parts/Time.tsx";
import { Waiting } from "../../parts/Waiting.tsx";
import { words } from "../../words/words.ts";

/** Shortens user agents to the browser's name and the system. */
const browserName = (userAgent: string): string => {
  const name = /(?:Edg|OPR|Firefox|Chrome|Version)\/\d+/u.exec(userAgent)?.[0].replace("Version", "Safari");
  const system = /Windows|Android|iPhone|iPad|Mac OS X|Linux/u.exec(userAgent)?.[0];
  const parts = [name?.replace("/", " "), system].filter((part) => part !== undefined);
  return parts.length === 0 ? userAgent : parts.join(", ");
};

const SessionRow = ({ session }: { readonly session: SessionItem }) => (
  <li>
    <div class="grow">
      <strong>
        {session.userAgent === null ? words.account.someBrowser : browserName(session.userAgent)}
      </strong>
      <p class="hint">
        {words.account.signedInAt} <Time iso={session.createdAt} />
        {session.current ? ` · ${words.account.thisBrowser}` : ""}
      </p>
    </div>
  </li>
);

export const Sessions = ({ onLeft }: { readonly onLeft: () => void }) => {
  const query = useQuery({
    queryKey: ["sessions"],
    queryFn: ({ signal }) => winnow.session.list({ signal })
  });
  const [isAsking, setAsking] = useState(false);
  const { act, isBusy, error } = useAct();
  return (
    <section class="stack tight" aria-label={words.account.sessions}>
      <div class="row">
        <h2>{words.account.sessions}</h2>
        <button class="button small end" type="button" onClick={() => setAsking(true)}>
          {words.account.signOutAll}
        </button>
      </div>
      <Waiting query={query} lines={2}>
        {({ data }) => (
          <ul class="panel cards">
            {data.map((session) => (
              <SessionRow key={session.id} session={session} />
            ))}
          </ul>
        )}
      </Waiting>
      {isAsking ? (
        <Confirm
          title={words.account.signOutAll}
          action={words.account.signOutAll}
          isBusy={isBusy}
          onClose={() => setAsking(false)}
          onConfirm={() => void act(() => winnow.session.signOutEverywhere(), onLeft)}
        >
          <p>{words.account.signOutAllText}</p>
          {error === null ? null : <Problem error={error} />}
        </Confirm>
      ) : null}
    </section>
  );
};
