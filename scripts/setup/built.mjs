/** Builds what the server serves as static files, the web app and the guides, if their sources changed. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { run, say } from "./commands.mjs";
import { NODE, ROOT } from "./paths.mjs";

const BUILDS = [
  {
    name: "the web app",
    script: "packages/dashboard/scripts/build.ts",
    output: "packages/dashboard/dist/app",
    sources: [
      "packages/dashboard/src",
      "packages/dashboard/scripts",
      "packages/dashboard/vite.config.ts",
      "packages/client/src",
      "pnpm-lock.yaml"
    ]
  },
  {
    name: "the guides",
    script: "packages/server/scripts/guides.ts",
    output: "packages/server/dist/guides",
    sources: ["docs", "packages/server/scripts", "packages/server/src/http/pageStyle.ts", "pnpm-lock.yaml"]
  }
];

/** Node 20 has no glob, and its recursive listing goes without end through the links of `docs/deploy/node_modules`. */
export const filesOf = (source) => {
  const place = path.join(ROOT, source);
  if (!statSync(place).isDirectory()) return [source];
  return readdirSync(place)
    .filter((name) => name !== "node_modules")
    .flatMap((name) => filesOf(path.join(source, name)));
};

const fingerprint = (sources) => {
  const hash = createHash("sha256");
  for (const file of sources.flatMap(filesOf).toSorted()) {
    hash.update(file).update(readFileSync(path.join(ROOT, file)));
  }
  return hash.digest("hex");
};

export const buildStaticFiles = async () => {
  for (const { name, script, output, sources } of BUILDS) {
    const wanted = fingerprint(sources);
    const stamp = path.join(ROOT, `${output}.stamp`);
    const isFresh = existsSync(stamp) && readFileSync(stamp, "utf8").trim() === wanted;
    if (isFresh && existsSync(path.join(ROOT, output))) continue;
    say(`Building ${name} …`);
    const node = existsSync(NODE) ? NODE : process.execPath;
    await run(node, [path.join(ROOT, script)], { cwd: path.join(ROOT, path.dirname(script), "..") });
    mkdirSync(path.dirname(stamp), { recursive: true });
    writeFileSync(stamp, `${wanted}\n`);
  }
};
