/** A test npm registry for Winnow's packages; all others come from the usual registry. */
import { execFileSync } from "node:child_process";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { runServer } from "verdaccio";

export interface Registry extends AsyncDisposable {
  readonly url: string;
  /**
   * For npm and npx: this registry for `@winnow`, a user who may publish, a cache in the folder, and no
   * settings of the real user.
   */
  readonly env: NodeJS.ProcessEnv;
}

const upstream = (): string =>
  execFileSync("npm", ["config", "get", "registry"], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"]
  })
    .trim()
    .replace(/\/$/u, "");

const configuration = (folder: string) => ({
  self_path: folder,
  storage: path.join(folder, "storage"),
  web: { enable: false },
  auth: { htpasswd: { file: path.join(folder, "htpasswd") } },
  packages: { "@winnow/*": { access: "$all", publish: "$authenticated" } },
  max_body_size: "50mb",
  log: { type: "stdout", format: "json", level: "fatal" }
});

const newUser = async (url: string): Promise<string> => {
  const body = { name: "release", password: crypto.randomUUID() };
  const answer = await fetch(`${url}/-/user/org.couchdb.user:release`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body)
  });
  const { token } = (await answer.json()) as { readonly token?: string };
  if (token === undefined) throw new Error(`The registry gave no token: ${answer.status}`);
  return token;
};

/** npm passes its settings on to child processes, but a user's shell does not have those of `npm test`. */
const withoutNpm = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(env).filter(
      ([name]) => !/^(?:npm_|INIT_CWD$|NODE_PATH$|NODE_OPTIONS$|NODE_COMPILE_CACHE$)/iu.test(name)
    )
  );

export const startRegistry = async (folder: string): Promise<Registry> => {
  await mkdir(folder, { recursive: true });
  // eslint-disable-next-line typescript/no-unsafe-argument
  const server = (await runServer(configuration(folder) as never)) as Server;
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", () => resolve()));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const url = `http://${host}`;
  const npmrc = path.join(folder, "npmrc");
  const token = await newUser(url);
  await writeFile(
    npmrc,
    `registry=${upstream()}/\n@winnow:registry=${url}/\n//${host}/:_authToken=${token}\nfund=false\naudit=false\nprefer-offline=true\n`
  );
  return {
    url,
    env: {
      ...withoutNpm(process.env),
      NPM_CONFIG_USERCONFIG: npmrc,
      NPM_CONFIG_CACHE: path.join(folder, "cache"),
      NPM_CONFIG_UPDATE_NOTIFIER: "false"
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  };
};
