// @module-tag faults: public generators and the compiler
/** Clients that public generators make of the API document compile, and their types are those of the service. */
import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { assert, layer } from "@effect/vitest";
import { createClient } from "@hey-api/openapi-ts";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import openapiTS, { astToString } from "openapi-typescript";
import { openApiDocument } from "../../src/routes/Api.ts";
import { temporaryFolder } from "../TemporaryFolder.ts";

const ROOT = join(import.meta.dirname, "../../../..");
const TSC = join(
  dirname(createRequire(join(ROOT, "package.json")).resolve("typescript/package.json")),
  "bin/tsc"
);

class Folder extends Context.Service<Folder, string>()("@winnow/server/test/generators/Folder") {}

/** What the compiler says about a program that uses the generated code; empty if it compiles. */
const compile = async (folder: string, source: string): Promise<string> => {
  const file = join(folder, "use.ts");
  writeFileSync(file, source);
  const options =
    "--noEmit --strict --target es2024 --lib es2024,dom,dom.iterable --module esnext --moduleResolution bundler " +
    "--allowImportingTsExtensions --ignoreConfig";
  const run = promisify(execFile)(process.execPath, [TSC, ...options.split(" "), file], {
    // Without the types of packages around it.
    cwd: folder
  });
  return run.then(
    ({ stdout }) => stdout,
    (error: { readonly stdout: string }) => error.stdout
  );
};

layer(Layer.effect(Folder, temporaryFolder("generators")))("the API document", (it) => {
  it.effect("becomes types with openapi-typescript", () =>
    Effect.gen(function* () {
      const folder = join(yield* Folder, "types");
      mkdirSync(folder);
      const ast = yield* Effect.promise(() => openapiTS(JSON.stringify(openApiDocument())));
      writeFileSync(join(folder, "api.ts"), astToString(ast));
      const use = (code: string) => `
        import type { paths } from "./api.ts";
        type Submit = paths["/v1/extractions"]["post"];
        export const body: Submit["requestBody"]["content"]["application/json"] = { url: "https://example.com" };
        export const seconds: Submit["responses"]["429"]["headers"]["Retry-After"] = 3;
        type NotFound = paths["/v1/extractions/{id}"]["get"]["responses"]["404"]["content"]["application/json"];
        export const codeOf = ({ error }: NotFound): "${code}" => error.code;`;
      assert.strictEqual(yield* Effect.promise(() => compile(folder, use("not_found"))), "");
      assert.include(yield* Effect.promise(() => compile(folder, use("conflict"))), "TS2322");
    })
  );

  it.effect("becomes a client with @hey-api/openapi-ts", () =>
    Effect.gen(function* () {
      const folder = join(yield* Folder, "client");
      mkdirSync(folder);
      yield* Effect.promise(() =>
        createClient({
          input: openApiDocument() as unknown as Record<string, unknown>,
          output: join(folder, "generated"),
          logs: { level: "silent" },
          plugins: ["@hey-api/client-fetch", "@hey-api/typescript", "@hey-api/sdk"]
        })
      );
      const use = (field: string) => `
        import { extractionsResult, extractionsSubmit } from "./generated/index.ts";
        export const run = async (): Promise<string> => {
          const { data, error } = await extractionsSubmit({ body: { ${field}: "https://example.com" } });
          if (data === undefined) return error.error.message;
          const result = await extractionsResult({ path: { id: data.id } });
          return result.data?.status ?? "";
        };`;
      assert.strictEqual(yield* Effect.promise(() => compile(folder, use("url"))), "");
      assert.include(yield* Effect.promise(() => compile(folder, use("urls"))), "TS2561");
    })
  );
});
