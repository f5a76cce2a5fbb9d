/** Whatever is installed from outside is pinned: by a commit, a digest or a hash. */
import { assert, it } from "vitest";
import { read } from "../repository.ts";

it("one version of pnpm is named everywhere, with its hash", () => {
  const { packageManager } = JSON.parse(read("package.json")) as { readonly packageManager: string };
  const { dependencies } = JSON.parse(read("scripts/setup/pnpm/package.json"));
  const { packages } = JSON.parse(read("scripts/setup/pnpm/package-lock.json"));
  const { version, integrity } = packages["node_modules/pnpm"];
  assert.strictEqual(dependencies.pnpm, version);
  const hash = Buffer.from(integrity.replace("sha512-", ""), "base64").toString("hex");
  assert.strictEqual(packageManager, `pnpm@${version}+sha512.${hash}`);
  for (const platform of ["linux-x64", "linux-arm64"]) {
    assert.match(packages[`node_modules/@pnpm/exe.${platform}`].integrity, /^sha512-/u);
  }
});

it("the workflow's actions are pinned by commit, with their version for people and Renovate", () => {
  const used = [...read(".github/workflows/ci.yml").matchAll(/uses: (.+)/gu)].map(
    ([, action = ""]) => action
  );
  assert.isNotEmpty(used);
  for (const action of used) assert.match(action, /^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/u);
});

it("images are pinned by digest, and what they install by snapshot, hash or lock file", () => {
  const dockerfile = read("docs/deploy/Dockerfile").replaceAll(/\\\n\s*/gu, "");
  const named = `${dockerfile}\n${read("docs/deploy/compose.yaml")}`.matchAll(
    /^(?:FROM| +image:) (\S+:\S+)/gmu
  );
  const images = [...named].map(([, image = ""]) => image);
  assert.lengthOf(images, 2);
  for (const image of images) assert.match(image, /^[\w-]+:\d[\w.-]*@sha256:[0-9a-f]{64}$/u);
  const commands = [...dockerfile.matchAll(/^RUN (.+)$/gmu)].flatMap(([, line = ""]) => line.split(" && "));
  const installing = commands.filter((command) => /\b(?:install|update|ci)\b/u.test(command));
  assert.isAtLeast(installing.length, 6);
  for (const command of installing) {
    assert.match(
      command,
      /^apt-get |pip install .*--require-hashes|^npm install --prefix \/opt\/pnpm |^pnpm install --frozen-lockfile /u
    );
  }
  assert.include(dockerfile, "snapshot.debian.org");
});
