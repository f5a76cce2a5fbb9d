// @module-tag smoke: its own process, waits until processes are idle for long enough to end
/** Images are converted to JPEG in separate processes that end; one account's images do not delay another's. */
import { CurrentRun, runFor } from "@winnow/core/ports/CurrentRun";
import { readFileSync, readlinkSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Fiber from "effect/Fiber";
import * as Scope from "effect/Scope";
import sharp from "sharp";
import { afterAll, vi } from "vitest";
import { CONVERSIONS_AT_ONCE_MAX, makePictures } from "../../src/programs/images/PooledPictures.ts";
import { firstPicture, isHeic, isRaster } from "../../src/programs/images/PictureFormat.ts";
import { examineSandbox, type Sandbox } from "@winnow/isolation/sandbox/Sandbox";
import { until } from "../sources/harness.ts";
import { HEIC } from "../sources/site/media.ts";
import { childrenOf, descendants } from "@winnow/isolation/test/descendants";

/** Tests start several Node processes, which takes long on a busy machine. */
vi.setConfig({ testTimeout: 120_000 });

const SIZE = { sideMaxPixels: 1_000, quality: 80 };

/** An AVIF of one colour and as many pixels as are accepted, 8,000 x 8,000: 1218 bytes, which take seconds to convert. */
const LARGEST_AVIF = gunzipSync(
  Buffer.from(
    "H4sIAAAAAAACA2NgYJBJK6ksSCzLTGMAgtzMNEMQOzczEcS/lptaksgAAYoZKTlFUDZDQWZyCQMaUMrMyU8GMVwcGBiBEAR+QWkG" +
      "5hNAQjkzMw9sDVhUFMhJZYLyEssMDEFMvoLMkly4krDMgqICIG2RWZCcD6R5EssMnRvtwZpEMosLUiGGyztAMINAQWZFJtg6Dg4O" +
      "ICWWWZALcz/QScyNTMxAuQu5KYklQgxcXPaf7eo/f5sgcCHTaDu7oFDLMc72eZXPmoAmRZw/46q0ztP5ZJrypsrt+fFbThyRXdEW" +
      "v/WH6UFbq3MnMn2YL3ZVMLSFJnycK31Z9K2qy367Ok+/XvHiek/T0o/sNtwcuu5yT4wUTvRZvLwq7xFXUqWRw7LMzy36WcX5M8HP" +
      "5p2/HccburD3GHP7/Mvzpq/9+H6n8f5XnmwL9uyY+OuKa4XEq5pusTXrl3OwnH+U80dm7/EPwTf8Ph3dNi/Zb27pvTtNBwxrZXc1" +
      "b483PcJR5XCae4vxP5awJVtLTWJ8KpiVDFe9niL56dpF65+X1Vmfs36b+H3y7wmbEhoqKbW5TPXXH0Y2iedhomFTzzKr869u/Kl9" +
      "bYVz6O07c86ujg5IcJfY6nB8p8IK6zt3dQ6kF5tIMPLVX57k9OBzw6in6erp0gHxtMNA+PcBALLdMTjCBAAA",
    "base64"
  )
);

const report = await examineSandbox();

const scope = Scope.makeUnsafe();
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)));

const picturesIn = (sandbox: Sandbox | null) =>
  Effect.runPromise(Scope.provide(makePictures(sandbox), scope));

/** Network namespaces of this process's image processes, inside and outside sandboxes. */
const networksOfHosts = (): ReadonlyArray<string> =>
  descendants().flatMap((pid) => {
    try {
      const [program = "", ...args] = readFileSync(`/proc/${pid}/cmdline`, "latin1").split("\0");
      const isHost = program === process.execPath && args.some((word) => word.includes("PictureHost"));
      return isHost ? [readlinkSync(`/proc/${pid}/ns/net`)] : [];
    } catch {
      return [];
    }
  });

const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: "#345" } });

/**
 * Pictures made once for both settings: one in each accepted format, one with too many pixels, and one that takes
 * long.
 */
