/** `winnow models`: speech models on this machine. */
import { join, resolve } from "node:path";
import * as Argument from "effect/cli/Argument";
import * as Command from "effect/cli/Command";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import { argument, text } from "./flags.ts";
import { asCliFailure, CliFailed, settingsFromEnvironment } from "./Inputs.ts";
import { winnowOn } from "@winnow/server/programName";
import { loadLocalSpeech } from "@winnow/server/adapters/localSpeechPackage";
import { modelsDirOf } from "@winnow/server/settings/ModelSettings";
import { sizeText } from "./Output.ts";
import { openProgress } from "./ProgressLine.ts";
import { row } from "./row.ts";

const prepare = Effect.gen(function* () {
  const settings = yield* settingsFromEnvironment;
  const server = yield* Effect.promise(() => import("@winnow/server/adapters/localSpeech"));
  const local = yield* asCliFailure(loadLocalSpeech);
  return { settings, server, local, modelsDir: modelsDirOf(settings) };
});

const unknown = (name: string, names: ReadonlyArray<string>) =>
  new CliFailed(
    `There is no model "${name}"${names.length === 0 ? ", nor any other" : `. There are: ${names.join(", ")}`}.`
  );

const list = row({
  word: "list",
  about: "List the speech models that can be added and those that are installed",
  fields: {},
  call: () => Effect.map(prepare, ({ local, modelsDir }) => local.listModels(modelsDir)),
  columns: ({ name, state, sizeBytes, languages, license }) => ({
    name,
    state,
    size: sizeBytes === null ? null : sizeText(sizeBytes),
    languages,
    license
  })
});

const add = row({
  word: "add",
  about:
    "Fetch a speech model and the voice detector from their publishers, and check them. An interrupted download " +
    "continues; without a network, the command says which file to put where.",
  fields: { name: argument("name", "Name of a model, as `models list` shows it") },
  call: ({ name }) =>
    Effect.gen(function* () {
      const { local, modelsDir } = yield* prepare;
      const known = [...local.NAMED_MODELS, local.VOICE_DETECTOR];
      const model = known.find((each) => each.name === name);
      if (model === undefined)
        return yield* unknown(
          name,
          known.map((each) => each.name)
        );
      const wanted = local.withVoiceDetector(model);
      const line = yield* openProgress;
      yield* asCliFailure(
        local.fetchModels(wanted, modelsDir, ({ doneBytes: bytes, file: step, totalBytes }) =>
          line.show({ phase: "fetching", step, percent: (100 * bytes) / totalBytes, bytes, rung: null })
        )
      );
      return wanted.map((each) => ({ name: each.name, folder: join(modelsDir, each.name) }));
    }).pipe(Effect.scoped),
  words: (added, { name }) =>
    [
      ...added.map((each) => `${each.name} is in ${each.folder}.`),
      // The voice detector alone, which every model needs, is added without another.
      ...(added.length === 1 ? [] : [`To use it: WINNOW_SPEECH_MODEL=local:${name}`])
    ].join("\n")
}).pipe(Command.withShortDescription("Fetch a speech model"));

const remove = row({
  word: "remove",
  about: "Delete a speech model from this machine",
  fields: { name: argument("name", "Name of an installed model") },
  call: ({ name }) =>
    Effect.gen(function* () {
      const { local, modelsDir } = yield* prepare;
      if (!(yield* local.removeModel(name, modelsDir)))
        return yield* unknown(name, local.installedModels(modelsDir));
      return { name, removed: true };
    }),
  words: ({ name }) => `Removed ${name}.`
});

const secondsSince = (startedMs: number): number => (performance.now() - startedMs) / 1_000;

const test = row({
  word: "test",
  about: "Check the files of a speech model, load it and transcribe a recording with it",
  fields: {
    name: argument("name", "Name or folder of a model; by default the only one installed").pipe(
      Argument.optional
    ),
    file: text("file", "A recording to transcribe; by default a second of silence")
  },
  call: ({ file, name }) =>
    Effect.gen(function* () {
      const { local, modelsDir, server, settings } = yield* prepare;
      const found = local.findLocalModel(
        Option.getOrElse(name, () => ""),
        modelsDir
      );
      if ("problem" in found) return yield* new CliFailed(`${server.problemText(found, settings)}.`);
      const known = local.NAMED_MODELS.find((model) => `local:${model.name}` === found.name);
      const wrong = known === undefined ? [] : yield* local.wrongFiles(known, modelsDir);
      if (wrong.length > 0)
        return yield* new CliFailed(
          `${wrong.join(", ")}: not the known content. Run: ${winnowOn(settings.dataDir)} models add ${known?.name ?? ""}`
        );
      const startedMs = performance.now();
      const source = Option.map(file, (path) => ({ _tag: "LocalFile", path: resolve(path) }) as const);
      const speech = yield* asCliFailure(
        Effect.provide(
          local.transcribeOnce(Option.getOrUndefined(source)),
          server.transcriberOf(settings, found, join(settings.dataDir, "work"))
        )
      );
      const { language = null, segments = [] } = speech ?? {};
      return { name: found.name, language, seconds: secondsSince(startedMs), segments };
    }),
  words: ({ name, language, seconds, segments }) =>
    [
      ...segments.map((said) => `${said.startSeconds.toFixed(1).padStart(7)}  ${said.text}`),
      `${name} works: ${segments.length} segments, ${language ?? "no language"}, ${seconds.toFixed(1)} s.`
    ].join("\n")
}).pipe(Command.withShortDescription("Check a speech model and transcribe with it"));

export const models = Command.make("models").pipe(
  Command.withShortDescription("Speech models on this machine"),
  Command.withDescription("Add, check and remove speech models that run on this machine, without a server"),
  Command.withSubcommands([list, add, remove, test])
);
