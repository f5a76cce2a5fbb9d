/** Starts the app: words first, then the frame. */
import "./styles/index.css";
import { QueryClientProvider } from "@tanstack/preact-query";
import { render } from "preact";
import { LocationProvider } from "preact-iso";
import { APP, href } from "./base.ts";
import { cache } from "./data/cache.ts";
import { App } from "./frame/App.tsx";
import { showStoredTheme } from "./parts/theme.ts";
import { loadWords } from "./words/words.ts";

/** No `await` at the top: screens that are fetched later share this module, and would wait for it in turn. */
const start = async (): Promise<void> => {
  const root = document.getElementById("app");
  // Browsers look for it anew below each screen's address.
  document.querySelector("link[rel=icon]")?.setAttribute("href", href("icon.svg"));
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
