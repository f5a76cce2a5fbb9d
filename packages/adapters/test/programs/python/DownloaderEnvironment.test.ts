// @module-tag smoke: its own process, whose variables change; installs with pip
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import {
  installEnvironment,
  testedLock,
  ytDlpVersionOf
} from "../../../src/programs/python/DownloaderEnvironment.ts";
import { findPython, runPython } from "../../../src/programs/python/Python.ts";
import { lockOfChannel } from "../../../src/programs/python/Releases.ts";
import { listEnvironments, versionsFolder } from "../../../src/programs/python/VersionFile.ts";
import { isNewer } from "../../../src/programs/python/VersionState.ts";
import { pythonOf } from "../../../src/programs/ExternalPrograms.ts";
import { programFiles } from "@winnow/isolation/sandbox/programFiles";
import { temporaryFolder } from "../../sources/harness.ts";
import { openPackageIndex } from "../../sources/versions/PackageIndex.ts";

const VERSION = "2030.01.01";

/** A data directory, and an index with one version that pip asks. */
const prepared = Effect.gen(function* () {
  const dataDir = temporaryFolder();
  const index = yield* openPackageIndex(dataDir);
  for (const name of ["PIP_FIND_LINKS", "PIP_EXTRA_INDEX_URL"]) delete process.env[name];
  process.env["PIP_INDEX_URL"] = index.url;
  yield* index.publish({ version: VERSION });
  return { dataDir, lock: yield* lockOfChannel(dataDir, "stable") };
});

/** A source archive whose build script leaves a mark; its SHA-256. */
const packSource = (folder: string, mark: string): string => {
  const script = `
import hashlib, io, sys, tarfile
folder, mark = sys.argv[1:]
setup = f"open({mark!r}, 'w').close()\\nfrom setuptools import setup\\nsetup(name='sly', version='1.0')\\n"
path = folder + '/sly-1.0.tar.gz'
with tarfile.open(path, 'w:gz') as archive:
    for name, text in [('setup.py', setup), ('PKG-INFO', 'Metadata-Version: 1.0\\nName: sly\\nVersion: 1.0\\n')]:
        entry = tarfile.TarInfo('sly-1.0/' + name)
        entry.size = len(text)
        archive.addfile(entry, io.BytesIO(text.encode()))
print(hashlib.sha256(open(path, 'rb').read()).hexdigest())
`;
  return execFileSync("python3", ["-c", script, folder, mark], { encoding: "utf8" }).trim();
};

const reported = (program: string): string =>
  execFileSync(program, ["--version"], { encoding: "utf8" }).trim();

