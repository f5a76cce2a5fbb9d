/** Shown when the session ends: what the user typed is kept until they sign in again. */
import { useState } from "preact/hooks";
import { cache, keys } from "../../data/cache.ts";
import { Dialog } from "../../parts/Dialog.tsx";
import { endSession } from "../../data/session.ts";
import { signInPath } from "../../data/signIn.ts";
import { words } from "../../words/words.ts";

export const SessionEnded = () => {
  const [isStillOut, setStillOut] = useState(false);
  const again = async (): Promise<void> => {
    await cache.refetchQueries({ queryKey: keys.account });
    setStillOut(true);
  };
  return (
    <Dialog title={words.ended.title} onClose={() => undefined} isFirm>
      <p>{words.ended.text}</p>
      {isStillOut ? <p role="status">{words.ended.still}</p> : null}
      <div class="row end">
        <button class="button" type="button" onClick={endSession}>
          {words.ended.leave}
        </button>
        <a class="button" href={signInPath(null)} target="_blank" rel="noopener">
          {words.signedOut.signIn}
        </a>
        <button class="button main" type="button" onClick={() => void again()}>
          {words.ended.again}
        </button>
      </div>
    </Dialog>
  );
};