const FORMATS = Promise.all([
  plain(2_000, 1_000).jpeg().toBuffer(),
  plain(2_000, 1_000).png().toBuffer(),
  plain(2_000, 1_000).webp().toBuffer(),
  plain(2_000, 1_000).gif().toBuffer(),
  plain(400, 200).avif().toBuffer()
]);
const BOMB = sharp(Buffer.alloc(8_001 * 8_000), { raw: { width: 8_001, height: 8_000, channels: 1 } })
  .png()
  .toBuffer();
const SLOW = plain(6_000, 6_000).png().toBuffer();

/** Image processes that this process started, busy or idle. */
const hosts = (): ReadonlyArray<string> =>
  childrenOf(String(process.pid)).filter((pid) => {
    try {
      // Empty for a process that has ended but is not reaped yet.
      return readFileSync(`/proc/${pid}/cmdline`, "latin1").includes("PictureHost");
    } catch {
      return false;
    }
  });

/** Peak memory of the only image process, in MB. */
const peakMb = (): number => {
  const [pid = ""] = hosts();
  const kilobytes = /^VmHWM:\s+(\d+)/mu.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1];
  return Number(kilobytes) / 1_024;
};

/** A GIF of one pixel, with the given number of further frames. */
const gifOf = (pictures: number): Uint8Array => {
  const head = Buffer.from("47494638396101000100800000ff0000000000", "hex");
  const picture = Buffer.from("21f904000a0000002c000000000100010000020244010 0".replace(" ", ""), "hex");
  return Buffer.concat([head, Buffer.alloc(picture.length * pictures, picture), Buffer.from([0x3b])]);
};

for (const sandbox of report.works ? [null, report.sandbox] : [null]) {
  const { convert, makeJpeg } = await picturesIn(sandbox);
  const jpegOf = (accountId: string, bytes: Uint8Array, size = SIZE) =>
    Effect.provideService(makeJpeg(bytes, size), CurrentRun, runFor(accountId));
  /** In `npm run test:faults` with and without a sandbox, otherwise once. */
  const isWhole = process.env["WINNOW_TEST_FAULTS"] !== undefined || sandbox !== null || !report.works;

  describe(`pictures, ${sandbox === null ? "without a sandbox" : "in the sandbox"}`, () => {
    it.live("of every accepted format become JPEG of at most the requested size", () =>
      Effect.gen(function* () {
        for (const bytes of [...(yield* Effect.promise(() => FORMATS)), HEIC]) {
          const jpeg = yield* jpegOf("acc_test", bytes);
          const { format, width } = yield* Effect.promise(() => sharp(jpeg).metadata());
          assert.strictEqual(format, "jpeg");
          assert.isAtMost(width, SIZE.sideMaxPixels);
        }
      })
    );

    it.live(
      "that are broken, have too many pixels or are not pictures are refused, and the next ones are read",
      () =>
        Effect.gen(function* () {
          const good = yield* Effect.promise(() => plain(100, 100).png().toBuffer());
          const bomb = yield* Effect.promise(() => BOMB);
          for (const bytes of [good.subarray(0, 60), HEIC.subarray(0, 400), bomb, Buffer.from("<svg/>")]) {
            assert.strictEqual((yield* Effect.flip(jpegOf("acc_test", bytes)))._tag, "NotAnImage");
          }
          assert.isNotEmpty(yield* jpegOf("acc_test", good));
          const convertHeic = (pixelsMax: number) =>
            convert({ heic: true, pixelsMax, timeoutSeconds: 60, ...SIZE }, HEIC).pipe(
              Effect.provideService(CurrentRun, runFor("acc_test"))
            );
          assert.isNull(yield* convertHeic(64 * 48 - 1));
          assert.isNotNull(yield* convertHeic(64 * 48));
        })
    );

    it.live.skipIf(!isWhole)("of one account use at most half of the processes, which end when idle", () =>
      Effect.gen(function* () {
        const image = yield* Effect.promise(() => plain(2_000, 2_000).webp().toBuffer());
        yield* until(() => hosts().length === 0); // those of the previous test
        let most = 0;
        const timer = setInterval(() => {
          most = Math.max(most, hosts().length);
        }, 20);
        const made = yield* Effect.forEach(
          Array.from({ length: 12 }, () => image),
          (bytes) => jpegOf("acc_test", bytes),
          { concurrency: "unbounded" }
        );
        clearInterval(timer);
        assert.lengthOf(made, 12);
        assert.isAbove(most, 0);
        assert.isAtMost(most, CONVERSIONS_AT_ONCE_MAX / 2);
        yield* until(() => hosts().length === 0);
      })
    );

    it.live.skipIf(!isWhole)("of one account never meet the process that read another's", () =>
      Effect.gen(function* () {
        const image = yield* Effect.promise(() => plain(100, 100).png().toBuffer());
        yield* until(() => hosts().length === 0);
        yield* jpegOf("acc_one", image);
        const first = hosts();
        yield* jpegOf("acc_one", image);
        assert.deepStrictEqual(hosts(), first, "one account's slides share a process");
        yield* jpegOf("acc_two", image);
        assert.lengthOf(hosts(), 2);
      })
    );

    it.live("are decoded without network access, if there is a sandbox", () =>
      Effect.gen(function* () {
        const image = yield* Effect.promise(() => plain(100, 100).png().toBuffer());
        yield* until(() => hosts().length === 0);
        yield* jpegOf("acc_test", image);
        const own = readlinkSync("/proc/self/ns/net");
        const networks = networksOfHosts();
        assert.isNotEmpty(networks);
        assert.strictEqual(networks.includes(own), sandbox === null);
      })
    );

    it.live.skipIf(!isWhole)("that no one waits for any more end at once with their process", () =>
      Effect.gen(function* () {
        const slow = yield* Effect.promise(() => SLOW);
        yield* until(() => hosts().length === 0);
        const fiber = yield* Effect.forkChild(jpegOf("acc_test", slow, { ...SIZE, sideMaxPixels: 4_000 }));
        yield* until(() => hosts().length === 1);
        yield* Fiber.interrupt(fiber);
        assert.isEmpty(hosts());
      })
    );
  });
}