describe("an environment of yt-dlp and gallery-dl", () => {
  it.live.skipIf(process.env["WINNOW_TEST_FAULTS"] === undefined)(
    "runs, is complete or not there, and is installed once",
    () =>
      Effect.gen(function* () {
        const { dataDir, lock } = yield* prepared;
        mkdirSync(join(versionsFolder(dataDir), "part-killed", VERSION, "bin"), { recursive: true });
        const installed = yield* installEnvironment(dataDir, lock);
        assert.deepStrictEqual(readdirSync(versionsFolder(dataDir)), [VERSION]);
        assert.strictEqual(reported(installed.ytDlp), VERSION);
        assert.strictEqual(reported(installed.galleryDl), "1.0");
        assert.include(pythonOf(installed.ytDlp, "")?.interpreter, join(versionsFolder(dataDir), VERSION));
        assert.deepStrictEqual(listEnvironments(dataDir), [installed]);
        const { mtimeMs } = statSync(join(versionsFolder(dataDir), VERSION));
        process.env["PIP_INDEX_URL"] = "http://127.0.0.1:9/simple";
        yield* installEnvironment(dataDir, lock);
        assert.strictEqual(statSync(join(versionsFolder(dataDir), VERSION)).mtimeMs, mtimeMs);
        const other = {
          ...lock,
          version: "2030.03.03",
          text: lock.text.replaceAll(/sha256:\w/gu, "sha256:0")
        };
        const { message } = yield* Effect.flip(installEnvironment(dataDir, other));
        assert.match(
          message,
          /^yt-dlp 2030\.03\.03 could not be installed: the Python package index does not answer \(PIP_INDEX_URL or pip\.conf name another\)\.$/u
        );
        assert.deepStrictEqual(readdirSync(versionsFolder(dataDir)), [VERSION]);
      })
  );

  it.live("needs no virtual environment, and the sandbox sees all of it", () =>
    Effect.gen(function* () {
      const { dataDir, lock } = yield* prepared;
      const { program } = yield* findPython();
      const { exitCode } = yield* runPython(program, ["-m", "pip", "--version"]);
      assert.strictEqual(exitCode, 0, "this test needs a Python with pip");
      const { ytDlp } = yield* installEnvironment(dataDir, lock, { program, hasVenv: false, hasPip: true });
      assert.strictEqual(reported(ytDlp), VERSION);
      const folder = join(versionsFolder(dataDir), VERSION);
      assert.deepStrictEqual(pythonOf(ytDlp, ""), {
        interpreter: program,
        importPath: join(folder, "lib", "python3")
      });
      assert.include(programFiles(ytDlp), folder);
    })
  );

  it.live.skipIf(process.env["WINNOW_TEST_FAULTS"] === undefined)("builds no source archive", () =>
    Effect.gen(function* () {
      const dataDir = temporaryFolder();
      const index = yield* openPackageIndex(dataDir);
      process.env["PIP_INDEX_URL"] = index.url;
      const mark = join(dataDir, "built");
      const hash = packSource(join(dataDir, "files"), mark);
      const lock = { version: VERSION, text: `sly==1.0 --hash=sha256:${hash}\n` };
      const { message } = yield* Effect.flip(installEnvironment(dataDir, lock));
      assert.match(
        message,
        /^yt-dlp 2030\.01\.01 could not be installed: it is not in the Python package index/u
      );
      assert.isFalse(existsSync(mark));
    }).pipe(Effect.scoped)
  );

  it.live("is installed without the server's keys in the environment", () =>
    Effect.gen(function* () {
      const { program } = yield* findPython();
      const secrets = ["WINNOW_DATABASE_URL", "OPENAI_API_KEY"];
      for (const name of secrets) process.env[name] = "hunter2";
      yield* Effect.addFinalizer(() =>
        Effect.sync(() => {
          for (const name of secrets) delete process.env[name];
        })
      );
      const { stdout } = yield* runPython(program, ["-c", "import os; print(*os.environ)"]);
      const others = stdout
        .split(/\s+/u)
        .filter(
          (name) =>
            !/^(?:PIP_\w+|PATH|HOME|LANG|LC_CTYPE|TMPDIR|\w+_proxy|SSL_\w+|\w+_CA_BUNDLE|)$/iu.test(name)
        );
      assert.deepStrictEqual(others, []);
    }).pipe(Effect.scoped)
  );

  it.live("names what is missing and the command that installs it", () =>
    Effect.gen(function* () {
      const { message } = yield* Effect.flip(findPython("/nowhere"));
      assert.strictEqual(
        message,
        "Python 3.11 or newer was not found as python3; install it with: apt-get install -y python3 python3-venv"
      );
    })
  );
});

describe("a version of yt-dlp", () => {
  it("is a date, of which the index omits zeros", () => {
    assert.strictEqual(ytDlpVersionOf("2026.3.9"), "2026.03.09");
    assert.strictEqual(ytDlpVersionOf("2026.10.26.220202.dev0"), "2026.10.26.220202");
    assert.match(testedLock().version, /^\d{4}\.\d\d\.\d\d$/u);
  });

  it("is newer by date, then by time", () => {
    assert.isTrue(isNewer("2026.10.26", "2026.09.30"));
    assert.isTrue(isNewer("2026.10.26.220202", "2026.10.26"));
    assert.isFalse(isNewer("2026.10.26", "2026.10.26"));
    assert.isFalse(isNewer("2026.10.26", "2026.10.26.220202"));
  });
});
