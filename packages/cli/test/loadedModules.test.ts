// @module-tag long
/** The modules that every command loads, however little it does. */
import { execFileSync } from "node:child_process";
import { assert, describe, it } from "@effect/vitest";

const SOURCE = new URL("../src/", import.meta.url);

/** Prints the modules that are loaded with the program, before it runs. */
const LIST_MODULES = `
  import { registerHooks } from "node:module";
  const urls = [];
  registerHooks({ load: (url, context, next) => (urls.push(url), next(url, context)) });
  await import(${JSON.stringify(new URL("winnow.ts", SOURCE).href)});
  console.log(JSON.stringify(urls));
`;

describe("the winnow program", () => {
  it("loads neither the engine nor the server until a command needs them", () => {
    const printed = execFileSync(process.execPath, ["--input-type=module", "--eval", LIST_MODULES]);
    const urls = JSON.parse(String(printed)) as ReadonlyArray<string>;
    assert.include(urls, new URL("serve.ts", SOURCE).href);
    // Defaults of settings stand in EngineSettings, which imports nothing of the engine.
    const heavy = urls.filter((url) =>
      /\/core\/src\/(?:engine\/(?!EngineSettings\.ts)|ports\/)|\/server\/src\/(?:App|Serve|main|http\/|mcp\/|routes\/)/u.test(
        url
      )
    );
    assert.deepStrictEqual(heavy, []);
  });
});
