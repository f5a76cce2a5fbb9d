/** Signed-in users see the frame with the current screen; the operator has a separate sign-in. */
import { useLocation } from "preact-iso";
import { href } from "../../data/addresses.ts";
import { useAccount } from "../../data/client.ts";
import { useSession } from "../../data/session.ts";
import { later } from "../../parts/later.tsx";
import { Problem } from "../../parts/Problem.tsx";
import { Frame } from "./Frame.tsx";
import { OperatorScreens } from "./screens.tsx";

const SignedOut = later(async () => (await import("../signed-out/SignedOut.tsx")).SignedOut);

const SignedIn = () => {
  const session = useSession();
  const { data: account, error, refetch } = useAccount();
  if (session === "none") return <SignedOut />;
  if (account === undefined && error !== null) {
    return (
      <main class="alone" id="main">
        <h1>Winnow</h1>
        <Problem error={error} retry={() => void refetch()} />
      </main>
    );
  }
  return <Frame account={account} isEnded={session === "ended"} />;
};

export const App = () => {
  const { path } = useLocation();
  return path.startsWith(href("operator")) ? <OperatorScreens /> : <SignedIn />;
};
