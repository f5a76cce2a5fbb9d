/** Shown when the session ends: what the user typed is kept until they sign in again. Tests: browser.test.ts. */
import { useState } from "preact/hooks";
import { cache, keys } from "../../data/cache.ts";
import { Dialog } from "../../parts/Dialog.tsx";
import { endSession } from "../../data/session.ts";
import { signInPath } from "../../data/signIn.ts";
import { endedWords, signedOutWords } from "../signed-out/words.ts";

export const SessionEnded = () => {
  const [isStillOut, setStillOut] = useState(false);
  const again = async (): Promise<void> => {
    await cache.refetchQueries({ queryKey: keys.account });
    setStillOut(true);
  };
  return (
    <Dialog title={endedWords.title} onClose={() => undefined} isFirm>
      <p>{endedWords.text}</p>
      {isStillOut ? <p role="status">{endedWords.still}</p> : null}
      <div class="row end">
        <button class="button" type="button" onClick={endSession}>
          {endedWords.leave}
        </button>
        <a class="button" autoFocus href={signInPath(null)} target="_blank" rel="noopener">
          {signedOutWords.signIn}
        </a>
        <button class="button main" type="button" onClick={() => void again()}>
          {endedWords.again}
        </button>
      </div>
    </Dialog>
  );
};
