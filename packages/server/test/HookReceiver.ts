/**
 * A webhook receiver on loopback: HTTPS with a certificate from an authority made for the test.
 */
import { writeFileSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import * as Effect from "effect/Effect";
import selfsigned from "selfsigned";

export interface Hook {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

const KEYS = { keyType: "ec", algorithm: "sha256" } as const;

const makeCertificates = async () => {
  const authority = await selfsigned.generate([{ name: "commonName", value: "Throw-away authority" }], {
    ...KEYS,
    extensions: [{ name: "basicConstraints", cA: true, critical: true }]
  });
  const server = await selfsigned.generate([{ name: "commonName", value: "127.0.0.1" }], {
    ...KEYS,
    ca: { key: authority.private, cert: authority.cert },
    extensions: [{ name: "subjectAltName", altNames: [{ type: 7, ip: "127.0.0.1" }] }]
  });
  return { authority: authority.cert, key: server.private, cert: server.cert };
};

export interface HookReceiver extends AsyncDisposable {
  readonly host: string;
  readonly url: string;
  /** In order of arrival. */
  readonly hooks: Array<Hook>;
  /** Sets the status of the next responses; 204 at first. */
  readonly answer: (status: number) => void;
}

/** Writes the authority's certificate to `authorityFile`, for NODE_EXTRA_CA_CERTS. */
export const openHookReceiver = async (authorityFile: string): Promise<HookReceiver> => {
  const { authority, key, cert } = await makeCertificates();
  writeFileSync(authorityFile, authority);
  const hooks: Array<Hook> = [];
  let status = 204;
  const server = createServer({ key, cert }, async (request, response) => {
    hooks.push({ headers: request.headers, body: await buffer(request) });
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    host: `127.0.0.1:${port}`,
    url: `https://127.0.0.1:${port}/hook`,
    hooks,
    answer: (next) => void (status = next),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  };
};

export const hookReceiver = (authorityFile: string) =>
  Effect.acquireRelease(
    Effect.promise(() => openHookReceiver(authorityFile)),
    (receiver) => Effect.promise(() => receiver[Symbol.asyncDispose]())
  );
