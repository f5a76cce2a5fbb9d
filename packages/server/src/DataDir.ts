/**
 * Small files of the data directory: the admin token, the address of the running server, the marker of the first
 * start, and the first API key if no terminal could show it. All have mode 0600.
 */
import { randomBytes } from "node:crypto";
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import * as Option from "effect/Option";
import * as Redacted from "effect/Redacted";
import * as Schema from "effect/Schema";

const TOKEN_FILE = "admin-token";
const SERVER_FILE = "server.json";
const FIRST_ACCOUNT_FILE = "first-account.json";
const FIRST_KEY_FILE = "first-api-key";

/** Bytes of a generated token: enough to make guessing infeasible. */
const TOKEN_BYTES = 32;

/**
 * Accessible only to this user. Under root, other users may traverse it but not list it, because PostgreSQL runs
 * as another user, who outside of Linux must reach its data inside. All other content has its own private permissions.
 */
export const makeDataDir = (dataDir: string): void => {
  if (existsSync(dataDir) && statSync(dataDir).isDirectory()) return;
  // Not `recursive`, which never ends below a parent that does not allow folders, such as /proc.
  if (!existsSync(dirname(dataDir))) makeDataDir(dirname(dataDir));
  mkdirSync(dataDir, { mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
};

/**
 * Throws if nothing can be created: the folder belongs to another user or is on a read-only disk. A full disk is
 * tolerated, because it may get space again.
 */
export const checkWritable = (dataDir: string): void => accessSync(dataDir, constants.W_OK | constants.X_OK);

/** Written completely or not at all, even if the process is killed midway. */
export const writePrivate = (path: string, text: string): void => {
  const temporary = `${path}.${process.pid}.new`;
  try {
    writeFileSync(temporary, text, { mode: 0o600, flush: true });
    renameSync(temporary, path);
  } catch (error) {
    // On a full disk, files can be created but not written.
    rmSync(temporary, { force: true });
    throw error;
  }
};

const read = (path: string): string | null => {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
};

export const readAdminToken = (dataDir: string): Redacted.Redacted | null => {
  const token = read(join(dataDir, TOKEN_FILE));
  return token === null || token === "" ? null : Redacted.make(token);
};

/** The stored token, or a new one that is stored. */
export const ensureAdminToken = (dataDir: string): Redacted.Redacted => {
  const stored = readAdminToken(dataDir);
  if (stored !== null) return stored;
  const token = `wna_${randomBytes(TOKEN_BYTES).toString("base64url")}`;
  writePrivate(join(dataDir, TOKEN_FILE), `${token}\n`);
  return Redacted.make(token);
};

const RunningServer = Schema.Struct({
  url: Schema.String.check(Schema.makeFilter((url) => URL.canParse(url))),
  pid: Schema.Int
});

/** None for a file that Winnow did not write. */
const decodeServer = Schema.decodeUnknownOption(Schema.fromJsonString(RunningServer));

/** Records where the server listens, for commands on this machine. */
export const writeServerUrl = (dataDir: string, url: string): void =>
  writePrivate(join(dataDir, SERVER_FILE), `${JSON.stringify({ url, pid: process.pid })}\n`);

const readServer = (dataDir: string): typeof RunningServer.Type | null =>
  Option.getOrNull(decodeServer(read(join(dataDir, SERVER_FILE)) ?? ""));

/** `pid`: only the address of this process. */
export const readServerUrl = (dataDir: string, pid?: number): string | null => {
  const server = readServer(dataDir);
  return server === null || (pid !== undefined && server.pid !== pid) ? null : server.url;
};

/** Only if this process wrote it: another one may have started since and still be running. */
export const removeServerUrl = (dataDir: string): void => {
  if (readServer(dataDir)?.pid === process.pid) rmSync(join(dataDir, SERVER_FILE), { force: true });
};

export const hasFirstAccount = (dataDir: string): boolean => existsSync(join(dataDir, FIRST_ACCOUNT_FILE));

export const markFirstAccount = (dataDir: string, accountId: string): void =>
  writePrivate(join(dataDir, FIRST_ACCOUNT_FILE), `${JSON.stringify({ accountId })}\n`);

/** Returns its path. */
export const writeFirstKey = (dataDir: string, key: string): string => {
  const path = resolve(dataDir, FIRST_KEY_FILE);
  writePrivate(path, `${key}\n`);
  return path;
};
