/**
 * Where a program lies, and the non-system files that it needs: itself, its interpreter, its Python environment, the packages of a Node
 * module. Nothing else, because other files next to them, as in a home folder, must not be readable.
 * Tests: programFiles.test.ts.
 */
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readFileSync,
  readlinkSync,
  readSync,
  realpathSync
} from "node:fs";
import { createRequire } from "node:module";
import { homeFolder } from "../runtime/homeFolder.ts";
import { delimiter, dirname, isAbsolute, join, resolve } from "node:path";

export const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** Absolute path of a program; null if no folder of the search path has it. */
export const onPath = (name: string, path: string): string | null =>
  path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .map((folder) => join(folder, name))
    .find(isExecutable) ?? null;

const HEAD_BYTES = 1_024;

/** Maximum symbolic links from one to the next; a longer one is a loop. */
const SYMLINKS_MAX = 16;

/** Folder trees that contain only programs and libraries. */
const STORES = ["/nix/store", "/gnu/store", "/home/linuxbrew/.linuxbrew"];

const isSystem = (path: string): boolean => /^\/(?:usr|bin|sbin|lib(?:32|64|x32)?)\//u.test(path);

/** The program and every link to it; stops at a link to a system file. */
const chainOf = (program: string): ReadonlyArray<string> => {
  const chain = [program];
  while (chain.length <= SYMLINKS_MAX) {
    const last = chain.at(-1) ?? program;
    try {
      chain.push(resolve(dirname(last), readlinkSync(last)));
    } catch {
      break;
    }
  }
  return chain;
};

interface Script {
  /** Words of the first line after `#!`: the interpreter, and its first argument. */
  readonly named: ReadonlyArray<string>;
  /** Pip writes `sh` and starts the interpreter from there if its path is too long for the first line. */
  readonly viaShell: string | undefined;
  /** What follows the first line, as far as it was read. */
  readonly rest: string;
}

/** Null if the program is no script. */
export const scriptOf = (program: string): Script | null => {
  const descriptor = openSync(program, "r");
  try {
    const bytes = Buffer.alloc(HEAD_BYTES);
    const head = bytes.toString("latin1", 0, readSync(descriptor, bytes));
    const [line = ""] = head.split("\n", 1);
    if (!line.startsWith("#!")) return null;
    return {
      named: line.slice(2).trim().split(/\s+/u),
      viaShell: /'''exec' "?([^"\n]+?)"? "\$0"/u.exec(head)?.[1],
      rest: head.slice(line.length + 1)
    };
  } finally {
    closeSync(descriptor);
  }
};

const interpretersOf = (program: string): ReadonlyArray<string> => {
  const script = scriptOf(program);
  if (script === null) return [];
  const {
    named: [first = ""],
    viaShell
  } = script;
  return [first, viaShell ?? first].filter((path) => path.startsWith("/") && existsSync(path));
};

/** The folder above `bin` if it contains Python's libraries, and so is an installation and not a home folder. */
const installationOf = (path: string): string | null => {
  const root = dirname(dirname(path));
  const version = /\/python(3\.\d+)$/u.exec(path)?.[1] ?? "3";
  const isInstallation =
    existsSync(join(root, "pyvenv.cfg")) || existsSync(join(root, "lib", `python${version}`));
  return isInstallation && !join(homeFolder(), ".local", "bin").startsWith(join(root, "/")) ? root : null;
};

const partsOf = (path: string): ReadonlyArray<string> => {
  if (isSystem(path)) return [];
  const store = STORES.find((folder) => path.startsWith(`${folder}/`));
  if (store !== undefined) return [store];
  return [path, installationOf(path)].filter((part) => part !== null);
};

/** Absolute paths; empty for a missing program. */
export const programFiles = (program: string): ReadonlyArray<string> => {
  if (!existsSync(program)) return [];
  const chain = chainOf(program);
  const interpreters = isSystem(realpathSync(program)) ? [] : interpretersOf(program);
  return [...chain.flatMap(partsOf), ...interpreters.flatMap(programFiles)];
};

/** Packages of `pip install --user`, for the system's interpreters. */
export const userPackages = (): ReadonlyArray<string> => {
  const base = process.env["PYTHONUSERBASE"] ?? join(homeFolder(), ".local");
  return [join(base, "lib")];
};

/** The `node_modules` folder that contains a file, else the package it belongs to. */
const packagesOf = (file: string): string => {
  const [before = "", inPackages] = file.split("/node_modules/", 2);
  if (inPackages !== undefined) return `${before}/node_modules`;
  let folder = dirname(file);
  while (folder !== "/" && !existsSync(join(folder, "package.json"))) folder = dirname(folder);
  return folder;
};

/** Names of what a package needs; none if the folder is no package. */
const dependenciesOf = (folder: string): ReadonlyArray<string> => {
  const manifest = join(folder, "package.json");
  if (!existsSync(manifest)) return [];
  const { dependencies = {} } = JSON.parse(readFileSync(manifest, "utf8")) as {
    readonly dependencies?: Readonly<Record<string, string>>;
  };
  return Object.keys(dependencies);
};

/** Undefined if it is not installed. */
const installedFolder = (name: string, folder: string): string | undefined =>
  createRequire(join(folder, "package.json"))
    .resolve.paths(name)
    ?.map((place) => join(place, name))
    .find(existsSync);

/**
 * The paths from which a module, what its package depends on, and these optional packages are read; what is not
 * installed is omitted.
 */
export const moduleFiles = (module: string, optional: ReadonlyArray<string>): ReadonlyArray<string> => {
  const readable = new Set<string>();
  const add = (file: string, names: ReadonlyArray<string>): void => {
    const folder = packagesOf(file);
    if (readable.has(folder)) return;
    readable.add(folder);
    for (const name of [...dependenciesOf(folder), ...names]) {
      const found = installedFolder(name, dirname(file));
      if (found !== undefined) add(join(realpathSync(found), "package.json"), []);
    }
  };
  add(module, optional);
  return [...readable];
};
