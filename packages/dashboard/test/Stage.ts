/**
 * The environment of browser tests: a real server with the built app, two sites on loopback, a webhook
 * receiver, a stand-in for a language model, and an account with credits.
 */
import { existsSync } from "node:fs";
import { appendFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { startFakeOpenAi } from "@winnow/testing/openai/FakeOpenAiServer";
import { Winnow } from "@winnow/client";
import type { AdminClient } from "@winnow/client/admin";
import { adminOf, createAccount, type DemoAccount, type DemoServer } from "../../../examples/demo/server.ts";
import { startSite } from "../../../examples/site/site.ts";
import { sampleMedia } from "../../../examples/test/SampleMediaBroker.ts";
import { newDatabaseUrl, startSharedServer } from "../../../examples/test/SharedServer.ts";
import { openHookReceiver, type HookReceiver } from "../../server/test/HookReceiver.ts";
import { startTalkSite, type TalkSite } from "./TalkSite.ts";

const CREDITS = 100_000;

/** Tests open more screens per minute than a user, and would have to wait for the default limits. */
const MANY = 100_000;
const LIMITS = { submitsPerMinute: MANY, probesPerMinute: MANY, readsPerMinute: MANY, othersPerMinute: MANY };

const AHEAD_CLOCK = new URL("aheadClock.ts", import.meta.url).href;

export interface Stage extends AsyncDisposable {
  readonly server: DemoServer;
  readonly app: string;
  readonly site: string;
  readonly talks: TalkSite;
  readonly receiver: HookReceiver;
  readonly account: DemoAccount;
  readonly client: Winnow;
  /** Creates a one-time sign-in link. */
  readonly signInUrl: () => Promise<string>;
  readonly admin: AdminClient;
  /** Sets how far the server's clock is ahead of the real time, in milliseconds. */
  readonly goAhead: (ms: number) => Promise<void>;
  /** Stops the server and starts it again on the same address and data. */
  readonly restart: () => Promise<void>;
}

/** Path of the system's Chromium; null if there is none. */
export const findChromium = (): string | null =>
  [process.env["CHROMIUM"], "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(
    (file) => file !== undefined && existsSync(file)
  ) ?? null;

export interface StageOptions {
  /** Hosts that the server may reach, besides those of the stage. */
  readonly hosts?: ReadonlyArray<string>;
  /** Modules that the server's process loads first. */
  readonly imports?: ReadonlyArray<string>;
  /** PEM of an authority that the server trusts. */
  readonly authority?: string;
  /** Further settings of the server. */
  readonly env?: Readonly<Record<string, string>>;
}

export const openStage = async (options: StageOptions = {}): Promise<Stage> => {
  const { hosts = [], imports = [], authority = "", env: moreSettings = {} } = options;
  const media = path.join(process.env["WINNOW_TEST_FOLDER"] ?? tmpdir(), "winnow-dashboard-media");
  await mkdir(media, { recursive: true });
  const folder = await mkdtemp(path.join(tmpdir(), "winnow-dashboard-"));
  const model = await startFakeOpenAi();
  const sample = await sampleMedia();
  const site = await startSite(sample.folder);
  const talks = await startTalkSite(path.join(media, "talks"));
  const aheadFile = path.join(folder, "ahead");
  const authorityFile = path.join(folder, "authority.pem");
  const receiver = await openHookReceiver(authorityFile);
  await appendFile(authorityFile, `\n${authority}`);
  const settings = {
    WINNOW_LLM_BASE_URL: model.baseUrl,
    WINNOW_LLM_MODEL: "fake",
    OPENAI_API_KEY: "none",
    NODE_EXTRA_CA_CERTS: authorityFile,
    NODE_OPTIONS: [AHEAD_CLOCK, ...imports].map((each) => `--import=${each}`).join(" "),
    TEST_AHEAD_FILE: aheadFile,
    ...moreSettings
  };
  const reachable = [site.host, talks.host, receiver.host, ...hosts].join(",");
  const database = await newDatabaseUrl();
  const start = (env: Record<string, string> = {}): Promise<DemoServer> =>
    startSharedServer(database, path.join(folder, "data"), reachable, { ...settings, ...env });
  const server = { ...(await start()) };
  const account = await createAccount(server, CREDITS);
  const admin = adminOf(server);
  await admin.accounts.update(account.id, { limits: LIMITS });
  return {
    server,
    app: `${server.url}/app/`,
    site: site.url,
    talks,
    receiver,
    account,
    client: new Winnow({ apiKey: account.apiKey, baseUrl: server.url }),
    admin,
    signInUrl: async () => (await admin.signInLinks.create(account.id)).url,
    goAhead: (ms) => writeFile(aheadFile, String(ms)),
    restart: async () => {
      const { port } = new URL(server.url);
      await server[Symbol.asyncDispose]();
      const again = await start({ WINNOW_PORT: port, WINNOW_ADMIN_TOKEN: server.adminToken });
      Object.assign(server, again, { adminToken: server.adminToken });
    },
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      await site[Symbol.asyncDispose]();
      await sample.stop();
      await talks[Symbol.asyncDispose]();
      await receiver[Symbol.asyncDispose]();
      await model.close();
      await rm(folder, { recursive: true, force: true });
    }
  };
};
