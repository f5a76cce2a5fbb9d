/** The media of the sample site, made once per test run: encoding takes seconds of CPU time. */
import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { askBroker, brokerOf } from "../../packages/adapters/test/RunBroker.ts";
import { makeMedia } from "../site/media.ts";

const SOCKET_VARIABLE = "WINNOW_TEST_SAMPLE_MEDIA_SOCKET";

interface SampleMedia {
  /** Read-only for callers. */
  readonly folder: string;
  readonly stop: () => Promise<void>;
}

const makeOwn = async (): Promise<SampleMedia> => {
  const parent = await mkdtemp(path.join(tmpdir(), "winnow-sample-media-"));
  const folder = path.join(parent, "media");
  await makeMedia(folder);
  return { folder, stop: () => rm(parent, { recursive: true, force: true }) };
};

/** The media of the test run, or new ones if no broker runs; release them with `stop`. */
export const sampleMedia = async (): Promise<SampleMedia> => {
  const folder = await askBroker<string>(SOCKET_VARIABLE);
  return folder === null ? makeOwn() : { folder, stop: () => Promise.resolve() };
};

/** Puts the media into the data folder of a demo, as after an earlier one; release them with what it returns. */
export const linkMedia = async (dataDir: string): Promise<() => Promise<void>> => {
  const { folder, stop } = await sampleMedia();
  await mkdir(path.join(dataDir, "demo"));
  await symlink(folder, path.join(dataDir, "demo/media"));
  return stop;
};

/** A `globalSetup` of vitest. */
export const setup = brokerOf(SOCKET_VARIABLE, async () => {
  const { folder, stop } = await makeOwn();
  return { value: folder, stop };
});
