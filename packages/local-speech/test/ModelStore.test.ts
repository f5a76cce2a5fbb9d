import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import type { NamedModel } from "../src/NamedModels.ts";
import { fetchModels, missingFiles, removeModel, wrongFiles } from "../src/ModelStore.ts";
import { temporaryFolder } from "@winnow/isolation/test/temporaryFolder";

const CONTENT = Buffer.from("weights ".repeat(10_000));

/**
 * Serves the content, the first time only as many bytes as given, until `breakOff`; `ranges` are what was asked for.
 */
const publisher = Effect.fnUntraced(function* (firstBytes = CONTENT.length, content = CONTENT) {
  const ranges: Array<string | null> = [];
  let breakOff = (): void => {};
  const server = createServer((request, response) => {
    const { range = null } = request.headers;
    ranges.push(range);
    const from = Number(/^bytes=(\d+)-$/u.exec(range ?? "")?.[1] ?? 0);
    response.writeHead(from === 0 ? 200 : 206, { "content-length": content.length - from });
    if (ranges.length === 1 && firstBytes < content.length) {
      breakOff = () => request.socket.destroy();
      response.write(content.subarray(0, firstBytes));
    } else response.end(content.subarray(from));
  });
  yield* Effect.acquireRelease(
    Effect.promise(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))),
    () => Effect.promise(() => new Promise<void>((resolve) => void server.close(() => resolve())))
  );
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/model.onnx`;
  const sha256 = createHash("sha256").update(CONTENT).digest("hex");
  const model: NamedModel = {
    name: "small",
    languages: "any",
    license: "MIT",
    files: [{ name: "model.onnx", url, sizeBytes: CONTENT.length, sha256 }]
  };
  return { model, ranges, breakOff: () => breakOff() };
});

describe("a model that is added", () => {
  it.live("has the known files, and nothing is fetched twice", () =>
    Effect.gen(function* () {
      const folder = temporaryFolder();
      const { model, ranges } = yield* publisher();
      const seen: Array<number> = [];
      yield* fetchModels([model], folder, ({ doneBytes }) => seen.push(doneBytes));
      assert.isTrue(readFileSync(join(folder, "small", "model.onnx")).equals(CONTENT));
      assert.strictEqual(seen.at(-1), CONTENT.length);
      assert.deepStrictEqual(missingFiles(model, folder), []);
      assert.deepStrictEqual(yield* wrongFiles(model, folder), []);
      yield* fetchModels([model], folder, () => {});
      assert.lengthOf(ranges, 1);
      assert.isTrue(yield* removeModel("small", folder, [model]));
      assert.isFalse(yield* removeModel("small", folder, [model]));
      assert.isFalse(existsSync(join(folder, "small")));
    }).pipe(Effect.scoped)
  );

  it.live("is removed with half-fetched files, and nothing else in the models' folder is", () =>
    Effect.gen(function* () {
      const folder = temporaryFolder();
      const { model } = yield* publisher();
      const write = (name: string, file: string): void => {
        mkdirSync(join(folder, name), { recursive: true });
        writeFileSync(join(folder, name, file), "x");
      };
      write("small", "model.onnx.part");
      write("small", "notes.txt");
      write("photos", "me.jpg");
      writeFileSync(join(folder, "notes.txt"), "x");
      for (const name of ["model.onnx", "tokens.txt"]) write("mine", name);
      assert.isTrue(yield* removeModel("small", folder, [model]));
      assert.deepStrictEqual(readdirSync(join(folder, "small")), ["notes.txt"]);
      for (const name of ["small", "photos", "notes.txt", "..", "."]) {
        assert.isFalse(yield* removeModel(name, folder, [model]), name);
      }
      assert.isTrue(yield* removeModel("mine", folder, [model]));
      assert.deepStrictEqual(readdirSync(folder).toSorted(), ["notes.txt", "photos", "small"]);
    }).pipe(Effect.scoped)
  );

  it.live("continues where the connection broke", () =>
    Effect.gen(function* () {
      const folder = temporaryFolder();
      const { breakOff, model, ranges } = yield* publisher(30_000);
      // Only once some of it has arrived.
      const failed = yield* Effect.flip(fetchModels([model], folder, breakOff));
      assert.match(failed.message, /^model\.onnx could not be fetched: .*again to continue/u);
      assert.isFalse(existsSync(join(folder, "small", "model.onnx")));
      yield* fetchModels([model], folder, () => {});
      assert.match(ranges[1] ?? "", /^bytes=\d+-$/u);
      assert.isTrue(readFileSync(join(folder, "small", "model.onnx")).equals(CONTENT));
    }).pipe(Effect.scoped)
  );

  it.live("ends once nothing more arrives, with what to do then", () =>
    Effect.gen(function* () {
      const { model } = yield* publisher(30_000);
      const { message } = yield* Effect.flip(fetchModels([model], temporaryFolder(), () => {}, 50));
      assert.include(message, "model.onnx could not be fetched: nothing arrived for 0.05 s. Run the command");
    }).pipe(Effect.scoped)
  );

  it.live("is refused with another content or a larger one, and not kept", () =>
    Effect.gen(function* () {
      for (const content of [Buffer.alloc(CONTENT.length, "x"), Buffer.concat([CONTENT, CONTENT])]) {
        const folder = temporaryFolder();
        const { model } = yield* publisher(content.length, content);
        const { message } = yield* Effect.flip(fetchModels([model], folder, () => {}));
        assert.match(message, /checksum is not the known one|larger than/u);
        assert.isFalse(existsSync(join(folder, "small", "model.onnx")));
      }
    }).pipe(Effect.scoped)
  );

  it.live("says without a network which file to put where", () =>
    Effect.gen(function* () {
      const folder = temporaryFolder();
      const { model } = yield* publisher().pipe(Effect.scoped);
      const { message } = yield* Effect.flip(fetchModels([model], folder, () => {}));
      const [file] = model.files;
      assert.include(message, "ECONNREFUSED");
      assert.include(message, `${file?.url}\n    to ${join(folder, "small", "model.onnx")}`);
      assert.include(message, `sha256 ${file?.sha256}`);
    })
  );
});
