/** What to do if nobody is signed in. Tests: browser.test.ts, members.test.ts. */
import type { SignInMethods } from "@winnow/client";
import { useEffect } from "preact/hooks";
import { href, serverPath } from "../../data/addresses.ts";
import {
  allowAutomaticSignIn,
  rememberScreen,
  signInAutomatically,
  signInPath,
  useSignInMethods
} from "../../data/signIn.ts";
import { Form } from "../../parts/Form.tsx";
import { Alone } from "../../parts/Page.tsx";
import { signedOutWords } from "./words.ts";

const Methods = ({ data, ownSignIn, signInUrl }: SignInMethods) => {
  const automatic = data.find(({ isAutomatic }) => isAutomatic);
  useEffect(() => {
    if (automatic !== undefined) signInAutomatically(automatic.name);
  }, []);
  if (ownSignIn) {
    return signInUrl === null ? (
      <p>{signedOutWords.elsewhere}</p>
    ) : (
      <a class="button main" href={signInUrl}>
        {signedOutWords.signIn}
      </a>
    );
  }
  return (
    <>
      {data.map(({ name, label, isAutomatic }) => (
        <a key={name} class="button main" href={signInPath(name)} onClick={allowAutomaticSignIn}>
          {isAutomatic ? signedOutWords.signIn : signedOutWords.signInWith(label)}
        </a>
      ))}
      <PastedLink />
    </>
  );
};

const openLink = (link: string): void => {
  const token = new URLSearchParams(link.split("?")[1]).get("token") ?? link;
  location.assign(`${serverPath("/sign-in")}?token=${encodeURIComponent(token)}`);
};

/** The page may be open where the link is not: on a phone, or in the window that stays. */
const PastedLink = () => (
  <Form class="stack tight" onSubmit={(valueOf) => openLink(valueOf("link"))}>
    <label class="stack tight">
      {signedOutWords.link}
      <span class="row">
        <input class="grow" name="link" autocomplete="off" placeholder="https://" required />
        <button class="button" type="submit">
          {signedOutWords.open}
        </button>
      </span>
    </label>
    <p class="hint">{signedOutWords.text}</p>
    <p class="hint">
      {signedOutWords.operator} <a href={href("operator")}>{signedOutWords.operatorView}</a>.
    </p>
  </Form>
);

export const SignedOut = () => {
  const { data: methods } = useSignInMethods();
  useEffect(rememberScreen, []);
  return (
    <Alone title={signedOutWords.signIn}>
      {methods === undefined ? null : <Methods {...methods} />}
      <p id="announcer" class="sr" role="status" />
    </Alone>
  );
};
