/** `winnow models`: speech models on this machine. */
import { join, resolve } from "node:path";
import * as Argument from "effect/cli/Argument";
import * as Command from "effect/cli/Command";
import * as Flag from "effect/cli/Flag";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import { CliFailed, settingsFromEnvironment } from "./Inputs.ts";
import type { ListedModel } from "@winnow/local-speech";
import { winnowOn } from "@winnow/server/programName";
import { modelsDirOf } from "@winnow/server/settings/ModelSettings";
import { asJson, printResult, printTable, sizeText } from "./Output.ts";

const prepare = Effect.gen(function* () {
  const settings = yield* settingsFromEnvironment;
  const server = yield* Effect.promise(() => import("@winnow/server/adapters/localSpeech"));
  const local = yield* Effect.mapError(server.loadLocalSpeech, ({ message }) => new CliFailed({ message }));
  return { settings, server, local, modelsDir: modelsDirOf(settings) };
});

const list = Command.make(
  "list",
  { json: asJson },
  Effect.fnUntraced(function* ({ json }) {
    const { local, modelsDir } = yield* prepare;
    yield* printTable<ListedModel>(json, local.listModels(modelsDir), {
      name: ({ name }) => name,
      state: ({ state }) => state,
      size: ({ sizeBytes }) => (sizeBytes === null ? null : sizeText(sizeBytes)),
      languages: ({ languages }) => languages,
      license: ({ license }) => license
    });
  })
).pipe(Command.withDescription("List the speech models that can be added, and those that are there"));

/** Redrawn on a terminal; otherwise nothing is written until the end. */
const bar = (done: number, total: number, file: string): void => {
  if (!process.stderr.isTTY) return;
  const filled = Math.floor((30 * done) / total);
  const percent = Math.floor((100 * done) / total);
  process.stderr.write(
    `\r[${"#".repeat(filled)}${"-".repeat(30 - filled)}] ${String(percent).padStart(3)} %  ${file}\u001b[K`
  );
};

const unknown = (name: string, names: ReadonlyArray<string>) =>
  new CliFailed({
    message: `There is no model "${name}"${names.length === 0 ? ", nor any other" : `. There are: ${names.join(", ")}`}.`
  });

const add = Command.make(
  "add",
  {
    name: Argument.String("name").pipe(
      Argument.withDescription("Name of a model, as `models list` shows it")
    ),
    json: asJson
  },
  Effect.fnUntraced(function* ({ json, name }) {
    const { local, modelsDir } = yield* prepare;
    const known = [...local.NAMED_MODELS, local.VOICE_DETECTOR];
    const model = known.find((each) => each.name === name);
    if (model === undefined)
      return yield* unknown(
        name,
        known.map((each) => each.name)
      );
    const wanted = local.withVoiceDetector(model);
    yield* local
      .fetchModels(wanted, modelsDir, ({ doneBytes, file, totalBytes }) => bar(doneBytes, totalBytes, file))
      .pipe(
        Effect.ensuring(Effect.sync(() => void (process.stderr.isTTY && process.stderr.write("\n")))),
        Effect.mapError(({ message }) => new CliFailed({ message }))
      );
    const added = wanted.map((each) => ({ name: each.name, folder: join(modelsDir, each.name) }));
    const words = added.map((each) => `${each.name} is in ${each.folder}.`);
    const use = model === local.VOICE_DETECTOR ? [] : [`To use it: WINNOW_SPEECH_MODEL=local:${name}`];
    yield* printResult(json, added, [...words, ...use].join("\n"));
  })
).pipe(
  Command.withShortDescription("Fetch a speech model"),
  Command.withDescription(
    "Fetch a speech model and the voice detector from their publishers, and check them. An interrupted download " +
      "continues; without a network, the command says which file to put where."
  )
);

const remove = Command.make(
  "remove",
  {
    name: Argument.String("name").pipe(Argument.withDescription("Name of an installed model")),
    json: asJson
  },
  Effect.fnUntraced(function* ({ json, name }) {
    const { local, modelsDir } = yield* prepare;
    if (!(yield* local.removeModel(name, modelsDir)))
      return yield* unknown(name, local.installedModels(modelsDir));
    yield* printResult(json, { name, removed: true }, `Removed ${name}.`);
  })
).pipe(Command.withDescription("Delete a speech model from this machine"));

const test = Command.make(
  "test",
  {
    name: Argument.String("name").pipe(
      Argument.withDescription("Name or folder of a model; by default the only one that is there"),
      Argument.optional
    ),
    file: Flag.String("file").pipe(
      Flag.withDescription("A recording to transcribe; by default a second of silence"),
      Flag.optional
    ),
    json: asJson
  },
  Effect.fnUntraced(function* ({ file, json, name }) {
    const { local, modelsDir, server, settings } = yield* prepare;
    const found = local.findLocalModel(
      Option.getOrElse(name, () => ""),
      modelsDir
    );
    if ("problem" in found)
      return yield* new CliFailed({ message: `${server.problemText(found, settings)}.` });
    const known = local.NAMED_MODELS.find((model) => `local:${model.name}` === found.name);
    const wrong = known === undefined ? [] : yield* local.wrongFiles(known, modelsDir);
    if (wrong.length > 0)
      return yield* new CliFailed({
        message: `${wrong.join(", ")}: not the known content. Run: ${winnowOn(settings.dataDir)} models add ${known?.name ?? ""}`
      });
    const started = performance.now();
    const source = Option.match(file, {
      onNone: () => undefined,
      onSome: (path) => ({ _tag: "LocalFile", path: resolve(path) }) as const
    });
    const speech = yield* Effect.mapError(
      Effect.provide(
        local.transcribeOnce(source),
        server.transcriberOf(settings, found, join(settings.dataDir, "work"))
      ),
      ({ message }) => new CliFailed({ message })
    );
    const { language = null, segments = [] } = speech ?? {};
    const seconds = (performance.now() - started) / 1_000;
    const said = segments.map(({ startSeconds, text }) => `${startSeconds.toFixed(1).padStart(7)}  ${text}`);
    const words = `${found.name} works: ${segments.length} segments, ${language ?? "no language"}, ${seconds.toFixed(1)} s.`;
    yield* printResult(json, { name: found.name, language, seconds, segments }, [...said, words].join("\n"));
  })
).pipe(
  Command.withShortDescription("Check a speech model and transcribe with it"),
  Command.withDescription("Check the files of a speech model, load it and transcribe a recording with it")
);

export const models = Command.make("models").pipe(
  Command.withShortDescription("Speech models on this machine"),
  Command.withDescription("Add, check and remove speech models that run on this machine, without a server"),
  Command.withSubcommands([list, add, remove, test])
);
