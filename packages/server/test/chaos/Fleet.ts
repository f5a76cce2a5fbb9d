/** Real `winnow serve` processes that are killed, frozen and started again, and what they log. */
import { spawn, type ChildProcess } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { BIN } from "../WinnowLauncher.ts";
import type { TakeOvers } from "./TakeOvers.ts";

export type Role = "api" | "worker";

/** The fields of a log line that are used here. */
interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly timestamp: string;
  readonly annotations: { readonly extractionId?: string };
}

interface Member {
  readonly name: string;
  readonly role: Role;
  child: ChildProcess;
  /** Null until it listens. */
  url: string | null;
  /** Whether we asked it to stop. */
  isEnding: boolean;
  isFrozen: boolean;
}

export interface FleetOptions {
  /** Contains the data folder of each process. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly takeOvers: TakeOvers;
}

const isLogLine = (value: unknown): value is LogLine =>
  typeof value === "object" && value !== null && "message" in value && "annotations" in value;

const parse = (line: string): LogLine | null => {
  try {
    const value: unknown = JSON.parse(line);
    return isLogLine(value) ? value : null;
  } catch {
    return null;
  }
};

const eachLine = (child: ChildProcess, take: (line: string) => void): void => {
  let rest = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    lines.forEach(take);
  });
};

const exited = (child: ChildProcess): Promise<unknown> =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise((resolve) => void child.once("exit", resolve));

/** Reported log lines of a process that ended by itself. */
const LAST_LINES = 15;

export class Fleet {
  /** Processes that ended unexpectedly, with their last log lines. */
  readonly endedAlone: Array<string> = [];
  /** Lines of failed runs at level ERROR, by extraction. */
  readonly failureLines = new Map<string, number>();
  /** Every other line at level ERROR. */
  readonly errorLines: Array<string> = [];
  private readonly members: Array<Member> = [];
  private readonly options: FleetOptions;

  constructor(options: FleetOptions) {
    this.options = options;
  }

  add(role: Role, name: string): void {
    const member = { name, role, url: null, isEnding: false, isFrozen: false };
    const whole: Member = { ...member, child: this.spawnFor(name, role, () => whole) };
    this.members.push(whole);
  }

  /** Base URLs of the processes of the role that listen; a frozen one does too. */
  urls(role: Role): ReadonlyArray<string> {
    return this.members.flatMap((member) =>
      member.role === role && member.url !== null ? [member.url] : []
    );
  }

  /** Every process listens. */
  isUp(): boolean {
    return this.members.every(({ url }) => url !== null);
  }

  async untilUp(): Promise<void> {
    while (!this.isUp()) {
      if (this.endedAlone.length > 0) throw new Error(this.endedAlone[0]);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /**
   * SIGKILL, at any point; another process replaces it. Its children end by themselves. False if there
   * is none.
   *
   * @param isStarting whether it may be a process that does not listen yet
   */
  kill(role: Role, index: number, isStarting: boolean): boolean {
    const member = this.choose(role, index, isStarting);
    if (member === undefined) return false;
    const dead = member.child;
    member.isEnding = true;
    dead.kill("SIGKILL");
    this.options.takeOvers.killed(dead, Date.now());
    member.url = null;
    member.isFrozen = false;
    member.isEnding = false;
    member.child = this.spawnFor(member.name, role, () => member);
    return true;
  }

  /** Freezes a process for a while. */
  freeze(role: Role, index: number, forMs: number): void {
    const member = this.choose(role, index, false);
    if (member === undefined || member.isFrozen) return;
    const { child } = member;
    member.isFrozen = true;
    child.kill("SIGSTOP");
    setTimeout(() => {
      child.kill("SIGCONT");
      if (member.child === child) member.isFrozen = false;
    }, forMs);
  }

  thaw(): void {
    for (const { child } of this.members) child.kill("SIGCONT");
  }

  /** SIGTERM to all; returns their exit codes. */
  async end(): Promise<ReadonlyArray<number | null>> {
    for (const member of this.members) member.isEnding = true;
    return Promise.all(
      this.members.map(async ({ child }) => {
        child.kill("SIGTERM");
        await exited(child);
        return child.exitCode;
      })
    );
  }

  /** Kills the remaining ones. */
  async destroy(): Promise<void> {
    await Promise.all(
      this.members.map(async (member) => {
        member.isEnding = true;
        member.child.kill("SIGKILL");
        await exited(member.child);
      })
    );
  }

  private choose(role: Role, index: number, isStarting: boolean): Member | undefined {
    const some = this.members.filter((member) => member.role === role && (isStarting || member.url !== null));
    return some[index % some.length];
  }

  private spawnFor(name: string, role: Role, memberOf: () => Member): ChildProcess {
    const dataDir = join(this.options.folder, name);
    mkdirSync(dataDir, { recursive: true });
    const child = spawn(process.execPath, [BIN, "serve"], {
      env: {
        ...process.env,
        ...this.options.env,
        WINNOW_DATA_DIR: dataDir,
        WINNOW_PORT: "0",
        WINNOW_ROLE: role
      },
      stdio: ["ignore", "pipe", "pipe"]
    });
    const last: Array<string> = [];
    eachLine(child, (line) => {
      last.push(line);
      if (last.length > LAST_LINES) last.shift();
      const read = parse(line);
      if (read !== null) this.read(child, role, read);
    });
    let stdout = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
      const member = memberOf();
      if (member.child === child) member.url ??= /listening on (http:\S+)/u.exec(stdout)?.[1] ?? null;
    });
    child.once("exit", (code, signal) => {
      const member = memberOf();
      if (member.child !== child || member.isEnding) return;
      this.endedAlone.push(`${name} ended with ${code ?? signal}:\n${last.join("\n")}`);
    });
    return child;
  }

  private read(child: ChildProcess, role: Role, { level, message, timestamp, annotations }: LogLine): void {
    const { extractionId } = annotations;
    if (level === "ERROR" || level === "Error") {
      if (extractionId !== undefined && message.startsWith("Run failed")) {
        this.failureLines.set(extractionId, (this.failureLines.get(extractionId) ?? 0) + 1);
      } else this.errorLines.push(message);
    }
    if (role !== "worker" || extractionId === undefined) return;
    if (message === "Extraction ended") this.options.takeOvers.ended(extractionId);
    else this.options.takeOvers.told(child, extractionId, Date.parse(timestamp));
  }
}
