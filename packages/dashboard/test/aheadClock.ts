/**
 * For `node --import`: the clock of the process is ahead by the milliseconds in TEST_AHEAD_FILE, as soon as the
 * file is written. What is due in minutes is then due at once, by the program's own clock.
 */
import { readFileSync, watchFile } from "node:fs";

const LOOK_MS = 50;

const file = process.env["TEST_AHEAD_FILE"];
const now = Date.now.bind(Date);
let aheadMs = 0;

if (file !== undefined) {
  const look = (): void => {
    try {
      aheadMs = Number(readFileSync(file, "utf8"));
    } catch {
      aheadMs = 0;
    }
  };
  look();
  watchFile(file, { interval: LOOK_MS, persistent: false }, look);
  Date.now = () => now() + aheadMs;
}
