/**
 * For `node --import`: the clock of the process goes as many milliseconds ahead as TEST_AHEAD_FILE says, from the
 * moment that it says so. So waits of minutes are over at once, by the program's own reckoning.
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
