/** What to do if nobody is signed in. */
import type { SignInMethods } from "@winnow/client";
import { useEffect } from "preact/hooks";
import { href } from "../../data/addresses.ts";
import {
  allowAutomaticSignIn,
  rememberScreen,
  signInAutomatically,
  signInPath,
  useSignInMethods
} from "../../data/signIn.ts";
import { Code } from "../../parts/Copy.tsx";
import { useTitle } from "../../parts/Page.tsx";
import { signedOutWords } from "./words.ts";
import { problemWords } from "../../words/words.ts";

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
      <p>{signedOutWords.text}</p>
    </>
  );
};

const OperatorHint = () => (
  <section class="panel stack">
    <h2>{signedOutWords.operator}</h2>
    <p class="hint">{signedOutWords.command}</p>
    <Code code="npm run winnow -- account sign-in ACCOUNT" label={signedOutWords.operator} />
    <p>
      <a href={href("operator")}>{signedOutWords.operatorView}</a>
    </p>
  </section>
);

export const SignedOut = () => {
  const { data: methods } = useSignInMethods();
  useTitle(signedOutWords.title);
  useEffect(rememberScreen, []);
  return (
    <main class="alone stack" id="main">
      <img src={href("icon.svg")} alt="" width="56" height="56" />
      <h1>{signedOutWords.title}</h1>
      {methods === undefined ? <p>{signedOutWords.text}</p> : <Methods {...methods} />}
      {methods?.ownSignIn === true ? null : <OperatorHint />}
      <div class="row">
        <button class="button" type="button" onClick={() => location.reload()}>
          {problemWords.again}
        </button>
      </div>
      <p id="announcer" class="sr" role="status" />
    </main>
  );
};
