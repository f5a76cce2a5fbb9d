/** Releases as users install them: packed from a checkout, and unpacked into a separate folder. */
import { execFile, execFileSync } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { PNPM } from "../../setup/packages.mjs";
import { PACKAGES } from "../../release/stage.ts";
import { ROOT } from "../../repository.ts";
import { packed } from "../../release/archives.ts";
import { unpacked } from "../installed.ts";

const run = promisify(execFile);

/** A commit or tag to upgrade from, instead of the last release in the history. */
const BEFORE_VARIABLE = "WINNOW_RELEASE_BEFORE";

/** The tag of the last release before this tree; null if the history has none, as in a shallow clone. */
export const releaseBefore = (): string | null => {
  const named = process.env[BEFORE_VARIABLE] ?? "";
  if (named !== "") return named;
  try {
    const args = ["tag", "--list", "v*", "--merged", "HEAD", "--sort=-version:refname"];
    return execFileSync("git", args, { cwd: ROOT, encoding: "utf8" }).split("\n")[0] || null;
  } catch {
    return null;
  }
};

/** Packs the packages of the checkout with the checkout's scripts, and unpacks them below `project`. */
export const installRelease = async (checkout: string, project: string): Promise<void> => {
  const staged = path.join(project, "staged");
  await mkdir(staged, { recursive: true });
  const stage = path.join(checkout, "scripts/release/stage.ts");
  const source = `import { stagePackages } from ${JSON.stringify(stage)}; await stagePackages(process.argv[1]);`;
  await run(process.execPath, ["--input-type=module", "--eval", source, staged], { cwd: checkout });
  for (const [name, archive] of await packed(project, staged, PACKAGES)) {
    await unpacked(checkout, project, name, archive);
  }
};

/** Checks out another commit, and installs the packages in its lock file. */
export const checkOut = async (ref: string, folder: string): Promise<void> => {
  await mkdir(folder, { recursive: true });
  const archive = path.join(folder, "archive.tar");
  await run("git", ["archive", "--output", archive, ref], { cwd: ROOT });
  await run("tar", ["-xf", archive, "-C", folder]);
  await symlink(path.join(ROOT, ".tools"), path.join(folder, ".tools"));
  await run(process.execPath, [PNPM, "install", "--frozen-lockfile", "--prefer-offline"], {
    cwd: folder,
    env: { ...process.env, CI: "true" },
    maxBuffer: 1e8
  });
};

/** Changes that the next release may make to tables which processes of this release use. */
const NEXT_RELEASE = `-- Release 2.
alter table winnow.account add column next_note text not null default 'none';
alter table winnow.extraction add column next_weight integer not null default 1 check (next_weight > 0);
create index next_extraction_weight on winnow.extraction (next_weight) where status = 'running';
create table winnow.next_list (id bigint generated always as identity primary key, account_id text not null);
create function winnow.next_note_submits() returns trigger language plpgsql as $$
begin
  insert into winnow.next_list (account_id) values (new.account_id);
  return null;
end $$;
create trigger next_submitted after insert on winnow.extraction
  for each row execute function winnow.next_note_submits();
do $$
declare
  body text := pg_get_functiondef('winnow.extraction_json(winnow.extraction)'::regprocedure);
begin
  execute replace(body, '''id'', e.id', '''id'', e.id, ''nextWeight'', e.next_weight');
end $$;
`;

const AFTER_NEXT = `-- Release 3.
create table winnow.after_next (id text primary key);
`;

/**
 * Copies the release at `project` and adds the migrations of a later one: its processes migrate like those of
 * the later release, and run this tree's code.
 */
export const laterRelease = async (project: string, later: string, isAfterNext: boolean): Promise<void> => {
  await run("cp", ["-RP", project, later]);
  const folder = path.join(later, "node_modules/@winnow/adapters/dist/src/postgres/migrations");
  await writeFile(path.join(folder, "9001_next_release.sql"), NEXT_RELEASE);
  if (isAfterNext) await writeFile(path.join(folder, "9002_after_next.sql"), AFTER_NEXT);
};
