import * as zlib from "node:zlib";
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { Egress } from "../../src/network/index.ts";
import { serve } from "./LoopbackServer.ts";
import { quietEgress } from "./QuietEgress.ts";

const TEXT = "Grüße aus dem Netz. ".repeat(500);

const get = (body: Uint8Array, encoding: string, maxBytes = 1_000_000) =>
  Effect.gen(function* () {
    const site = yield* serve((_request, response) => {
      response.writeHead(200, { "content-encoding": encoding }).end(body);
    });
    return yield* Effect.gen(function* () {
      const egress = yield* Egress;
      return yield* egress.fetch(site.url, { maxBytes, timeoutMs: 20_000 });
    }).pipe(Effect.provide(quietEgress({ allow: [site.authority] })));
  });

const reasonOf = (body: Uint8Array, encoding: string) =>
  Effect.map(Effect.flip(get(body, encoding)), ({ reason }) => reason);

describe("an encoded body", () => {
  it.live.each([
    ["gzip", zlib.gzipSync(TEXT)],
    ["X-GZIP", zlib.gzipSync(TEXT)],
    ["br", zlib.brotliCompressSync(TEXT)],
    ["deflate", zlib.deflateSync(TEXT)],
    ["deflate", zlib.deflateRawSync(TEXT)],
    ["zstd", zlib.zstdCompressSync(TEXT)],
    ["identity", Buffer.from(TEXT)],
    ["identity, gzip", zlib.gzipSync(TEXT)],
    ["", Buffer.from(TEXT)]
  ] as const)("of %s is decoded", ([encoding, body]) =>
    Effect.gen(function* () {
      assert.strictEqual(Buffer.from((yield* get(body, encoding)).body).toString(), TEXT);
    })
  );

  it.live("that is empty stays empty", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* get(new Uint8Array(), "gzip")).body.length, 0);
    })
  );

  it.live("without its last bytes is accepted as far as it goes", () =>
    Effect.gen(function* () {
      const { body } = yield* get(zlib.gzipSync(TEXT).subarray(0, -8), "gzip");
      assert.strictEqual(Buffer.from(body).toString(), TEXT);
    })
  );

  it.live("that is stacked, unknown or damaged is a bad response", () =>
    Effect.gen(function* () {
      const twice = zlib.gzipSync(zlib.gzipSync(TEXT));
      assert.strictEqual(yield* reasonOf(twice, "gzip, gzip"), "bad_response");
      assert.strictEqual(yield* reasonOf(Buffer.from(TEXT), "compress"), "bad_response");
      for (const encoding of ["gzip", "br", "zstd", "deflate"]) {
        assert.strictEqual(yield* reasonOf(Buffer.alloc(1000, 0xff), encoding), "bad_response", encoding);
      }
    })
  );
});

describe("a bomb", () => {
  const MEBIBYTE = 1 << 20;
  const zeros = Buffer.alloc(256 * MEBIBYTE);

  it.live.each([
    ["gzip", () => zlib.gzipSync(zeros)],
    ["br", () => zlib.brotliCompressSync(zeros, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 2 } })],
    ["zstd", () => zlib.zstdCompressSync(zeros)]
  ] as const)("of %s stops near the limit, with little memory", ([encoding, make]) =>
    Effect.gen(function* () {
      const bomb = make();
      const before = process.memoryUsage().rss;
      const error = yield* Effect.flip(get(bomb, encoding, 10 * MEBIBYTE));
      assert.strictEqual(error.reason, "too_large");
      assert.isBelow(process.memoryUsage().rss - before, 100 * MEBIBYTE);
    })
  );

  it.live("that decodes to nothing, endlessly, stops too", () =>
    Effect.gen(function* () {
      const nothing = zlib.gzipSync("");
      const empty = Buffer.concat(Array.from({ length: 10_000 }, () => nothing));
      const error = yield* Effect.flip(get(empty, "gzip", 1000));
      assert.strictEqual(error.reason, "too_large");
    })
  );
});
