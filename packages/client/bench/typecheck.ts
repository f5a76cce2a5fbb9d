/**
 * How long the compiler takes for a small program that uses the client, compared with other libraries and with
 * none. Needs a build (`pnpm build`), because the published form is measured.
 *
 *   node packages/client/bench/typecheck.ts
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const ROUNDS = 7;

const PACKAGE = path.resolve(import.meta.dirname, "..");

const PROGRAMS: Readonly<Record<string, string>> = {
  none: "export const call = async (): Promise<string> => (await fetch('https://a.example/')).text();",
  "@winnow/client": `
    import { Winnow } from "@winnow/client";
    const winnow = new Winnow({ apiKey: "k" });
    export const call = async (): Promise<string> => (await winnow.submit({ url: "https://a.example/" })).id;`,
  "@winnow/client, typed by a JSON Schema": `
    import { Winnow } from "@winnow/client";
    const winnow = new Winnow({ apiKey: "k" });
    const schema = { type: "object", properties: { dish: { type: "string" } }, required: ["dish"] } as const;
    export const call = async (): Promise<string | undefined> =>
      (await winnow.extract({ url: "https://a.example/", schema })).extraction?.dish;`,
  "@winnow/client, typed by Zod": `
    import { Winnow } from "@winnow/client";
    import * as z from "zod";
    const winnow = new Winnow({ apiKey: "k" });
    const schema = z.object({ dish: z.string() });
    export const call = async (): Promise<string | undefined> =>
      (await winnow.extract({ url: "https://a.example/", schema })).extraction?.dish;`,
  "Zod alone": `
    import * as z from "zod";
    export const call = async (): Promise<string> => z.object({ dish: z.string() }).parse({}).dish;`,
  stripe: `
    import Stripe from "stripe";
    const stripe = new Stripe("k");
    export const call = async (): Promise<string> => (await stripe.customers.create({ name: "a" })).id;`,
  openai: `
    import OpenAI from "openai";
    const openai = new OpenAI({ apiKey: "k" });
    export const call = async (): Promise<string> =>
      (await openai.chat.completions.create({ model: "m", messages: [] })).id;`
};

const folder = mkdtempSync(path.join(tmpdir(), "winnow-typecheck-"));

/** The client from its tarball, and the others from the workspace. */
const prepare = (): void => {
  const client = path.join(folder, "node_modules/@winnow/client");
  mkdirSync(client, { recursive: true });
  const { name, type, publishConfig } = JSON.parse(readFileSync(path.join(PACKAGE, "package.json"), "utf8"));
  const manifest = { name, type, exports: publishConfig.exports };
  writeFileSync(path.join(client, "package.json"), JSON.stringify(manifest));
  symlinkSync(path.join(PACKAGE, "dist"), path.join(client, "dist"));
  for (const each of ["stripe", "openai", "zod"]) {
    symlinkSync(path.join(PACKAGE, "node_modules", each), path.join(folder, "node_modules", each));
  }
  writeFileSync(path.join(folder, "package.json"), '{ "type": "module" }');
};

interface Check {
  readonly seconds: number;
  readonly types: number;
}

const check = (source: string): Check => {
  const file = path.join(folder, "program.ts");
  writeFileSync(file, source);
  const options = [
    "--noEmit",
    "--strict",
    "--skipLibCheck",
    "--module",
    "nodenext",
    "--lib",
    "es2024,dom,dom.iterable"
  ];
  const tsc = path.resolve(PACKAGE, "../../node_modules/.bin/tsc");
  const args = [...options, "--types", "", "--extendedDiagnostics", file];
  const { stdout, status } = spawnSync(tsc, args, { cwd: folder, encoding: "utf8" });
  if (status !== 0) throw new Error(stdout);
  const read = (label: string) => Number(new RegExp(`^${label}:\\s+([\\d.]+)`, "mu").exec(stdout)?.[1]);
  return { seconds: read("Total time"), types: read("Types") };
};

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;

try {
  prepare();
  const found = new Map<string, Array<Check>>();
  // Alternating, so that other load affects all of them.
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, source] of Object.entries(PROGRAMS)) {
      found.set(name, [...(found.get(name) ?? []), check(source)]);
    }
  }
  console.log("| program uses | time, s | more than none | types |\n| --- | --- | --- | --- |");
  const none = median((found.get("none") ?? []).map(({ seconds }) => seconds));
  for (const [name, checks] of found) {
    const seconds = median(checks.map((each) => each.seconds));
    const more = (seconds - none).toFixed(2);
    console.log(`| ${name} | ${seconds.toFixed(2)} | ${more} | ${checks[0]?.types} |`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
