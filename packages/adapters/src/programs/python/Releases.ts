/**
 * The versions of yt-dlp in the package index that pip is configured for, and lock files of them. Nightly versions are
 * the index's pre-releases. A lock file has the hashes that the index names, which pip compares with every file. Tests:
 * RunningVersions.test.ts.
 */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { isJsonObject } from "@winnow/core/domain/text/Json";
import * as Effect from "effect/Effect";
import { readJson } from "@winnow/isolation/process/ProgramOutput";
import { type Lock, lockOf, testedLock } from "./DownloaderEnvironment.ts";
import { explainPip, findPython, INSTALL_OPTIONS, InstallFailed, runPython } from "./Python.ts";
import { listEnvironments, versionsFolder } from "./VersionFile.ts";

/** `tested`: what this release of Winnow was tested with, which needs no look-up. */
export type Channel = "tested" | "stable" | "nightly";

/** A Python with pip: that of an environment, else the system's, else one in a virtual environment of its own. */
const pythonWithPip = Effect.fnUntraced(function* (dataDir: string): Effect.fn.Return<string, InstallFailed> {
  const found = listEnvironments(dataDir)
    .map(({ ytDlp }) => join(dirname(ytDlp), "python3"))
    .find((program) => existsSync(program));
  if (found !== undefined) return found;
  const { program, hasPip } = yield* findPython();
  if (hasPip) return program;
  const own = join(dirname(versionsFolder(dataDir)), "pip");
  const ownPython = join(own, "bin", "python3");
  if (existsSync(ownPython)) return ownPython;
  const { exitCode, stderr } = yield* runPython(program, ["-m", "venv", own]);
  if (exitCode === 0) return ownPython;
  return yield* new InstallFailed({
    message: `No virtual environment could be created: ${explainPip(stderr)}.`
  });
});

const isNightly = (packageVersion: string): boolean => packageVersion.endsWith(".dev0");

/** The newest version in the index, as packages name it, such as 2026.7.4; none is older than those before. */
export const newestVersion = Effect.fn("Releases.newestVersion")(function* (
  dataDir: string,
  channel: Exclude<Channel, "tested">
): Effect.fn.Return<string, InstallFailed> {
  const pip = yield* pythonWithPip(dataDir);
  const pre = channel === "nightly" ? ["--pre"] : [];
  const { exitCode, stdout, stderr } = yield* runPython(pip, [
    "-m",
    "pip",
    "index",
    "versions",
    ...pre,
    "yt-dlp"
  ]);
  const [, list = ""] = /^Available versions: (.+)$/mu.exec(stdout) ?? [];
  const newest = list.split(", ").find((version) => channel === "nightly" || !isNightly(version));
  if (exitCode === 0 && newest !== undefined && newest !== "") return newest;
  return yield* new InstallFailed({
    message: `Versions of yt-dlp could not be looked up: ${explainPip(stderr)}.`
  });
});

const pinned = (item: unknown): string | null => {
  if (!isJsonObject(item) || !isJsonObject(item["metadata"]) || !isJsonObject(item["download_info"]))
    return null;
  const { name, version } = item["metadata"];
  const archive = item["download_info"]["archive_info"];
  const hash =
    isJsonObject(archive) && typeof archive["hash"] === "string" ? archive["hash"].replace("=", ":") : null;
  if (typeof name !== "string" || typeof version !== "string" || hash === null) return null;
  return `${name.toLowerCase().replaceAll(/[-_.]+/gu, "-")}==${version} --hash=${hash}`;
};

/** Locks a version, with what it needs and the newest gallery-dl. */
export const lockVersion = Effect.fnUntraced(function* (
  dataDir: string,
  packageVersion: string
): Effect.fn.Return<Lock, InstallFailed> {
  const pip = yield* pythonWithPip(dataDir);
  const options = [...INSTALL_OPTIONS, "--dry-run", "--ignore-installed", "--report", "-"];
  const wanted = [`yt-dlp[default,curl-cffi]==${packageVersion}`, "gallery-dl"];
  const { exitCode, stdout, stderr } = yield* runPython(pip, ["-m", "pip", "install", ...options, ...wanted]);
  const report = exitCode === 0 ? readJson(stdout) : null;
  const items = isJsonObject(report) && Array.isArray(report["install"]) ? report["install"].map(pinned) : [];
  if (items.length > 0 && !items.includes(null)) return lockOf(`${items.toSorted().join("\n")}\n`);
  const why = exitCode === 0 ? "the index names no hashes" : explainPip(stderr);
  return yield* new InstallFailed({ message: `yt-dlp ${packageVersion} could not be locked: ${why}.` });
});

/** When the index received each file of a lock, by PEP 700; null for one that it does not name, or does not date. */
const UPLOADED = `
import base64, json, os, subprocess, sys, urllib.parse, urllib.request
named = os.environ.get("PIP_INDEX_URL") or subprocess.run(
    [sys.executable, "-m", "pip", "config", "get", "global.index-url"], capture_output=True, text=True).stdout.strip()
index = urllib.parse.urlsplit(named or "https://pypi.org/simple")
user, _, host = index.netloc.rpartition("@")
def uploaded(name, digest):
    request = urllib.request.Request(f"{index.scheme}://{host}{index.path.rstrip('/')}/{name}/")
    request.add_header("Accept", "application/vnd.pypi.simple.v1+json")
    if user:
        request.add_header("Authorization", "Basic " + base64.b64encode(urllib.parse.unquote(user).encode()).decode())
    with urllib.request.urlopen(request, timeout=30) as answer:
        files = json.load(answer)["files"]
    return next((file.get("upload-time") for file in files if file["hashes"].get("sha256") == digest), None)
print(json.dumps([uploaded(*pin) for pin in json.loads(sys.argv[1])]))
`;

/**
 * When the newest file of a lock was uploaded, in epoch milliseconds; null if the index does not say so of each. A
 * version's date says nothing: whoever uploads chooses it.
 */
export const uploadedAtMs = Effect.fn("Releases.uploadedAt")(function* (
  dataDir: string,
  lock: Lock
): Effect.fn.Return<number | null, InstallFailed> {
  const pip = yield* pythonWithPip(dataDir);
  const pins = [...lock.text.matchAll(/^([\w-]+)==\S+ --hash=sha256:(\w+)$/gmu)].map(([, ...pin]) => pin);
  const { exitCode, stdout } = yield* runPython(pip, ["-I", "-c", UPLOADED, JSON.stringify(pins)]);
  const answer = exitCode === 0 ? readJson(stdout) : null;
  const times = Array.isArray(answer) ? answer.map((text) => Date.parse(String(text))) : [];
  return times.length === 0 || times.length !== pins.length || times.some(Number.isNaN)
    ? null
    : Math.max(...times);
});

/** The lock of the newest version of a channel. */
export const lockOfChannel = (dataDir: string, channel: Channel): Effect.Effect<Lock, InstallFailed> =>
  channel === "tested"
    ? Effect.sync(testedLock)
    : Effect.flatMap(newestVersion(dataDir, channel), (version) => lockVersion(dataDir, version));
