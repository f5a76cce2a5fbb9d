/** An image's file system in a folder, and programs run in it as an engine would. */
import { spawn, spawnSync, type ChildProcess, type StdioOptions } from "node:child_process";
import { cpSync, existsSync, mkdirSync, rmSync } from "node:fs";
import path from "node:path";

/** What the base image contains beyond a minimal Debian. */
const NODE_PACKAGES = "ca-certificates";

/** Quoted for a shell. */
const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/** Prints the program's output; throws if it fails. */
export const run = (program: string, args: ReadonlyArray<string>, stdio: StdioOptions = "inherit"): void => {
  const { error, status } = spawnSync(program, args, { stdio });
  if (status !== 0)
    throw new Error(`"${program} ${args.join(" ")}" failed${error ? `: ${error.message}` : "."}`);
};

/** Debian from debootstrap with this Node, npm and the user `node`: the contents of the base image. */
export const makeBase = (folder: string, mirror: string): void => {
  if (existsSync(folder)) return;
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  run("debootstrap", ["--variant=minbase", `--include=${NODE_PACKAGES}`, "bookworm", unfinished, mirror]);
  cpSync(process.execPath, path.join(unfinished, "usr/local/bin/node"));
  run("npm", [
    "install",
    "--global",
    "--no-audit",
    "--no-fund",
    "--prefix",
    path.join(unfinished, "usr/local"),
    "npm@11"
  ]);
  run("chroot", [unfinished, "groupadd", "--gid", "1000", "node"]);
  run("chroot", [unfinished, "useradd", "--uid", "1000", "--gid", "node", "--create-home", "node"]);
  run("mv", [unfinished, folder]);
};

export const copyBase = (base: string, root: string): void => {
  rmSync(root, { recursive: true, force: true });
  mkdirSync(path.dirname(root), { recursive: true });
  run("cp", ["--archive", "--reflink=auto", base, root]);
  // Mounted into every container by engines.
  for (const file of ["resolv.conf", "hosts"]) {
    rmSync(path.join(root, "etc", file), { force: true });
    cpSync(`/etc/${file}`, path.join(root, "etc", file), { dereference: true });
  }
};

export interface InImage {
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly user: string;
}

/** Runs the command in the folder with only these variables. */
const inFolder = ({ cwd, env }: InImage, command: string): string => {
  const variables = Object.entries(env).map(([name, value]) => quoted(`${name}=${value}`));
  const script = `cd ${quoted(cwd)} && ${command}`;
  return `env --ignore-environment ${variables.join(" ")} sh -c ${quoted(script)}`;
};

const mounts = (root: string): string =>
  ["dev", "sys"].map((place) => `mount --rbind /${place} ${quoted(path.join(root, place))}`).join(" && ");

/** Certificates of this machine, which may be behind an inspecting proxy. */
const AUTHORITIES = "/etc/ssl/certs/ca-certificates.crt";

/** A `RUN` step: with this machine's network and temporarily its certificates. */
export const runInside = (image: InImage, command: string): void => {
  const { env, root } = image;
  const authorities = "/run/authorities.crt";
  cpSync(AUTHORITIES, path.join(root, authorities), { dereference: true });
  const trusting = { ...env, NODE_EXTRA_CA_CERTS: authorities, PIP_CERT: authorities };
  const proc = `mount -t proc proc ${quoted(path.join(root, "proc"))}`;
  const chroot = `cd / && exec chroot --userspec=${image.user} ${quoted(root)}`;
  const script = `${mounts(root)} && ${proc} && ${chroot} ${inFolder({ ...image, env: trusting }, command)}`;
  run("unshare", ["--mount", "--pid", "--fork", "--kill-child", "sh", "-ec", script]);
  rmSync(path.join(root, authorities));
};

/**
 * A container as configured by compose.yaml: no capabilities, no new privileges, its own processes, and a network
 * with only loopback. Additionally, the file system is read-only except for `writable`, folders of this machine by
 * their paths inside, and /tmp.
 */
export const startInside = (
  image: InImage,
  words: ReadonlyArray<string>,
  writable: Readonly<Record<string, string>>
): ChildProcess => {
  const { root, user } = image;
  const at = (place: string): string => quoted(path.join(root, place));
  const script = [
    `mount --bind ${quoted(root)} ${quoted(root)}`,
    `mount --options remount,ro,bind ${quoted(root)}`,
    mounts(root),
    `mount -t proc proc ${at("proc")}`,
    `mount -t tmpfs -o mode=1777 tmpfs ${at("tmp")}`,
    ...Object.entries(writable).map(([place, folder]) => `mount --bind ${quoted(folder)} ${at(place)}`),
    "ip link set lo up",
    // Not chroot, in which the kernel does not allow the namespaces of a sandbox.
    `cd ${quoted(root)} && pivot_root . mnt && umount --lazy /mnt`,
    `exec ${inFolder(image, asContained(user, words))}`
  ].join(" && ");
  return spawn(
    "unshare",
    ["--mount", "--pid", "--net", "--ipc", "--fork", "--kill-child", "sh", "-ec", script],
    {
      stdio: ["ignore", "pipe", "pipe"]
    }
  );
};

const asContained = (user: string, words: ReadonlyArray<string>): string =>
  [
    `exec setpriv --reuid=${user} --regid=${user} --clear-groups --no-new-privs --inh-caps=-all --bounding-set=-all`,
    ...words.map(quoted)
  ].join(" ");

/** Like `docker exec`. `pid` is that of the contained process as seen from here. */
export const execInside = (
  pid: number,
  image: InImage,
  words: ReadonlyArray<string>
): { readonly status: number | null; readonly stdout: string; readonly stderr: string } => {
  const command = `exec ${inFolder(image, asContained(image.user, words))}`;
  const namespaces = ["--mount", "--pid", "--net", "--ipc"];
  return spawnSync("nsenter", [`--target=${pid}`, ...namespaces, "sh", "-ec", command], {
    encoding: "utf8",
    maxBuffer: 1e8
  });
};
