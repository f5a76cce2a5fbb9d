/** Writes every generated file, or with `--check` fails if one is stale: `npm run generate`. */
await import("./printed.ts");
await import("./decisions.ts");
await import("./constructs.ts");
