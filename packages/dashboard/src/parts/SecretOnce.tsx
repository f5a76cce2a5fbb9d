/** A secret that is shown only once: closes only after the user confirms that they saved it. */
import type { ComponentChildren } from "preact";
import { words } from "../words/words.ts";
import { Code } from "./Copy.tsx";
import { Dialog } from "./Dialog.tsx";

interface SecretOnceProps {
  readonly title: string;
  readonly secret: string;
  readonly onKept: () => void;
  /** How it is used. */
  readonly children?: ComponentChildren;
}

export const SecretOnce = ({ title, secret, onKept, children }: SecretOnceProps) => (
  <Dialog title={title} onClose={onKept} isFirm>
    <p>{words.secret.once}</p>
    <Code code={secret} label={title} />
    {children}
    <div class="row end">
      <button class="button main" type="button" onClick={onKept}>
        {words.secret.kept}
      </button>
    </div>
  </Dialog>
);
