/** nginx with the settings of docs/deploy/nginx.conf, where it is installed. */
import { spawn } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { isInstalled } from "./isInstalled.ts";
import { newFolder } from "./newFolder.ts";
import { nextPort } from "./Stage.ts";

const SETTINGS = path.resolve(import.meta.dirname, "../../docs/deploy/nginx.conf");

export const NO_NGINX = !isInstalled("nginx", ["-v"]);

export interface Proxy extends AsyncDisposable {
  readonly url: string;
}

/** nginx with the server block, without TLS, on a local port in front of one process or two. */
export const startNginx = async (...serviceUrls: ReadonlyArray<string>): Promise<Proxy> => {
  const folder = await newFolder("nginx");
  const host = `127.0.0.1:${nextPort()}`;
  const block = (await readFile(SETTINGS, "utf8"))
    .replaceAll(/127\.0\.0\.1:878([78])/gu, (_, last: string) => {
      const [first = "", second = first] = serviceUrls;
      return new URL(last === "7" ? first : second).host;
    })
    .replace("listen 443 ssl;", `listen ${host};`)
    .replaceAll(/^ *ssl_\w+ .*$/gmu, "");
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${folder}/${name};`
  );
  const config = path.join(folder, "nginx.conf");
  const log = path.join(folder, "error.log");
  const http = `http { access_log off; ${temporary.join(" ")}\n${block}\n}`;
  await writeFile(config, `daemon off; pid ${folder}/pid; error_log ${log};\nevents {}\n${http}`);
  const nginx = spawn("nginx", ["-e", log, "-c", config], { stdio: "ignore" });
  const ended = new Promise((resolve) => nginx.once("exit", resolve));
  const isUp = () =>
    fetch(`http://${host}/healthz`).then(
      ({ ok }) => ok,
      () => false
    );
  while (!(await isUp())) if (nginx.exitCode !== null) throw new Error(await readFile(log, "utf8"));
  return {
    url: `http://${host}`,
    [Symbol.asyncDispose]: async () => {
      nginx.kill("SIGTERM");
      await ended;
      await rm(folder, { recursive: true, force: true });
    }
  };
};
