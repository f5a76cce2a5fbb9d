import { assert, it } from "vitest";
import { goneArrows, newArrows } from "../arrows.ts";
import { foldersInCircles } from "../circles.ts";

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

it("names arrows that nothing needs any more", () => {
  const text = 'import { a } from "../gallery-dl/GalleryDl.ts";';
  const gone = goneArrows(new Map([["packages/adapters/src/sources/inspect/New.ts", text]]));
  const arrow = (other: string) =>
    `scripts/arrows.ts: inspect imports ${other} in packages/adapters/src/sources, says the table, but nothing does`;
  assert.include(gone, arrow("browser"));
  assert.notInclude(gone, arrow("gallery-dl"));
});

it("names neighbouring folders that lead back to themselves, also over a third and by types", () => {
  const circle = new Map([
    ["src/runs/Worker.ts", 'import { a } from "../money/Price.ts";'],
    ["src/money/Price.ts", 'import type { b } from "../plans/Plan.ts";'],
    ["src/plans/Plan.ts", 'const c = await import("../runs/deep/Run.ts");'],
    ["src/names/Name.ts", 'import { d } from "../money/Price.ts";\nimport { e } from "./Other.ts";']
  ]);
  assert.sameMembers([...foldersInCircles(circle)], ["src/runs", "src/money", "src/plans"]);
  circle.delete("src/plans/Plan.ts");
  assert.deepStrictEqual(foldersInCircles(circle), []);
});
