/**
 * The command line of bubblewrap for one program: its own namespaces, system files to read, one folder and a bounded
 * tmpfs to write, and a network with only a relay to the egress proxy, or none. Pure, except for checking which system
 * folders exist. Tests of attacks: rogue.test.ts, and adapters' rogueYtDlp, rogueGalleryDl and rogueRunFolder.
 */
import { existsSync, lstatSync, readlinkSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { ProxySocket } from "../network/Egress.ts";

/** Temporary files and shared memory of one program, each. */
const TMPFS_MAX_BYTES = 64 * 2 ** 20;

/** Path of the proxy's socket in the sandbox. */
export const PROXY_SOCKET_PATH = "/run/winnow/egress.sock";

const RELAY = fileURLToPath(new URL("./relay.py", import.meta.url));

/** User and group in the sandbox if the server is root: it owns the same files inside as outside. */
const INNER_ID = "1000";

/** Links into /usr on merged systems, else folders. */
const SYSTEM_FOLDERS = ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];

/** Files of /etc that programs read: the linker's, certificates without keys, fonts, the time zone, MIME types. */
const SYSTEM_FILES = [
  "/usr",
  "/etc/alternatives",
  "/etc/ca-certificates",
  "/etc/chromium",
  "/etc/chromium.d",
  "/etc/crypto-policies",
  "/etc/fonts",
  "/etc/ld.so.cache",
  "/etc/ld.so.conf",
  "/etc/ld.so.conf.d",
  "/etc/localtime",
  "/etc/mime.types",
  "/etc/pki/ca-trust",
  "/etc/pki/tls/certs",
  "/etc/ssl/certs",
  "/etc/ssl/openssl.cnf",
  "/var/cache/fontconfig"
];

export interface Confined {
  /** The working folder, the only writable one; absolute. */
  readonly folder: string;
  /** Whether not even that folder is writable; default false. */
  readonly readOnly?: boolean;
  /** Further readable files and folders, absolute; missing ones are omitted. */
  readonly readable: ReadonlyArray<string>;
  /** The proxy's socket; null for no network. */
  readonly proxySocket: ProxySocket | null;
  /** Whether the program creates user namespaces, for a sandbox of its own; default false. */
  readonly nestsNamespaces?: boolean;
}

const options = (text: string): ReadonlyArray<string> => text.split(" ");

const systemFolder = (folder: string): ReadonlyArray<string> => {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined) return [];
  return found.isSymbolicLink() ? ["--symlink", readlinkSync(folder), folder] : ["--ro-bind", folder, folder];
};

/** Without paths below others, which are readable with them: bubblewrap cannot bind over a link in a bound folder. */
const boundToRead = (paths: ReadonlyArray<string>): ReadonlyArray<string> =>
  [...new Set(paths)]
    .filter((path) => !paths.some((other) => path.startsWith(`${other}/`)))
    .toSorted()
    .flatMap((path) => ["--ro-bind-try", path, path]);

const relayed = ({ port }: ProxySocket, python: string): ReadonlyArray<string> => [
  python,
  "-I",
  "-S",
  RELAY,
  String(port),
  PROXY_SOCKET_PATH
];

/** Whether this server is root, which would keep its user id in a namespace. */
const isRoot = (): boolean => process.getuid?.() === 0;

/** Limits of the namespaces that a process creates, which it can only change for its own. */
const NAMESPACE_LIMITS = "/proc/sys/user";

/**
 * The kernel's settings are read-only, because a process with the user id of root may change them without any
 * capability: `core_pattern` names a program that the kernel runs as root, outside.
 */
const kernelSettings = (nestsNamespaces: boolean): ReadonlyArray<string> =>
  nestsNamespaces
    ? [...options("--ro-bind /proc/sys /proc/sys --bind"), NAMESPACE_LIMITS, NAMESPACE_LIMITS]
    : options("--ro-bind /proc/sys /proc/sys --disable-userns");

/** The command line that runs `command` in the sandbox; `python` runs the relay. */
export const bubblewrapped = (
  program: string,
  python: string,
  { proxySocket, folder, readable, readOnly = false, nestsNamespaces = false }: Confined,
  command: ReadonlyArray<string>
): ReadonlyArray<string> => [
  program,
  ...options("--unshare-user --unshare-all --die-with-parent --cap-drop ALL --hostname winnow"),
  ...(isRoot() ? ["--uid", INNER_ID, "--gid", INNER_ID] : []),
  ...SYSTEM_FOLDERS.flatMap(systemFolder),
  ...boundToRead(SYSTEM_FILES.filter((path) => existsSync(path))),
  ...options("--proc /proc --dev /dev --remount-ro /dev"),
  ...kernelSettings(nestsNamespaces),
  ...options(`--size ${TMPFS_MAX_BYTES} --tmpfs /dev/shm`),
  ...options(`--size ${TMPFS_MAX_BYTES} --tmpfs /tmp`),
  ...boundToRead(readable),
  ...(proxySocket === null
    ? []
    : ["--ro-bind", RELAY, RELAY, "--ro-bind", proxySocket.socketPath, PROXY_SOCKET_PATH]),
  readOnly ? "--ro-bind" : "--bind",
  folder,
  folder,
  ...options("--remount-ro / --chdir"),
  folder,
  "--",
  ...(proxySocket === null ? [] : relayed(proxySocket, python)),
  ...command
];
