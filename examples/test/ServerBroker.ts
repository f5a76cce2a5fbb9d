/** One server for the whole test run, with its database and a fake model: for files that only need an account. */
import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { ENGINE_DEFAULTS } from "@winnow/core/engine/EngineSettings";
import { startFakeOpenAi } from "@winnow/testing/openai/FakeOpenAiServer";
import { askBroker, brokerOf } from "../../packages/adapters/test/RunBroker.ts";
import { makeAuthority, type Authority } from "../../packages/server/test/HookReceiver.ts";
import type { DemoServer } from "../demo/server.ts";
import { newFolder } from "./newFolder.ts";
import { newDatabaseUrl, startSharedServer } from "./SharedServer.ts";

const SOCKET_VARIABLE = "WINNOW_TEST_SERVER_SOCKET";

/** For `node --import`: timers with the given durations never fire. */
export const PATIENT_TIMERS = new URL("../../packages/server/test/preload/patientTimers.ts", import.meta.url)
  .href;

/** Without a time limit, because the first inspection waits until yt-dlp has started. */
export const patientInspections = {
  NODE_OPTIONS: `--import=${PATIENT_TIMERS}`,
  TEST_PATIENT_TIMERS_MS: String(ENGINE_DEFAULTS.inspectTimeoutMs)
};

type Environment = Readonly<Record<string, string>>;

export interface ServerOptions {
  /** Hosts that the server may reach, besides all ports of loopback. */
  readonly hosts?: ReadonlyArray<string>;
  /** PEM of an authority that the server trusts, besides its own. */
  readonly authority?: string;
  /** Further settings. */
  readonly env?: Environment;
}

/** What a server starts with; it can be stopped and started again on its data. */
export interface PreparedServer extends AsyncDisposable {
  /** A folder that is removed in the end. */
  readonly folder: string;
  /** Of the certificates that it trusts. */
  readonly authority: Authority;
  readonly start: (env?: Environment) => Promise<DemoServer>;
}

const LOOPBACK = "127.0.0.1";

export const prepareServer = async (options: ServerOptions = {}): Promise<PreparedServer> => {
  const { hosts = [], authority: trusted = "", env = {} } = options;
  const folder = await newFolder("stage");
  const model = await startFakeOpenAi();
  const authority = await makeAuthority();
  const authorityFile = path.join(folder, "authority.pem");
  await writeFile(authorityFile, `${authority.cert}\n${trusted}`);
  const settings = {
    WINNOW_LLM_BASE_URL: model.baseUrl,
    WINNOW_LLM_MODEL: "fake",
    OPENAI_API_KEY: "none",
    NODE_EXTRA_CA_CERTS: authorityFile,
    ...env
  };
  const database = await newDatabaseUrl();
  return {
    folder,
    authority,
    start: (more = {}) =>
      startSharedServer(database, path.join(folder, "data"), [LOOPBACK, ...hosts].join(","), {
        ...settings,
        ...more
      }),
    [Symbol.asyncDispose]: async () => {
      await model.close();
      await rm(folder, { recursive: true, force: true });
    }
  };
};

export interface RunServer {
  readonly url: string;
  readonly adminToken: string;
  readonly authority: Authority;
}

/** Many files use it at once. */
const WORKERS = 12;

const startRunServer = async () => {
  const prepared = await prepareServer({ env: { ...patientInspections, WINNOW_WORKERS: String(WORKERS) } });
  const { url, adminToken, ...server } = await prepared.start();
  return {
    value: { url, adminToken, authority: prepared.authority },
    stop: async () => {
      await server[Symbol.asyncDispose]();
      await prepared[Symbol.asyncDispose]();
    }
  };
};

/** The server of the test run, or a new one if no broker runs; release it with `stop`. */
export const runServer = async (): Promise<{
  readonly value: RunServer;
  readonly stop: () => Promise<void>;
}> => {
  const value = await askBroker<RunServer>(SOCKET_VARIABLE);
  return value === null ? startRunServer() : { value, stop: () => Promise.resolve() };
};

/** A `globalSetup` of vitest. */
export const setup = brokerOf<RunServer>(SOCKET_VARIABLE, startRunServer);
