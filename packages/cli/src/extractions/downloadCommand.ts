/** `winnow download`: the files of an extraction on a server, saved to a folder. Tests: accountCommands.test.ts. */
import { resolve } from "node:path";
import type { TerminalResult } from "@winnow/client";
import * as Argument from "effect/cli/Argument";
import * as Command from "effect/cli/Command";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import { callOwn, ownAccount, stated } from "../clients.ts";
import { argument, asJson, text } from "../flags.ts";
import { CliFailed } from "../Inputs.ts";
import { WINNOW } from "@winnow/server/programName";
import { printResult, sizeText, tableText } from "../Output.ts";
import { openProgress } from "../ProgressLine.ts";
import { checkAbsent, overwrite, saveAll, type StoredFile } from "./savedFiles.ts";

const filesOf = (id: string, result: { readonly status: string }): ReadonlyArray<StoredFile> => {
  if (result.status === "complete")
    return (result as Extract<TerminalResult, { status: "complete" }>).artifacts.details;
  const remedy =
    result.status === "failed" ? `${WINNOW} show ${id} says why.` : `${WINNOW} wait ${id} waits for it.`;
  throw new CliFailed(`${id} has no files, because it is ${stated(result.status)}: ${remedy}`);
};

/** A part is a file's name, or its name without its ending. */
const chosenOf = (
  files: ReadonlyArray<StoredFile>,
  parts: ReadonlyArray<string>
): ReadonlyArray<StoredFile> => {
  const isNamed = ({ name }: StoredFile, part: string) => name === part || name.split(".")[0] === part;
  const missing = parts.filter((part) => !files.some((file) => isNamed(file, part)));
  if (missing.length > 0) {
    const names = files.map(({ name }) => name).join(", ");
    throw new CliFailed(`There is no ${missing.join(", ")}. The files are: ${names}.`);
  }
  return parts.length === 0 ? files : files.filter((file) => parts.some((part) => isNamed(file, part)));
};

export const download = Command.make(
  "download",
  {
    ...ownAccount,
    id: argument("id", "Id of the extraction"),
    parts: argument("part", "Names of files, such as transcript or video.mp4; all by default").pipe(
      Argument.variadic()
    ),
    to: text("to", "Folder for the files, created if missing; winnow-<id> by default"),
    overwrite,
    json: asJson
  },
  Effect.fnUntraced(function* ({ id, parts, to, overwrite: mayReplace, json, ...from }) {
    const folder = resolve(Option.getOrElse(to, () => `winnow-${id}`));
    const line = yield* openProgress;
    const { files, saved } = yield* callOwn(from, async (winnow, signal) => {
      const chosen = chosenOf(filesOf(id, await winnow.extractions.result(id, { signal })), parts);
      const names = chosen.map(({ name }) => name);
      if (!mayReplace) checkAbsent(folder, names, "--to");
      return { files: chosen, saved: await saveAll({ winnow, id, folder, signal }, chosen, line.show) };
    });
    line.clear();
    const rows = files.map(({ name, bytes }) => [name, sizeText(bytes)]);
    yield* printResult(json, { folder, files: saved }, `${tableText(["file", "size"], rows)}\nin ${folder}`);
  }, Effect.scoped)
).pipe(
  Command.withDescription("Save the files of an extraction of your account to a folder"),
  Command.withExamples([
    { command: "winnow download ext_... transcript --to talk", description: "Only the transcript" }
  ])
);
