/**
 * Which files a program needs that do not lie among the system's: itself, its interpreter, the environment of
 * Python that it lives in, the packages of a module of Node. As little as that: what lies beside it in somebody's home is nobody's business.
 */
import { closeSync, existsSync, openSync, readlinkSync, readSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";

const HEAD_BYTES = 512;

/** Links that lead from one to the next; more are a circle. */
const LINKS_MAX = 16;

/** Whole trees of programs and libraries that hold nothing else. */
const STORES = ["/nix/store", "/gnu/store", "/home/linuxbrew/.linuxbrew"];

const isSystem = (path: string): boolean => /^\/(?:usr|bin|sbin|lib(?:32|64|x32)?)\//u.test(path);

/** The program and every link on the way to it; a link that leads to a system file ends it. */
const chainOf = (program: string): ReadonlyArray<string> => {
  const chain = [program];
  while (chain.length <= LINKS_MAX) {
    const last = chain.at(-1) ?? program;
    try {
      chain.push(resolve(dirname(last), readlinkSync(last)));
    } catch {
      break;
    }
  }
  return chain;
};

const interpretersOf = (program: string): ReadonlyArray<string> => {
  const descriptor = openSync(program, "r");
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    const text = head.toString("latin1", 0, readSync(descriptor, head));
    const [line = ""] = text.split("\n", 1);
    if (!line.startsWith("#!")) return [];
    const viaShell = /'''exec' "?([^"\n]+?)"? "\$0"/u.exec(text)?.[1];
    const [named = ""] = line.slice(2).trim().split(/\s+/u);
    return [named, viaShell ?? named].filter((path) => path.startsWith("/") && existsSync(path));
  } finally {
    closeSync(descriptor);
  }
};

/** The folder above `bin` where Python's libraries lie in it: an installation of its own, and nobody's home. */
const installationOf = (path: string): string | null => {
  const root = dirname(dirname(path));
  const version = /\/python(3\.\d+)$/u.exec(path)?.[1] ?? "3";
  const isInstallation =
    existsSync(join(root, "pyvenv.cfg")) || existsSync(join(root, "lib", `python${version}`));
  return isInstallation && !join(homedir(), ".local", "bin").startsWith(join(root, "/")) ? root : null;
};

const partsOf = (path: string): ReadonlyArray<string> => {
  if (isSystem(path)) return [];
  const store = STORES.find((folder) => path.startsWith(`${folder}/`));
  if (store !== undefined) return [store];
  return [path, installationOf(path)].filter((part) => part !== null);
};

/** Absolute paths. Of a program that is not there, none. */
export const programFiles = (program: string): ReadonlyArray<string> => {
  if (!existsSync(program)) return [];
  const chain = chainOf(program);
  const interpreters = isSystem(realpathSync(program)) ? [] : interpretersOf(program);
  return [...chain.flatMap(partsOf), ...interpreters.flatMap(programFiles)];
};

/** What `pip install --user` installed, for interpreters of the system. */
export const userPackages = (): ReadonlyArray<string> => {
  const base = process.env["PYTHONUSERBASE"] ?? join(homedir(), ".local");
  return [join(base, "lib")];
};

/** The folder of all packages that a file lies in, or the package that it belongs to where it is in none. */
const packagesOf = (file: string): string => {
  const [before = "", inPackages] = file.split("/node_modules/", 2);
  if (inPackages !== undefined) return `${before}/node_modules`;
  let folder = dirname(file);
  while (folder !== "/" && !existsSync(join(folder, "package.json"))) folder = dirname(folder);
  return folder;
};

/** What a module of ours and the packages that it imports are read from; of those that are not installed, nothing. */
export const moduleFiles = (module: string, packages: ReadonlyArray<string>): ReadonlyArray<string> => {
  const { resolve: find } = createRequire(module);
  const found = packages.flatMap((name) => {
    try {
      return [realpathSync(find(name))];
    } catch {
      return [];
    }
  });
  return [module, ...found].map(packagesOf);
};
