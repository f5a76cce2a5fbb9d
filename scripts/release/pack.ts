/**
 * Packs the packages of this tree into `packed/`, for projects that install them without a registry. Prints the
 * commands that install them.
 */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { read, ROOT } from "../repository.ts";
import { packed } from "./archives.ts";
import { PACKAGES, stagePackages } from "./stage.ts";

const FOLDER = path.join(ROOT, "packed");

const { dependencies } = JSON.parse(read("packages/core/package.json")) as {
  readonly dependencies: { readonly effect: string };
};

const staged = await mkdtemp(path.join(tmpdir(), "winnow-staged-"));
try {
  console.log("Building and packing ...");
  await stagePackages(staged);
  await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER);
  const archives = await packed(FOLDER, staged, PACKAGES);
  console.log(`
To use the client in your project:

  npm install ${archives.get("client")}

To embed the server, which needs all of them:

  npm install ${[...archives.values()].join(" ")} effect@${dependencies.effect}
`);
} finally {
  await rm(staged, { recursive: true, force: true });
}
