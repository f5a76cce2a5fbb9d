/** The bundled size of the package, and that it has no dependencies. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { build } from "esbuild";
import { assert, describe, it } from "vitest";
import { bundledSizes, SIZE_BUDGETS_BYTES } from "../bench/sizes.ts";

const PACKAGE = path.resolve(import.meta.dirname, "..");

describe("the bundled client", () => {
  for (const [entry, budgetBytes] of Object.entries(SIZE_BUDGETS_BYTES)) {
    it(`${entry} stays within ${budgetBytes} bytes, minified and gzipped`, async () => {
      const { gzipBytes } = await bundledSizes(path.join(PACKAGE, "src", `${entry}.ts`));
      assert.isAtMost(gzipBytes, budgetBytes);
      assert.isAbove(gzipBytes, 500);
    });
  }

  it("has no side effects on import, regardless of package.json", async () => {
    const contents = ["index", "admin", "webhooks"].map((entry) => `import "./src/${entry}.ts";`).join("\n");
    const stdin = { contents, resolveDir: PACKAGE };
    const { outputFiles } = await build({
      stdin,
      bundle: true,
      format: "esm",
      minify: true,
      ignoreAnnotations: true,
      write: false
    });
    assert.strictEqual(outputFiles[0]?.text.trim(), "");
  });

  it("has no dependencies", async () => {
    const manifest = JSON.parse(await readFile(path.join(PACKAGE, "package.json"), "utf8"));
    assert.isUndefined(manifest.dependencies);
    assert.isUndefined(manifest.peerDependencies);
  });
});
