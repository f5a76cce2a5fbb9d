import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import { NAMED_MODELS, VOICE_DETECTOR } from "../src/NamedModels.ts";
import { findLocalModel, installedModels, languageFor, modelFilesIn } from "../src/SpeechModels.ts";
import { temporaryFolder } from "@winnow/isolation/test/temporaryFolder";

const folder = temporaryFolder();

const make = (name: string, ...files: ReadonlyArray<string>): string => {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  for (const file of files) writeFileSync(join(path, file), "");
  return path;
};

describe("the models that can be added", () => {
  it("are fixed: an address that never changes, size and checksum of every file", () => {
    for (const { files } of [...NAMED_MODELS, VOICE_DETECTOR]) {
      for (const { sha256, sizeBytes, url } of files) {
        assert.match(url, /^https:\/\/[^?#]*\/[0-9a-f]{40}\//u);
        assert.match(sha256, /^[0-9a-f]{64}$/u);
        assert.isAbove(sizeBytes, 1_000);
      }
    }
  });

  it("are known by their files once they are there", () => {
    for (const { files, name } of NAMED_MODELS) {
      const known = modelFilesIn(make(name, ...files.map((file) => file.name)));
      assert.strictEqual(known?.family, name.startsWith("whisper") ? "whisper" : "transducer");
    }
  });
});

describe("the language of a recording", () => {
  it("is named to a model that knows it, and left to the others", () => {
    const files = { encoder: "", decoder: "", joiner: "", model: "", tokens: "" };
    const named = (language: string | null) =>
      (["whisper", "senseVoice", "transducer"] as const).map((family) =>
        languageFor({ family, ...files }, language)
      );
    assert.deepStrictEqual(named("de-CH"), ["de", "", ""]);
    assert.deepStrictEqual(named("yue"), ["", "yue", ""]);
    assert.deepStrictEqual(named("JA"), ["ja", "ja", ""]);
    assert.deepStrictEqual(named("tlh"), ["", "", ""]);
    assert.deepStrictEqual(named(null), ["", "", ""]);
  });
});

describe("a folder of a model", () => {
  it("is read with the smaller files if there are two kinds", () => {
    const path = make(
      "own",
      "tiny-encoder.onnx",
      "tiny-encoder.int8.onnx",
      "tiny-decoder.onnx",
      "tiny-tokens.txt"
    );
    assert.deepStrictEqual(modelFilesIn(path), {
      family: "whisper",
      encoder: join(path, "tiny-encoder.int8.onnx"),
      decoder: join(path, "tiny-decoder.onnx"),
      tokens: join(path, "tiny-tokens.txt")
    });
    assert.isNull(modelFilesIn(make("other", "README.md")));
    assert.isNull(modelFilesIn(join(folder, "missing")));
  });

  it("is named, or the only one that is there; else the remedy says what to type", () => {
    const models = temporaryFolder();
    const missing = (name: string) => {
      const found = findLocalModel(name, models);
      return "problem" in found ? found : assert.fail("found");
    };
    assert.deepStrictEqual(missing(""), {
      problem: `there is no model in ${models}`,
      remedy: "winnow models add whisper-base"
    });
    assert.strictEqual(missing("whisper-tiny").remedy, "winnow models add whisper-tiny");
    assert.strictEqual(missing("unheard-of").remedy, "winnow models add whisper-base");
    const path = join(models, "mine");
    mkdirSync(path);
    for (const file of ["model.int8.onnx", "tokens.txt"]) writeFileSync(join(path, file), "");
    assert.deepStrictEqual(missing(""), {
      problem: "silero_vad.onnx is missing",
      remedy: "winnow models add silero-vad"
    });
    writeFileSync(join(path, "silero_vad.onnx"), "");
    const only = findLocalModel("", models);
    assert.deepStrictEqual(only, findLocalModel("mine", models));
    assert.deepStrictEqual(only, findLocalModel(path, models));
    assert.strictEqual("problem" in only ? null : only.name, "local:mine");
    mkdirSync(join(models, "theirs"));
    for (const file of ["model.onnx", "tokens.txt"]) writeFileSync(join(models, "theirs", file), "");
    assert.deepStrictEqual(installedModels(models), ["mine", "theirs"]);
    assert.match(missing("").problem, /name one, as in local:mine/u);
  });
});
