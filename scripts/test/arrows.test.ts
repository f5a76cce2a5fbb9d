import { assert, it } from "vitest";
import { newArrows } from "../arrows.ts";

const SOURCE = "packages/adapters/src/sources/fetch/New.ts";

it.each([
  [
    "a folder that its own does not see",
    'import { a } from "../../database/store/PgStore.ts";',
    /sources does not import database/u
  ],
  [
    "one loaded on demand",
    'const a = await import("../../storage/localCopy.ts");',
    /sources does not import storage/u
  ],
  ["a type of one", 'import type { a } from "../../model/index.ts";', /sources does not import model/u],
  [
    "a neighbour one level down",
    'import { a } from "../gallery-dl/GalleryDl.ts";',
    /fetch does not import gallery-dl/u
  ],
  [
    "a namespace of Effect used elsewhere",
    'import { SqlClient } from "effect/sql/SqlClient";',
    /effect\/sql may change/u
  ],
  ["one that nobody uses", 'import { Entity } from "effect/cluster/Entity";', /effect\/cluster may change/u]
])("names %s as a new arrow, with its file", (_, text, sentence) => {
  const found = newArrows(SOURCE, text);
  assert.match(found.join("\n"), sentence);
  assert.match(found.join("\n"), /^packages\/adapters\/src\/sources\/fetch\/New\.ts: [^\n]+$/u);
});

it("lets pass what its folder, its level and everybody may import", () => {
  const text = [
    'import * as Effect from "effect/Effect";',
    'import { a } from "../../programs/Ffmpeg.ts";',
    'import { b } from "../ways/Routes.ts";',
    'import { c } from "../DownloadLimits.ts";',
    'import { d } from "@winnow/isolation/process/RunFiles";'
  ].join("\n");
  assert.deepStrictEqual(newArrows(SOURCE, text), []);
});
