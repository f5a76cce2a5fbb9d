/** The home of the user that this process runs as. */
import { homedir } from "node:os";

/** A folder that does not exist for a user id without a home, as containers have. */
export const homeFolder = (): string => {
  try {
    return homedir();
  } catch {
    return "/nonexistent";
  }
};
