/** The demo's own Winnow server: its own data folder and admin token, and an account with credits. */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createInterface } from "node:readline";
import path from "node:path";
import { AdminClient } from "@winnow/client/admin";

/** The launcher of the workspace's `winnow` program. */
const PROGRAM = path.resolve(import.meta.dirname, "../../packages/cli/bin/winnow.mjs");
const START_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 30_000;

export interface DemoServer extends AsyncDisposable {
  readonly url: string;
  readonly adminToken: string;
}

/**
 * Starts `winnow serve` on a free port, with further settings in `env`; rejects with what it printed when it
 * does not come up.
 */
export const startServer = async (
  dataDir: string,
  egressAllow: string,
  env: Readonly<Record<string, string>> = {},
  program = PROGRAM
): Promise<DemoServer> => {
  const adminToken = `wna_${randomBytes(24).toString("base64url")}`;
  const child = spawn(process.execPath, [program, "serve"], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      WINNOW_PORT: "0",
      WINNOW_DATA_DIR: dataDir,
      WINNOW_ADMIN_TOKEN: adminToken,
      WINNOW_EGRESS_ALLOW: egressAllow,
      WINNOW_LOG_LEVEL: process.env.WINNOW_LOG_LEVEL ?? "warn",
      ...env
    }
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const stop = (): void => void child.kill("SIGTERM");
  process.once("exit", stop);
  const printed: Array<string> = [];
  const url = await new Promise<string>((resolve, reject) => {
    const fail = (why: string): void =>
      reject(new Error(`The server did not start: ${why}\n${printed.join("\n")}`));
    const timer = setTimeout(() => {
      child.kill("SIGTERM");
      fail(`no sign of life after ${START_TIMEOUT_MS / 1_000} s`);
    }, START_TIMEOUT_MS);
    const listen = (line: string): void => {
      printed.push(line);
      const address = /listening on (http:\/\/\S+)/u.exec(line)?.[1];
      if (address === undefined) return;
      clearTimeout(timer);
      resolve(address);
    };
    createInterface({ input: child.stdout }).on("line", listen);
    createInterface({ input: child.stderr }).on("line", (line) => {
      listen(line);
      if (process.env.WINNOW_LOG_LEVEL !== undefined) console.error(line);
    });
    child.once("exit", (code) => fail(`it ended with code ${code}`));
  });
  return {
    url,
    adminToken,
    [Symbol.asyncDispose]: async () => {
      process.off("exit", stop);
      stop();
      const timer = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
      await ended;
      clearTimeout(timer);
    }
  };
};

export interface DemoAccount {
  readonly id: string;
  readonly apiKey: string;
}

export const adminOf = ({ url, adminToken }: Pick<DemoServer, "url" | "adminToken">): AdminClient =>
  new AdminClient({ baseUrl: url, token: adminToken });

/** An account with `credits`, and the bonus of the first top-up. */
export const createAccount = async (
  server: Pick<DemoServer, "url" | "adminToken">,
  credits: number
): Promise<DemoAccount> => {
  const admin = adminOf(server);
  const { id } = await admin.accounts.create({ name: "Demo" });
  await admin.topUps.create(id, { credits });
  const { key } = await admin.apiKeys.create(id, { name: "demo" });
  return { id, apiKey: key };
};
