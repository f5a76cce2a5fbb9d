import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, assert, describe, it } from "vitest";
import {
  changeVersionState,
  listEnvironments,
  pruneVersions,
  readVersionState,
  SPARE_MAX,
  versionsFolder,
  watchVersions
} from "../../../src/programs/python/VersionFile.ts";
import {
  NOTHING_KNOWN,
  offer,
  provenPrograms,
  reject,
  use,
  usedPrograms,
  type YtDlpProgram
} from "../../../src/programs/python/VersionState.ts";

const VERSIONS = ["2026.05.05", "2026.04.04", "2026.03.03", "2026.02.02", "2026.01.01"] as const;
const [NEWEST, BEFORE, THIRD] = VERSIONS;

const folder = mkdtempSync(join(tmpdir(), "winnow-versions-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A data directory with environments that are complete, but for their programs. */
const withVersions = (...versions: ReadonlyArray<string>): string => {
  const dataDir = mkdtempSync(join(folder, "data-"));
  for (const version of versions) {
    mkdirSync(join(versionsFolder(dataDir), version), { recursive: true });
    writeFileSync(join(versionsFolder(dataDir), version, "environment.json"), "{}");
  }
  return dataDir;
};

const installedIn = (dataDir: string) => listEnvironments(dataDir).map(({ version }) => version);

const onPath = (version: string | null): YtDlpProgram => ({ version, ytDlp: "/usr/bin/yt-dlp" });

describe("the versions in use", () => {
  const installed = listEnvironments(withVersions(NEWEST, BEFORE));
  const inUse = (state: typeof NOTHING_KNOWN, fallback: YtDlpProgram | null = null) =>
    provenPrograms(state, installed, fallback).map(({ version }) => version);

  it("are those that are neither on probation nor rejected, newest first, or the operator's choice alone", () => {
    assert.deepStrictEqual(inUse(NOTHING_KNOWN), [NEWEST, BEFORE]);
    assert.deepStrictEqual(inUse(offer(NOTHING_KNOWN, NEWEST)), [BEFORE]);
    assert.deepStrictEqual(inUse(reject(NOTHING_KNOWN, NEWEST)), [BEFORE]);
    assert.deepStrictEqual(inUse(use(NOTHING_KNOWN, BEFORE)), [BEFORE]);
    assert.deepStrictEqual(
      inUse(use(NOTHING_KNOWN, "2020.01.01")),
      [NEWEST, BEFORE],
      "a choice that is not installed"
    );
  });

  it("begin without cookies with the one on probation", () => {
    const used = usedPrograms(offer(NOTHING_KNOWN, NEWEST), installed, null);
    assert.deepStrictEqual(
      used.map(({ version }) => version),
      [NEWEST, BEFORE]
    );
  });

  it("have PATH's in its place, unless it is rejected or installed as well; it is used if it is the only one", () => {
    assert.deepStrictEqual(inUse(NOTHING_KNOWN, onPath("2026.06.06")), ["2026.06.06", NEWEST, BEFORE]);
    assert.deepStrictEqual(inUse(NOTHING_KNOWN, onPath("2026.01.01")), [NEWEST, BEFORE, "2026.01.01"]);
    assert.deepStrictEqual(inUse(NOTHING_KNOWN, onPath(null)), [NEWEST, BEFORE, null]);
    assert.deepStrictEqual(inUse(NOTHING_KNOWN, onPath(BEFORE)), [NEWEST, BEFORE]);
    assert.deepStrictEqual(inUse(reject(NOTHING_KNOWN, "2026.06.06"), onPath("2026.06.06")), [
      NEWEST,
      BEFORE
    ]);
    const nothing = reject(reject(NOTHING_KNOWN, NEWEST), BEFORE);
    assert.deepStrictEqual(inUse(nothing, onPath("2025.04.30")), ["2025.04.30"]);
    assert.isEmpty(inUse(nothing));
  });

  it("have none on probation that was rejected, or while the operator has chosen one", () => {
    assert.isNull(offer(reject(NOTHING_KNOWN, NEWEST), NEWEST).probation);
    assert.isNull(offer(use(NOTHING_KNOWN, BEFORE), NEWEST).probation);
    assert.strictEqual(offer(use(reject(NOTHING_KNOWN, NEWEST), null, NEWEST), NEWEST).probation, NEWEST);
  });
});

describe("the file of versions", () => {
  it("is read again when another process changed it, and counts as empty if it cannot be read", async () => {
    const dataDir = withVersions(NEWEST);
    const versions = watchVersions(dataDir);
    assert.deepStrictEqual(versions().state, NOTHING_KNOWN);
    await changeVersionState(dataDir, (state) => use(state, NEWEST));
    assert.strictEqual(versions().state.pinned, NEWEST);
    writeFileSync(join(versionsFolder(dataDir), "versions.json"), '{"pinned": 5');
    assert.deepStrictEqual(readVersionState(dataDir), NOTHING_KNOWN);
  });

  it("keeps every change, also the operator's choice, while several processes change it", async () => {
    const dataDir = withVersions(NEWEST);
    const module = new URL("../../../src/programs/python/VersionFile.ts", import.meta.url);
    const script = `
      const { changeVersionState } = await import(${JSON.stringify(module)});
      const [dataDir, name] = process.argv.slice(1);
      for (let at = 0; at < 8; at++)
        await changeVersionState(dataDir, (state) => ({ ...state, rejected: [...state.rejected, name + at] }));
    `;
    const args = ["--input-type=module", "--eval", script, dataDir];
    const others = ["a", "b", "c"].map((name) => promisify(execFile)(process.execPath, [...args, name]));
    for (let at = 0; at < 8; at++)
      await changeVersionState(dataDir, (state) => ({ ...state, pinned: `${at}` }));
    await Promise.all(others);
    const { pinned, rejected } = readVersionState(dataDir);
    assert.strictEqual(pinned, "7");
    const all = ["a", "b", "c"].flatMap((name) => Array.from({ length: 8 }, (_, at) => `${name}${at}`));
    assert.deepStrictEqual(rejected.toSorted(), all);
  });

  it("keeps versions in use and a few others when old ones are removed", async () => {
    const dataDir = withVersions(...VERSIONS);
    await changeVersionState(dataDir, (state) => ({
      ...reject(reject(state, NEWEST), BEFORE),
      probation: "2026.01.01"
    }));
    pruneVersions(dataDir, null);
    assert.deepStrictEqual(installedIn(dataDir), [THIRD, "2026.02.02", "2026.01.01"]);
    const many = withVersions("2025.12.12", "2025.11.11", ...VERSIONS);
    pruneVersions(many, null);
    assert.deepStrictEqual(installedIn(many), VERSIONS.slice(0, 1 + SPARE_MAX));
  });
});
