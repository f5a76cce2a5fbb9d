#!/usr/bin/env node
// Starts the winnow program. Plain JavaScript that old Node versions can run: if this one is too old for the
// program, it uses the `node` package of the workspace, or says which version is needed.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

// A name look-up occupies a libuv thread until the name server responds, and look-ups use at most half of the
// threads: with four, two unresponsive names would block all others. Read when the first thread is needed.
process.env.UV_THREADPOOL_SIZE ??= "64";

const require = createRequire(import.meta.url);
const { engines, version } = require("../package.json");
const MINIMUM = engines.node.match(/\d+/g).map(Number);
const here = fileURLToPath(import.meta.url);
const root = dirname(dirname(here));
const source = join(root, "src", "winnow.ts");
const built = join(root, "dist", "src", "winnow.js");

const isRecent = () => {
  const [major, minor] = process.versions.node.split(".").map(Number);
  return major > MINIMUM[0] || (major === MINIMUM[0] && minor >= MINIMUM[1]);
};

// Only a checkout has sources, whose types must be stripped; packages under node_modules are built.
const entry = existsSync(source) && !here.includes("node_modules") ? source : built;

const workspaceNode = () => {
  for (let folder = root; folder !== dirname(folder); folder = dirname(folder)) {
    const program = join(folder, "node_modules", "node", "bin", "node");
    if (existsSync(program)) return program;
  }
  return null;
};

// Both end together: if the launcher is killed, the program ends too.
const LAUNCHED = "_WINNOW_LAUNCHED";

const startAgain = (program) => {
  const child = spawn(program, [here, ...process.argv.slice(2)], {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    env: { ...process.env, [LAUNCHED]: "1" }
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => process.exit(signal === null ? code : 1));
};

if (isRecent()) {
  if (process.env[LAUNCHED] !== undefined && process.channel) {
    delete process.env[LAUNCHED];
    process.once("disconnect", () => process.kill(process.pid, "SIGKILL"));
    process.channel.unref();
  }
  require("node:module").enableCompileCache?.();
  if (entry === source && !existsSync(join(root, "node_modules"))) {
    console.error(
      "This clone of Winnow is not set up: its packages are not installed. This command installs them, then continues:\n" +
        `  npm --prefix ${dirname(dirname(root))} run winnow -- ${process.argv.slice(2).join(" ") || "--help"}`
    );
    process.exitCode = 1;
  } else {
    const { main } = await import(entry);
    main(process.argv.slice(2), version);
  }
} else {
  const program = workspaceNode();
  if (program === null) {
    console.error(
      `winnow needs Node ${MINIMUM.join(".")} or newer and this is ${process.versions.node}; get it from https://nodejs.org`
    );
    process.exitCode = 1;
  } else startAgain(program);
}
