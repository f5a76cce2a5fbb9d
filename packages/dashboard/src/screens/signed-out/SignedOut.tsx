/** What to do for whoever is not signed in. */
import { href } from "../../base.ts";
import { Code } from "../../parts/Copy.tsx";
import { useTitle } from "../../parts/Page.tsx";
import { words } from "../../words/words.ts";

export const SignedOut = () => {
  useTitle(words.signedOut.title);
  return (
    <main class="alone stack" id="main">
      <img src={href("icon.svg")} alt="" width="56" height="56" />
      <h1>{words.signedOut.title}</h1>
      <p>{words.signedOut.text}</p>
      <section class="panel stack">
        <h2>{words.signedOut.operator}</h2>
        <p class="hint">{words.signedOut.command}</p>
        <Code code="npm run winnow -- account sign-in ACCOUNT" label={words.signedOut.operator} />
        <p>
          <a href={href("operator")}>{words.signedOut.operatorView}</a>
        </p>
      </section>
      <div class="row">
        <button class="button main" type="button" onClick={() => location.reload()}>
          {words.problem.again}
        </button>
      </div>
      <p id="announcer" class="sr" role="status" />
    </main>
  );
};
