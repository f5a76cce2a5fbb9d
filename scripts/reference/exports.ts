/** Writes docs/reference/exports.md from what the packages publish; with --check fails when it is stale. */
import { exportsPage } from "../exports.ts";
import { writeOrCheck } from "./writeOrCheck.ts";

writeOrCheck("docs/reference/exports.md", exportsPage(), "npm run pnpm -- reference:exports");
