/**
 * Small files of the data directory: the admin token, the address of the running server, and the mark of
 * the first start. All of mode 0600.
 */
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as Redacted from "effect/Redacted";

const TOKEN_FILE = "admin-token";
const SERVER_FILE = "server.json";
const FIRST_ACCOUNT_FILE = "first-account.json";

/** Bytes of a generated token: enough to make guessing infeasible. */
const TOKEN_BYTES = 32;

/**
 * Private to us. Under root others may pass through it but not look around: PostgreSQL runs as another user
 * there, and shall find its data inside. Everything that we put into it is closed by itself.
 */
export const makeDataDir = (dataDir: string): void => {
  if (existsSync(dataDir) && statSync(dataDir).isDirectory()) return;
  // Not `recursive`: that never ends where a parent takes no folders, as in /proc.
  if (!existsSync(dirname(dataDir))) makeDataDir(dirname(dataDir));
  mkdirSync(dataDir, { mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
};

/** Whole or not at all, whoever is killed in the middle. */
const writePrivate = (path: string, text: string): void => {
  const temporary = `${path}.${process.pid}.new`;
  writeFileSync(temporary, text, { mode: 0o600, flush: true });
  renameSync(temporary, path);
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

/** The kept token, or a new one that is kept from now on. */
export const ensureAdminToken = (dataDir: string): Redacted.Redacted => {
  const kept = readAdminToken(dataDir);
  if (kept !== null) return kept;
  const token = `wna_${randomBytes(TOKEN_BYTES).toString("base64url")}`;
  writePrivate(join(dataDir, TOKEN_FILE), `${token}\n`);
  return Redacted.make(token);
};

/** Tells the commands of this machine where the server listens. */
export const writeServerUrl = (dataDir: string, url: string): void =>
  writePrivate(join(dataDir, SERVER_FILE), `${JSON.stringify({ url, pid: process.pid })}\n`);

const readServer = (dataDir: string): { readonly url: string; readonly pid: number } | null => {
  try {
    return JSON.parse(read(join(dataDir, SERVER_FILE)) ?? "null") as { url: string; pid: number } | null;
  } catch (error) {
    if (error instanceof SyntaxError) return null; // of somebody else's hand
    throw error;
  }
};

export const readServerUrl = (dataDir: string): string | null => readServer(dataDir)?.url ?? null;

/** Where this process wrote it: another may have come since, and serves on. */
export const removeServerUrl = (dataDir: string): void => {
  if (readServer(dataDir)?.pid === process.pid) rmSync(join(dataDir, SERVER_FILE), { force: true });
};

export const hasFirstAccount = (dataDir: string): boolean => existsSync(join(dataDir, FIRST_ACCOUNT_FILE));

export const markFirstAccount = (dataDir: string, accountId: string): void =>
  writePrivate(join(dataDir, FIRST_ACCOUNT_FILE), `${JSON.stringify({ accountId })}\n`);
