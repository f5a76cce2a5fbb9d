/** Starts the app: loads the texts, then renders the frame. */
import "./styles/index.css";
import { QueryClientProvider } from "@tanstack/preact-query";
import { render } from "preact";
import { LocationProvider } from "preact-iso";
import { APP, href } from "./data/addresses.ts";
import { cache, endRequestsWithVisit } from "./data/cache.ts";
import { App } from "./screens/frame/App.tsx";
import { showStoredTheme } from "./parts/theme.ts";
import { loadWords } from "./words/words.ts";

/** No top-level `await`: screens loaded later share this module and would have to wait for it. */
const start = async (): Promise<void> => {
  const root = document.getElementById("app");
  // Otherwise browsers resolve it relative to each screen's URL.
  document.querySelector("link[rel=icon]")?.setAttribute("href", href("icon.svg"));
  endRequestsWithVisit();
  showStoredTheme();
  await loadWords();
  if (root === null) return;
  render(
    <QueryClientProvider client={cache}>
      <LocationProvider scope={APP.pathname}>
        <App />
      </LocationProvider>
    </QueryClientProvider>,
    root
  );
};

void start();
