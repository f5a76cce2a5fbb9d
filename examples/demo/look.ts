/** The demo's runs in the web app: starts its server again, with a sign-in link, until it is stopped. */
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { startSite } from "../site/site.ts";
import { adminOf, startServer, type DemoAccount } from "./server.ts";

const accountFile = (folder: string): string => path.join(folder, "account.json");

/** Stores the owner of the runs: only the id, not the key. */
export const rememberAccount = (folder: string, { id }: DemoAccount): Promise<void> =>
  writeFile(accountFile(folder), JSON.stringify({ id }));

const accountOf = async (folder: string): Promise<string> => {
  const text = await readFile(accountFile(folder), "utf8").catch(() => null);
  if (text === null) throw new Error("There are no runs to look at yet; `npm run demo` makes some.");
  return (JSON.parse(text) as { readonly id: string }).id;
};

const stopped = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => resolve());
  });

/** Pages of the sample site that the web app offers to try, without the internet. */
const SAMPLES = ["talk", "carousel", "article"];

export const look = async (folder: string): Promise<void> => {
  const id = await accountOf(folder);
  await using site = await startSite(path.join(folder, "media"));
  await using server = await startServer(path.join(folder, "data"), site.host, {
    WINNOW_SAMPLE_URLS: SAMPLES.map((page) => `${site.url}/${page}`).join(",")
  });
  const { url } = await adminOf(server).signInLinks.create(id);
  console.log(`Open this link in a browser; it works once, for 15 minutes:\n\n  ${url}\n`);
  console.log("Ctrl+C ends the server.");
  await stopped();
};
