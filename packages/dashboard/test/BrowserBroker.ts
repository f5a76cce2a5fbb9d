/** One Chromium for the whole test run. */
import { askBroker, brokerOf } from "../../adapters/test/RunBroker.ts";

const SOCKET_VARIABLE = "WINNOW_TEST_BROWSER_SOCKET";

/** The URL at which the browser of the test run can be connected to; null if no broker runs. */
export const runBrowserUrl = (): Promise<string | null> => askBroker(SOCKET_VARIABLE);

/** A `globalSetup` of vitest. */
export const setup = brokerOf<string>(SOCKET_VARIABLE, async () => {
  const { startBrowser } = await import("./Driven.ts");
  const browser = await startBrowser();
  return { value: browser.wsEndpoint(), stop: () => browser.close() };
});
