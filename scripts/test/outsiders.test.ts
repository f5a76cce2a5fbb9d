/** Checks the files that contributors and their tools expect. */
import { existsSync } from "node:fs";
import path from "node:path";
import { assert, describe, it } from "vitest";
import { read, ROOT } from "../repository.ts";
import { readStages } from "./dockerfile.ts";

describe("for contributors", () => {
  it("there are the usual files", () => {
    for (const file of [
      "CHANGELOG.md",
      "CODE_OF_CONDUCT.md",
      "CONTRIBUTING.md",
      "LICENSE",
      "SECURITY.md",
      ".editorconfig",
      ".github/ISSUE_TEMPLATE/bug.yml",
      "renovate.json"
    ]) {
      assert.isTrue(existsSync(path.join(ROOT, file)), file);
    }
  });

  it("the workflow runs the same as .ci/run", () => {
    assert.match(read(".github/workflows/ci.yml"), /^ {6}- run: \.ci\/run$/mu);
  });

  it("one version of pnpm is named everywhere, with its hash", () => {
    const { packageManager } = JSON.parse(read("package.json")) as { readonly packageManager: string };
    const { dependencies } = JSON.parse(read("scripts/setup/pnpm/package.json"));
    const { packages } = JSON.parse(read("scripts/setup/pnpm/package-lock.json"));
    const { version, integrity } = packages["node_modules/pnpm"];
    assert.strictEqual(dependencies.pnpm, version);
    const hash = Buffer.from(integrity.replace("sha512-", ""), "base64").toString("hex");
    assert.strictEqual(packageManager, `pnpm@${version}+sha512.${hash}`);
    for (const [name, locked] of Object.entries<any>(packages)) {
      if (name !== "") assert.match(locked.integrity, /^sha512-/u, name);
    }
    for (const platform of ["linux-x64", "linux-arm64"]) {
      assert.property(packages, `node_modules/@pnpm/exe.${platform}`);
    }
  });

  it("the workflow's actions are pinned by commit, with their version for people and Renovate", () => {
    const used = [...read(".github/workflows/ci.yml").matchAll(/uses: (.+)/gu)].map(([, action]) => action);
    assert.isAtLeast(used.length, 2);
    for (const action of used) assert.match(action ?? "", /^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/u);
  });

  it("images are pinned by digest, except the one that is built here", () => {
    const stages = readStages();
    const bases = stages.map(({ base }) => base).filter((base) => !stages.some(({ name }) => name === base));
    const composed = [...read("docs/deploy/compose.yaml").matchAll(/^ +image: (\S+)/gmu)];
    const images = [...bases, ...composed.map(([, image]) => image)];
    assert.lengthOf(images, 2);
    for (const image of images) assert.match(image ?? "", /^[\w-]+:\d[\w.-]*@sha256:[0-9a-f]{64}$/u);
  });

  it("whatever the image installs is pinned: by snapshot, hash or lock file", () => {
    const commands = readStages()
      .flatMap(({ steps }) => steps)
      .filter(({ keyword }) => keyword === "RUN")
      .flatMap(({ content }) => content.split(" && "));
    const snapshot = commands.findIndex((command) => command.includes("snapshot.debian.org"));
    const debian = commands.findIndex((command) => /\bapt(?:-get)? /u.test(command));
    assert.isTrue(snapshot >= 0 && debian > snapshot);
    const installing = commands.filter((command) => /\b(?:install|update|ci)\b/u.test(command));
    assert.isAtLeast(installing.length, 6);
    for (const command of installing) {
      assert.match(
        command,
        /^apt-get |pip install .*--require-hashes|^npm install --prefix \/opt\/pnpm |^pnpm install --frozen-lockfile /u
      );
    }
    const requirements = read("docs/deploy/requirements.txt")
      .replaceAll(/\\\n\s*/gu, "")
      .split("\n");
    const pinned = requirements.filter((line) => line !== "" && !line.startsWith("#"));
    assert.isAbove(pinned.length, 5);
    for (const line of pinned) assert.match(line, /^[\w.-]+==[\w.]+ .*--hash=sha256:[0-9a-f]{64}/u);
  });
});
