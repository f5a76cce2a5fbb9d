// @module-tag long
/** A rogue program in place of gallery-dl, which Winnow calls like the real one: its attempts fail too. */
import * as GuardedEgress from "@winnow/isolation/network/GuardedEgress";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { Egress } from "@winnow/isolation/network/Egress";
import { DEFAULT_LIMITS } from "../../../src/sources/DownloadLimits.ts";
import { makeGalleryDl } from "../../../src/sources/gallery-dl/GalleryDl.ts";
import { locatePrograms } from "../../../src/programs/ExternalPrograms.ts";
import { examineSandbox } from "@winnow/isolation/sandbox/Sandbox";
import { openRunFolder } from "../harness.ts";
import { attemptsOf, gotOf, makeOutside, ROGUE } from "@winnow/isolation/test/sandbox/Outside";

const report = await examineSandbox();
const SKIPPED = report.works ? "" : ` (skipped: ${report.problem})`;

const ATTEMPTS: ReadonlyArray<string> = [
  "tcp to loopback",
  "udp to loopback",
  "an abstract Unix socket",
  "the socket of the database",
  "a file of the data folder",
  "a file of the server's home",
  "the folder of another run",
  "writing into another run",
  "the environment of the server",
  "a descriptor of the server",
  "a signal to the server",
  "tcp to a private address",
  "tcp to a public address",
  "a name looked up",
  "writing to the system"
];

/** Makes all attempts and answers like gallery-dl, with their results as the description. */
const standIn = (outside: object): string => `#!/usr/bin/python3
import json, subprocess
said = subprocess.run(["/usr/bin/python3", "-I", "-S", ${JSON.stringify(ROGUE)}, ${JSON.stringify(
  JSON.stringify({ ...outside, attempts: ATTEMPTS })
)}], capture_output=True)
post = {"category": "x", "subcategory": "post", "description": said.stdout.decode()}
print(json.dumps([[2, post], [3, "https://pictures.example/1.jpg", {"extension": "jpg"}]]))
`;

/** The results of the attempts, and the listeners that were reached. */
const attack = Effect.gen(function* () {
  const { arrivals, folder, outside } = yield* makeOutside;
  const program = join(folder, "gallery-dl");
  writeFileSync(program, standIn(outside));
  chmodSync(program, 0o755);
  const egress = yield* Egress;
  const proxy = yield* egress.openProxy({ budgetBytes: 2 ** 24 });
  const galleryDl = makeGalleryDl(program, {
    programs: yield* locatePrograms({}),
    limits: DEFAULT_LIMITS,
    confinement: report.works
      ? { sandbox: report.sandbox, proxySocket: yield* egress.proxySocket, readable: [program, ROGUE] }
      : null
  });
  const answer = yield* galleryDl.read("https://x.com/ada/status/1", {
    folder: yield* openRunFolder(join(folder, "work")),
    proxyUrl: proxy.url,
    cookies: null
  });
  const description = answer._tag === "Post" ? answer.post.description : null;
  const results = attemptsOf(description ?? assert.fail("it did not run"), ATTEMPTS, "");
  return { arrivals, results };
}).pipe(Effect.scoped, Effect.provide(GuardedEgress.layer({ allow: [] })));

describe.skipIf(!report.works)(`A rogue in gallery-dl's place${SKIPPED}`, () => {
  it.live("gets nothing", () =>
    Effect.gen(function* () {
      const { arrivals, results } = yield* attack;
      assert.deepStrictEqual(gotOf(results), []);
      assert.deepStrictEqual(arrivals, []);
    })
  );
});
