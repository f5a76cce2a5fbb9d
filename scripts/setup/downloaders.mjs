/**
 * yt-dlp and gallery-dl as the lock file pins them (packages/adapters/src/programs/python), in a Python environment
 * of their own under the data folder, which `winnow programs update` creates. PATH's yt-dlp is used if it is
 * not older, or if the Python package index does not answer.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { canUseApt, installWithApt } from "./apt.mjs";
import { run, say, works } from "./commands.mjs";
import { DATA_DIR, dataDirOwner, isRecent, NODE, onPath, PROGRAMS_DIR, ROOT } from "./paths.mjs";

const LOCK = readFileSync(path.join(ROOT, "packages/adapters/src/programs/python/requirements.txt"), "utf8");
/** The version of yt-dlp that Winnow is tested with: a date, which the index writes without leading zeros. */
export const LOCKED = (/^yt-dlp==([\d.]+)/mu.exec(LOCK)?.[1] ?? "").replaceAll(/\b\d\b/gu, "0$&");

const read = (file) => (existsSync(file) ? readFileSync(file, "utf8") : "");

const isInstalled = (folder) =>
  read(path.join(folder, "environment.json")).includes(createHash("sha256").update(LOCK).digest("hex"));

/** Debian has it in a package of its own. */
const bringVenv = async () => {
  if (!canUseApt() || (await works("python3", ["-c", "import ensurepip, venv"]))) return;
  say("Installing python3 and python3-venv with apt-get …");
  try {
    await installWithApt(["python3", "python3-venv"]);
  } catch (error) {
    say(`apt-get could not install them. ${error.message}`);
  }
};

/** Runs in Node 24, which set-up has installed by then. */
const winnow = async () => {
  const args = ["programs", "update", "--channel", "tested"];
  const owner = dataDirOwner();
  const home = owner === null ? {} : { HOME: DATA_DIR };
  const env = { ...process.env, ...home, WINNOW_DATA_DIR: DATA_DIR };
  await run(NODE, [path.join(ROOT, "packages/cli/bin/winnow.mjs"), ...args], { env, ...owner });
};

const versionOf = (program) =>
  run(program, ["--version"]).then(
    (printed) => printed.trim(),
    () => ""
  );

/** The folder with both programs; null if those of PATH are used. With `install` null, none are installed. */
export const chooseDownloaders = async ({
  folder = path.join(PROGRAMS_DIR, "yt-dlp", LOCKED),
  found = onPath("yt-dlp"),
  install = winnow,
  tell = say
} = {}) => {
  const bin = path.join(folder, "bin");
  const version = found === null ? "" : await versionOf(found);
  // Versions are dates.
  if (version >= LOCKED) return null;
  if (isInstalled(folder)) return bin;
  const marker = `${folder}.tried`;
  if (install === null || (version !== "" && isRecent(marker))) return null;
  await bringVenv();
  tell(`Installing yt-dlp ${LOCKED} and gallery-dl …`);
  try {
    await install();
    rmSync(marker, { force: true });
    return bin;
  } catch (error) {
    // The command and a heading come before it.
    tell(error.message.trim().split("\n").at(-1).trim());
    if (version === "") return null;
    if (dataDirOwner() === null) {
      mkdirSync(path.dirname(marker), { recursive: true });
      writeFileSync(marker, "");
    }
    tell(`Continuing with yt-dlp ${version} (${found}); this is tried again after 24 hours.`);
    return null;
  }
};
