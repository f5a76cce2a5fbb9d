import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import {
  installCommand,
  isInstalled,
  OPTIONAL_PACKAGES,
  type OptionalPackageName,
  requirePackage
} from "../../src/runtime/OptionalPackage.ts";

const NAMES = Object.keys(OPTIONAL_PACKAGES) as Array<OptionalPackageName>;
/** Of this workspace, which stand on the adapters. */
const OURS = NAMES.filter((name) => OPTIONAL_PACKAGES[name].version === null);
const THEIRS = NAMES.filter((name) => OPTIONAL_PACKAGES[name].version !== null);

type Manifest = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Text of a file; `name` is relative to the root of the repository. */
const file = (name: string): string =>
  readFileSync(resolve(import.meta.dirname, "../../../..", name), "utf8");

const manifest = JSON.parse(file("packages/adapters/package.json")) as Manifest;
const image = JSON.parse(file("docs/deploy/package.json")) as Manifest;

/** An environment where nothing is installed, regardless of NODE_PATH: `resolve` throws like Node's. */
const nowhere = {
  resolve: Object.assign((name: string) => createRequire(import.meta.url).resolve(`${name}-nowhere`), {
    paths: () => null
  })
};

describe("optional packages", () => {
  it("are the optional peers, in the versions that this workspace tests", () => {
    assert.sameMembers(THEIRS, Object.keys(manifest["peerDependencies"] ?? {}));
    for (const name of THEIRS) {
      assert.strictEqual(manifest["devDependencies"]?.[name], OPTIONAL_PACKAGES[name].version, name);
      assert.deepStrictEqual(manifest["peerDependenciesMeta"]?.[name], { optional: true }, name);
      assert.notProperty(manifest["dependencies"], name);
      assert.strictEqual(
        image["dependencies"]?.[name],
        OPTIONAL_PACKAGES[name].version,
        `${name} of the image`
      );
    }
  });

  it("are optional peers of the server and its program in their own version, if they are ours", () => {
    for (const name of OURS) {
      for (const user of ["server", "cli"]) {
        const itsManifest = JSON.parse(file(`packages/${user}/package.json`)) as Manifest;
        assert.strictEqual(itsManifest["peerDependencies"]?.[name], "workspace:*", user);
        assert.deepStrictEqual(itsManifest["peerDependenciesMeta"]?.[name], { optional: true }, user);
      }
      assert.strictEqual(image["dependencies"]?.[name], "workspace:*", `${name} of the image`);
    }
  });

  it("are in the install line of docs/operations.md, in those versions", () => {
    const [, line = ""] = /^npm install @winnow\/cli (.+)$/mu.exec(file("docs/operations.md")) ?? [];
    assert.sameMembers(
      line.split(" "),
      NAMES.map((name) => installCommand(name).replace("npm install ", ""))
    );
  });

  it("are found without being loaded, including ES modules", () => {
    for (const name of THEIRS) assert.isTrue(isInstalled(name), name);
  });

  it.effect("that are missing are named with their purpose and the command that installs them", () =>
    Effect.gen(function* () {
      assert.isFalse(isInstalled("openai", nowhere));
      const { message } = yield* Effect.flip(requirePackage("openai", nowhere));
      assert.strictEqual(
        message,
        `Using a language model needs the npm package openai, which is not installed. Run: npm install openai@${OPTIONAL_PACKAGES.openai.version}`
      );
    })
  );

  it("install with one command", () => {
    assert.strictEqual(installCommand("@winnow/local-speech"), "npm install @winnow/local-speech");
    assert.strictEqual(
      installCommand("sharp", "heic-decode"),
      `npm install sharp@${OPTIONAL_PACKAGES.sharp.version} heic-decode@${OPTIONAL_PACKAGES["heic-decode"].version}`
    );
  });
});
