/**
 * `npm start -- --stand-in`: your own server with a stand-in for a language model, for trying schemas without a key,
 * and with the sample site, whose pages it can read. Everything that it reads says so in `warnings`.
 *
 *   npm start -- --stand-in [--private]
 */
import path from "node:path";
import { startFakeOpenAi } from "@winnow/testing/openai/FakeOpenAiServer";
import { startSite } from "../site/site.ts";
import { settingsOf } from "./model.ts";

/** As README and docs have it; another if it is taken. */
const SITE_PORT = 8_799;
const PAGES = ["recipe", "article", "talk", "carousel"];

const folder = path.resolve(process.env.WINNOW_DATA_DIR ?? ".winnow", "demo/media");
const site = await startSite(folder, SITE_PORT).catch(() => startSite(folder));
const model = await startFakeOpenAi();
const allowed = [process.env.WINNOW_EGRESS_ALLOW, site.host].filter(Boolean).join(",");
Object.assign(process.env, settingsOf(model), { WINNOW_EGRESS_ALLOW: allowed });
console.log(`Sample pages: ${PAGES.map((page) => `${site.url}/${page}`).join(" ")}`);

process.argv = [...process.argv.slice(0, 2), "serve", ...process.argv.slice(2)];
await import(new URL("../../packages/cli/bin/winnow.mjs", import.meta.url).href);
