/**
 * What `winnow login` stores: one server and a key of it, in a file of mode 0600 in the user's configuration folder
 * (XDG Base Directory Specification), which is only this user's. Tests: login.test.ts.
 */
import { chmodSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { homeFolder } from "@winnow/isolation/runtime/homeFolder";
import * as Redacted from "effect/Redacted";
import { writePrivate } from "@winnow/server/DataDir";
import { CliFailed } from "../Inputs.ts";
import { WINNOW } from "@winnow/server/programName";

export interface StoredLogin {
  readonly url: string;
  readonly apiKey: Redacted.Redacted;
}

/** Relative paths in the variable are ignored, as the specification asks. */
export const loginFile = (): string => {
  const configured = process.env["XDG_CONFIG_HOME"] ?? "";
  return join(isAbsolute(configured) ? configured : join(homeFolder(), ".config"), "winnow", "login.json");
};

const fault = (error: unknown, what: string): CliFailed =>
  new CliFailed(
    `${loginFile()} cannot be ${what} (${(error as NodeJS.ErrnoException).code ?? "unreadable"}).`
  );

const textOf = (): string | null => {
  try {
    return readFileSync(loginFile(), "utf8");
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return null;
    throw fault(error, "read");
  }
};

/** Null if nobody is logged in. @throws CliFailed */
export const readLogin = (): StoredLogin | null => {
  const text = textOf();
  if (text === null) return null;
  try {
    const { url, apiKey } = JSON.parse(text) as Record<string, unknown>;
    if (typeof url === "string" && typeof apiKey === "string") return { url, apiKey: Redacted.make(apiKey) };
  } catch {
    // The same as a file that says something else.
  }
  throw new CliFailed(`${loginFile()} is not a login: run ${WINNOW} login again, or ${WINNOW} logout.`);
};

/** @throws CliFailed */
export const writeLogin = ({ url, apiKey }: StoredLogin): void => {
  const folder = dirname(loginFile());
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    chmodSync(folder, 0o700);
    writePrivate(loginFile(), `${JSON.stringify({ url, apiKey: Redacted.value(apiKey) })}\n`);
  } catch (error) {
    throw fault(error, "written");
  }
};

/** Whether there was one. @throws CliFailed */
export const removeLogin = (): boolean => {
  const isThere = textOf() !== null;
  rmSync(loginFile(), { force: true });
  return isThere;
};
