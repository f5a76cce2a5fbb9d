/** The media of the test site, created once per test run: encoding them takes seconds of CPU time. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { askBroker, brokerOf } from "../../RunBroker.ts";

const SOCKET_VARIABLE = "WINNOW_TEST_MEDIA_SOCKET";

interface SiteMedia {
  /** Read-only for everybody but its creator. */
  readonly folder: string;
  readonly stop: () => Promise<void>;
}

const makeOwn = async (): Promise<SiteMedia> => {
  const { makeMedia } = await import("./media.ts");
  const folder = await mkdtemp(join(tmpdir(), "winnow-site-"));
  await makeMedia(folder);
  return { folder, stop: () => rm(folder, { recursive: true, force: true }) };
};

/** The media of the test run, or new media if no broker runs; `stop` releases them. */
export const siteMedia = async (): Promise<SiteMedia> => {
  const folder = await askBroker<string>(SOCKET_VARIABLE);
  return folder === null ? makeOwn() : { folder, stop: () => Promise.resolve() };
};

export const setup = brokerOf<string>(SOCKET_VARIABLE, async () => {
  const { folder, stop } = await makeOwn();
  return { value: folder, stop };
});
