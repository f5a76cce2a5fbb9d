/** Starts the app. Tests: mounted.test.ts, manyTabs.test.ts. */
import "./styles/index.css";
import { QueryClientProvider } from "@tanstack/preact-query";
import { render } from "preact";
import { LocationProvider } from "preact-iso";
import { APP, href } from "./data/addresses.ts";
import { cache, endRequestsWithVisit } from "./data/cache.ts";
import { App } from "./screens/frame/App.tsx";

const start = (): void => {
  const root = document.getElementById("app");
  // Otherwise browsers resolve it relative to each screen's URL.
  document.querySelector("link[rel=icon]")?.setAttribute("href", href("icon.svg"));
  endRequestsWithVisit();
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

start();