/** The HEIC sample with a false size in `ispe`. */
const heicSaying = (width: number, height: number): Uint8Array => {
  const bytes = Buffer.from(HEIC);
  for (let at = bytes.indexOf("ispe"); at >= 0; at = bytes.indexOf("ispe", at + 4)) {
    bytes.writeUInt32BE(width, at + 8);
    bytes.writeUInt32BE(height, at + 12);
  }
  return bytes;
};

const noise = (side: number, sigma: number) =>
  sharp({
    create: {
      width: side,
      height: side,
      channels: 3,
      background: "#345",
      noise: { type: "gaussian", mean: 120, sigma }
    }
  });

/** A JPEG of repeated noise: generating noise of that size takes six seconds of CPU time. */
const tiled = async (side: number): Promise<Buffer> => {
  const tile = side / 8;
  const raw = { width: tile, height: tile, channels: 3 as const };
  const repeated = { right: side - tile, bottom: side - tile, extendWith: "repeat" as const };
  return sharp(await noise(tile, 12).raw().toBuffer(), { raw })
    .extend(repeated)
    .jpeg({ quality: 60 })
    .toBuffer();
};

const confined = await picturesIn(report.works ? report.sandbox : null);

describe("slow pictures", () => {
  const jpegOf = (accountId: string, bytes: Uint8Array, size = SIZE) =>
    Effect.provideService(confined.makeJpeg(bytes, size), CurrentRun, runFor(accountId));

  it.live("that are valid, in AVIF and HEIC, do not delay other accounts", () =>
    Effect.gen(function* () {
      const slow = yield* Effect.promise(() => noise(1_500, 40).avif({ effort: 0, quality: 70 }).toBuffer());
      const quick = yield* Effect.promise(() => plain(200, 200).png().toBuffer());
      const done: Array<string> = [];
      const convert = (accountId: string, bytes: Uint8Array, name: string) =>
        Effect.map(jpegOf(accountId, bytes), (jpeg) => {
          assert.isNotEmpty(jpeg);
          done.push(name);
        });
      const burst = yield* Effect.forkChild(
        Effect.forEach([slow, HEIC, slow, HEIC, slow, slow], (bytes) => convert("acc_burst", bytes, "slow"), {
          concurrency: "unbounded"
        }),
        { startImmediately: true }
      );
      yield* Effect.forEach([1, 2], () => convert("acc_victim", quick, "victim"), { concurrency: 2 });
      yield* Fiber.join(burst);
      assert.isBelow(done.lastIndexOf("victim"), done.lastIndexOf("slow"), done.join());
    })
  );

  it.live.skipIf(process.env["WINNOW_TEST_FAULTS"] === undefined)(
    "of one account leave a place to another's in the formats that take most memory",
    () =>
      Effect.gen(function* () {
        const slow = yield* Effect.promise(() =>
          noise(2_200, 40).avif({ effort: 0, quality: 70 }).toBuffer()
        );
        const done: Array<string> = [];
        const convert = (accountId: string, bytes: Uint8Array) =>
          Effect.map(jpegOf(accountId, bytes), () => void done.push(accountId));
        yield* until(() => hosts().length === 0);
        const burst = yield* Effect.forkChild(
          Effect.forEach([slow, slow], (bytes) => convert("acc_burst", bytes), { concurrency: "unbounded" })
        );
        yield* until(() => hosts().length === 1);
        const victim = yield* Effect.forkChild(convert("acc_victim", HEIC));
        yield* until(() => hosts().length === 2 || done.length > 0);
        assert.isEmpty(done, "both accounts have a process");
        yield* Fiber.join(victim);
        yield* Fiber.join(burst);
      })
  );

  it.live("of the largest size are converted, and given up at the time limit of sharp", () =>
    Effect.gen(function* () {
      const settings = { heic: false, pixelsMax: 64_000_000, sideMaxPixels: 8_000, quality: 80 };
      const isConverted = (timeoutSeconds: number) =>
        Effect.map(
          confined
            .convert({ ...settings, timeoutSeconds }, LARGEST_AVIF)
            .pipe(Effect.provideService(CurrentRun, runFor("acc_slow"))),
          (jpeg) => jpeg !== null
        );
      assert.isFalse(yield* isConverted(1), "1 s");
      assert.isTrue(yield* isConverted(60), "60 s");
    })
  );

  it.live("use no more memory the more of them there are, and none for the whole image", () =>
    Effect.gen(function* () {
      const large = yield* Effect.promise(() => tiled(6_000));
      yield* until(() => hosts().length === 0);
      const { makeJpeg } = yield* makePictures(null);
      const peaksMb: Array<number> = [];
      for (let n = 0; n < 4; n++) {
        yield* makeJpeg(large, { sideMaxPixels: 4_096, quality: 88 }).pipe(
          Effect.provideService(CurrentRun, runFor("many"))
        );
        peaksMb.push(peakMb());
      }
      const [first = Number.NaN] = peaksMb;
      // Node and libvips use 110 MB; all coefficients of the picture would need 50 more, all its pixels 100.
      assert.isBelow(first, 180);
      assert.isBelow(peaksMb.at(-1) ?? Number.NaN, first + 30);
    })
  );

  it.live("that claim to exceed the maximum are refused before decoding", () =>
    Effect.gen(function* () {
      for (const [width, height] of [
        [100_000, 100_000],
        [2 ** 31 - 1, 2 ** 31 - 1],
        [1, 2 ** 31]
      ] as const) {
        const failure = yield* Effect.flip(jpegOf("acc_test", heicSaying(width, height)));
        assert.strictEqual(failure._tag, "NotAnImage");
      }
    })
  );
});

describe("the format of a picture", () => {
  it("is detected by its first bytes", () => {
    assert.isTrue(isHeic(HEIC) && isRaster(HEIC));
    assert.isTrue(isRaster(gifOf(1)) && !isHeic(gifOf(1)));
    assert.isFalse(isRaster(Buffer.from("%PDF-1.7")));
  });

  it("a GIF of a million pictures is read as its first one", async () => {
    const many = gifOf(1_000_000);
    const first = firstPicture(many);
    assert.deepStrictEqual(Buffer.from(first), Buffer.from(gifOf(1)));
    const { pages = 1, width } = await sharp(first).metadata();
    assert.deepStrictEqual([pages, width], [1, 1]);
  });

  it("is unchanged if it is truncated or has one frame", () => {
    for (const bytes of [gifOf(1), gifOf(1).subarray(0, 30), gifOf(3).subarray(0, 22)]) {
      assert.deepStrictEqual(Buffer.from(firstPicture(bytes)), Buffer.from(bytes));
    }
  });
});
