/** Writes docs/reference/exports.md from the published modules; with --check fails if it is stale. */
import { exportsPage } from "../exports.ts";
import { writeOrCheck } from "./writeOrCheck.ts";

writeOrCheck("docs/reference/exports.md", exportsPage(), "npm run pnpm -- reference:exports");
