/**
 * Builds the image of docs/deploy/Dockerfile without a container engine (debootstrap creates the base, and each
 * instruction runs in it), then runs it as a container would: as the image's user, isolated, on a read-only file
 * system. Tests programs, sandbox, database, an extraction, and stopping.
 *
 *   sudo node scripts/image/tryImage.ts                        takes some ten minutes and 3 GB below /var/tmp
 *   sudo node scripts/image/tryImage.ts --downloaders debian   where PyPI cannot be reached
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { filesOf, read, ROOT } from "../repository.ts";
import { assignmentsOf, isInContext, stepsOf, type Step } from "./dockerfile.ts";
import { copyBase, makeBase, runInside, type InImage } from "./rootFolder.ts";
import { tryContainer } from "./tryContainer.ts";

/** Set by engines, not by the Dockerfile. */
const ENGINE_ENV = { PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin" };

/** Debian's packages instead of PyPI's, from backports, under the paths that the Dockerfile uses. */
const DEBIAN_DOWNLOADERS = [
  `echo "deb {mirror} bookworm-backports main" > /etc/apt/sources.list.d/backports.list`,
  "apt-get update",
  "apt-get install --yes --no-install-recommends yt-dlp/bookworm-backports gallery-dl/bookworm-backports",
  "mkdir --parents /opt/downloaders/bin",
  "ln --symbolic /usr/bin/yt-dlp /usr/bin/gallery-dl /opt/downloaders/bin/"
].join(" && ");

const { values } = parseArgs({
  options: {
    folder: { type: "string", default: "/var/tmp/winnow-image" },
    mirror: { type: "string", default: "http://deb.debian.org/debian" },
    downloaders: { type: "string", default: "pypi" },
    /** Continues an earlier build. */
    "keep-built": { type: "boolean", default: false }
  }
});

const root = path.join(values.folder, "root");

const copy = (content: string, cwd: string): void => {
  const places = content.split(" ");
  const target = path.resolve(cwd, places.at(-1) ?? "");
  const sources = places.slice(0, -1).map((source) => path.posix.normalize(source));
  for (const file of filesOf().filter(isInContext)) {
    const source = sources.find((each) => file === each || file.startsWith(`${each}/`));
    if (source === undefined) continue;
    // Like COPY: a folder's contents go into the target, a file into it if it ends in a slash; otherwise the target
    // is the file.
    const isFolder = source !== file;
    const rest = isFolder ? path.relative(source, file) : content.endsWith("/") ? path.basename(file) : "";
    const to = path.join(root, target, rest);
    mkdirSync(path.dirname(to), { recursive: true });
    cpSync(path.join(ROOT, file), to);
  }
};

const runCommand = (command: string): string => {
  if (command.includes("snapshot.debian.org")) {
    console.log("! Debian's packages of the mirror in place of the snapshot's");
    return "true";
  }
  if (values.downloaders !== "debian") return command;
  const withoutPyPi = command.replace(/ && python3 -m venv .+$/u, ` && ${DEBIAN_DOWNLOADERS}`);
  if (withoutPyPi !== command) console.log("! yt-dlp and gallery-dl of Debian in place of PyPI's");
  return withoutPyPi.replace("{mirror}", values.mirror).replace("rm -rf /var/lib/apt/lists/*", "true");
};

interface Built extends InImage {
  readonly healthCheck: ReadonlyArray<string>;
  readonly command: ReadonlyArray<string>;
  readonly volumes: ReadonlyArray<string>;
}

/** Executes an instruction as documented for container engines. */
const executed = (built: Built, { keyword, content }: Step): Built => {
  switch (keyword) {
    case "FROM":
      if (!/^node:24\.\d+\.\d+-bookworm-slim@sha256:[0-9a-f]{64}$/u.test(content))
        throw new Error(`${content} is not the base image that this script builds.`);
      return built;
    case "ENV":
      return { ...built, env: { ...built.env, ...assignmentsOf(content, built.env) } };
    case "WORKDIR":
      mkdirSync(path.join(root, content), { recursive: true });
      return { ...built, cwd: content };
    case "USER":
      return { ...built, user: content };
    case "VOLUME":
      return { ...built, volumes: [...built.volumes, content] };
    case "EXPOSE":
      return built;
    case "HEALTHCHECK":
      return { ...built, healthCheck: JSON.parse(content.replace(/^.*?CMD /u, "")) as Array<string> };
    case "CMD":
      return { ...built, command: JSON.parse(content) as Array<string> };
    case "COPY":
      if (!values["keep-built"]) copy(content, built.cwd);
      return built;
    case "RUN":
      if (!values["keep-built"]) runInside(built, runCommand(content));
      return built;
    default:
      throw new Error(`${keyword} is an unknown instruction.`);
  }
};

const steps = stepsOf(read("docs/deploy/Dockerfile"));
if (!values["keep-built"]) {
  makeBase(path.join(values.folder, "base"), values.mirror);
  copyBase(path.join(values.folder, "base"), root);
}
let built: Built = {
  root,
  env: ENGINE_ENV,
  cwd: "/",
  user: "root",
  healthCheck: [],
  command: [],
  volumes: []
};
for (const [index, step] of steps.entries()) {
  console.log(`\n[${index + 1}/${steps.length}] ${step.keyword} ${step.content}`);
  built = executed(built, step);
}
const volumes = mkdtempSync(path.join(values.folder, "volumes-"));
try {
  await tryContainer(built, volumes);
} finally {
  rmSync(volumes, { recursive: true, force: true });
}
console.log("\nThe content of the image works.");
