/** Paths of set-up's files, inside the checkout and ignored by git, and of the data folder. */
import { accessSync, constants, existsSync, mkdirSync, statSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { SetupFailed } from "./commands.mjs";

export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
export const DATA_DIR = path.resolve(ROOT, process.env.WINNOW_DATA_DIR ?? ".winnow");
/** pnpm and the markers of finished steps. */
export const SETUP_DIR = path.join(ROOT, ".tools");
/** Programs that set-up and `winnow programs` installed. */
export const PROGRAMS_DIR = path.join(DATA_DIR, "programs");
/** Node 24, from the npm package `node`. */
export const NODE = path.join(ROOT, "node_modules/node/bin/node");

/** Only this user's; as root, PostgreSQL's user must reach its data inside. */
const DATA_DIR_MODE = process.getuid?.() === 0 ? 0o711 : 0o700;

const makeFolder = (folder) => {
  if (existsSync(folder)) return;
  // Not `recursive`, which never ends below a parent that does not allow folders, such as /proc.
  makeFolder(path.dirname(folder));
  mkdirSync(folder, { mode: DATA_DIR_MODE });
};

/** Creates the data folder; throws {@link SetupFailed} if this user cannot create it or write to it. */
export const makeDataDir = () => {
  try {
    makeFolder(DATA_DIR);
    accessSync(path.join(DATA_DIR, "."), constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new SetupFailed(
      `WINNOW_DATA_DIR "${DATA_DIR}" cannot be written (${error.code}). ` +
        "Set it to a folder that this user can create and write to."
    );
  }
};

/**
 * Whom root installs programs for: the owner of the data folder, who can then update them, and whose programs root
 * must not run. Null for oneself.
 */
export const dataDirOwner = () => {
  if (process.getuid?.() !== 0 || !existsSync(DATA_DIR)) return null;
  const { uid, gid } = statSync(DATA_DIR);
  return uid === 0 ? null : { uid, gid };
};

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Whether a marker was written within the last 24 hours. */
export const isRecent = (marker) => existsSync(marker) && Date.now() - statSync(marker).mtimeMs < DAY_MS;

/** First executable with that name on PATH, else null. */
export const onPath = (name) => {
  for (const folder of (process.env.PATH ?? "").split(path.delimiter)) {
    const file = path.join(folder, name);
    if (folder !== "" && existsSync(file)) return file;
  }
  return null;
};
