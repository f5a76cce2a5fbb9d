/**
 * A webhook receiver on loopback: HTTPS with a certificate from an authority made for the test.
 */
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

/** Keys and certificates in PEM. */
export interface Authority {
  readonly private: string;
  readonly cert: string;
}

/** An authority made for a test, whose certificate a server gets by NODE_EXTRA_CA_CERTS. */
export const makeAuthority = (): Promise<Authority> =>
  selfsigned.generate([{ name: "commonName", value: "Throw-away authority" }], {
    ...KEYS,
    extensions: [{ name: "basicConstraints", cA: true, critical: true }]
  });

export interface HookReceiver extends AsyncDisposable {
  readonly host: string;
  readonly url: string;
  /** In order of arrival. */
  readonly hooks: Array<Hook>;
  /** Sets the status of the next responses; 204 at first. */
  readonly answer: (status: number) => void;
}

export const openHookReceiver = async (authority: Authority): Promise<HookReceiver> => {
  const { private: key, cert } = await selfsigned.generate([{ name: "commonName", value: "127.0.0.1" }], {
    ...KEYS,
    ca: { key: authority.private, cert: authority.cert },
    extensions: [{ name: "subjectAltName", altNames: [{ type: 7, ip: "127.0.0.1" }] }]
  });
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

export const hookReceiver = (authority: Authority) =>
  Effect.acquireRelease(
    Effect.promise(() => openHookReceiver(authority)),
    (receiver) => Effect.promise(() => receiver[Symbol.asyncDispose]())
  );
