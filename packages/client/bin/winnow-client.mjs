#!/usr/bin/env node
// Starts the program of the client. A checkout has sources, which Node 22.19 and newer run as they are; packages
// under node_modules are built.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(import.meta.url);
const source = new URL("../src/mcp/program.ts", import.meta.url);
const built = new URL("../dist/src/mcp/program.js", import.meta.url);
const { main } = await import(existsSync(source) && !here.includes("node_modules") ? source : built);

// Not process.exit: what was written to a pipe is not out yet.
process.exitCode = await main(process.argv.slice(2), process);
