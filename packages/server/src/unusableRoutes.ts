/**
 * Whether the routes to sources that settings name can be used. Their readers are the adapters', which an embedder
 * without such settings does not load. Tests: createWinnow.test.ts.
 */
import type { SettingMessage } from "./settings/SettingRow.ts";
import type { Settings } from "./settings/SettingsTable.ts";

/** What is wrong, naming the setting; null if nothing. */
export const unusableRoutes = async (settings: Settings): Promise<SettingMessage | null> => {
  if (settings.routes === null && settings.cookiesFile === null) return null;
  const { routesProblem } = await import("./adapters/RouteFile.ts");
  return routesProblem(settings);
};
