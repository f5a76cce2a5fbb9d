/**
 * Replicas of popular platforms, as far as the real extractors use them: one server that terminates TLS for their
 * names, with a certificate authority made for the test. The downloader connects to it through the real egress
 * guard, like to an operator's upstream proxy; no name is resolved and nothing leaves the machine.
 */
import * as GuardedEgress from "@winnow/isolation/network/GuardedEgress";
import { inRun } from "@winnow/testing/samples/samples";
import { writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import type { Egress } from "@winnow/isolation/network/Egress";
import type { Downloader } from "@winnow/core/ports/Downloader";
import * as Layer from "effect/Layer";
import * as DownloaderLayer from "../../../src/sources/DownloaderLayer.ts";
import type { DownloaderOptions } from "../../../src/sources/DownloaderLayer.ts";
import type { ProgramSettings } from "../../../src/programs/ExternalPrograms.ts";
import { testAuthority, trust } from "@winnow/isolation/test/network/TestAuthority";
import { sharedPools } from "../harness.ts";

export interface Asked {
  readonly host: string;
  readonly url: URL;
  readonly body: string;
}

export interface Told {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly type: string;
  readonly body: string | Uint8Array;
}

/** Returns null for requests that this platform does not know. */
export type Platform = (asked: Asked) => Told | null;

export const json = (value: unknown, status = 200): Told => ({
  status,
  type: "application/json",
  body: JSON.stringify(value)
});

export const html = (body: string, status = 200): Told => ({
  status,
  type: "text/html; charset=utf-8",
  body
});

/** What no platform knows. */
const NOTHING = html("Nothing here", 404);

export const redirect = (location: string): Told => ({ ...html("", 302), headers: { location } });

/** What a platform answers to a visitor, whose reasons the tests compare. */
export const SITUATIONS = [
  "public",
  "private",
  "removed",
  "login",
  "bot check",
  "rate limit",
  "geo",
  "age"
] as const;

export type Situation = (typeof SITUATIONS)[number];

/** A URL for each; null if the platform has no such answer. */
export type Situations = Readonly<Record<Situation, string | null>>;

/** The programs named in the environment, otherwise the installed ones. */
export const PROGRAMS: ProgramSettings = {
  ytDlp: process.env["WINNOW_YTDLP"],
  galleryDl: process.env["WINNOW_GALLERY_DL"]
};

/** A public address to which nothing connects: the proxy connects to the replica instead. */
const SOMEWHERE = "93.184.216.34";

const NAMES = (
  "x.com *.x.com twitter.com *.twitter.com *.twimg.com bsky.app *.bsky.app bsky.social plc.directory pds.example.com " +
  "tiktok.com *.tiktok.com *.tiktokcdn.com reddit.com *.reddit.com redd.it *.redd.it youtube.com *.youtube.com " +
  "*.googlevideo.com *.ytimg.com *.googleapis.com vimeo.com *.vimeo.com *.vimeocdn.com " +
  "soundcloud.com *.soundcloud.com *.sndcdn.com " +
  "*.bandcamp.com bilibili.com *.bilibili.com *.bilivideo.com *.hdslb.com " +
  "instagram.com *.instagram.com *.cdninstagram.com facebook.com *.facebook.com *.xx.fbcdn.net"
).split(" ");

export const toldBy = (platforms: ReadonlyArray<Platform>, asked: Asked): Told =>
  platforms.map((answer) => answer(asked)).find((answer) => answer !== null) ?? NOTHING;

const ranged = (told: Told, range: string | undefined) => {
  const whole = Buffer.from(told.body);
  const asked = /^bytes=(\d+)-(\d*)$/u.exec(range ?? "");
  const head = { ...told.headers, "content-type": told.type, "accept-ranges": "bytes" };
  if (asked === null) {
    return { status: told.status ?? 200, head: { ...head, "content-length": whole.length }, body: whole };
  }
  const start = Number(asked[1]);
  const end = asked[2] === "" ? whole.length - 1 : Math.min(Number(asked[2]), whole.length - 1);
  const body = whole.subarray(start, end + 1);
  const contentRange = `bytes ${start}-${end}/${whole.length}`;
  return {
    status: 206,
    head: { ...head, "content-length": body.length, "content-range": contentRange },
    body
  };
};

export interface Replica {
  /** The real guard, which the replica's names lead to the replica. */
  readonly egress: Layer.Layer<Egress>;
  /** The real downloader, with the replica in place of all platforms. */
  readonly downloader: (options: DownloaderOptions) => Layer.Layer<Downloader>;
  /** Requests, as `GET https://host/path`. */
  readonly asked: ReadonlyArray<string>;
  /** Those that no platform knows: an extractor asks for what is not imitated. */
  readonly unanswered: ReadonlyArray<string>;
  readonly close: () => Promise<void>;
}

/**
 * Makes this process and the programs that it starts trust the authority, like that of an operator's proxy;
 * returns a function that undoes this.
 */
const trustEverywhere = (folder: string, authorityPem: string): (() => void) => {
  const distrust = trust(authorityPem);
  const file = join(folder, "authority.pem");
  writeFileSync(file, authorityPem);
  process.env["REQUESTS_CA_BUNDLE"] = file;
  return () => {
    distrust();
    delete process.env["REQUESTS_CA_BUNDLE"];
  };
};

export const startReplica = async (folder: string, platforms: ReadonlyArray<Platform>): Promise<Replica> => {
  const authority = await testAuthority();
  const distrust = trustEverywhere(folder, authority.cert);
  const asked: Array<string> = [];
  const unanswered: Array<string> = [];
  const platform = createHttpsServer(await authority.issue(NAMES), (request, response) => {
    const chunks: Array<Buffer> = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const host = (request.headers.host ?? "").replace(/:\d+$/u, "");
      const url = new URL(request.url ?? "/", `https://${host}`);
      asked.push(`${request.method} ${url.href}`);
      const question = { host, url, body: Buffer.concat(chunks).toString() };
      const told = toldBy(platforms, question);
      if (told === NOTHING) unanswered.push(asked.at(-1) ?? "");
      const { status, head, body } = ranged(told, request.headers.range);
      response.writeHead(status, head);
      response.end(request.method === "HEAD" ? undefined : body);
    });
  });
  await new Promise<void>((resolve) => platform.listen(0, "127.0.0.1", resolve));
  const { port } = platform.address() as AddressInfo;
  const proxy = createHttpServer((_request, response) => response.writeHead(404).end());
  proxy.on("connect", (_request, client, head: Buffer) => {
    const server = connect(port, "127.0.0.1", () => {
      client.write("HTTP/1.1 200 OK\r\n\r\n");
      server.write(head);
      server.pipe(client).pipe(server);
    });
    for (const [one, other] of [[client, server] as const, [server, client] as const]) {
      one.on("error", () => other.destroy());
      one.on("close", () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const upstreamProxy = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const egress = GuardedEgress.layer({
    allow: [],
    upstreamProxy,
    resolve: () => Promise.resolve([{ address: SOMEWHERE, family: 4 }])
  }).pipe(Layer.orDie);
  return {
    egress,
    asked,
    unanswered,
    downloader: (options) =>
      // Python's list of authorities cannot be extended, so yt-dlp does not check the certificate; gallery-dl and
      // Node do.
      DownloaderLayer.layer({ programs: PROGRAMS, ...options, ytDlpArgs: ["--no-check-certificates"] }).pipe(
        Layer.provide([egress, sharedPools]),
        Layer.orDie,
        inRun
      ),
    close: async () => {
      distrust();
      for (const server of [proxy, platform]) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    }
  };
};
