/** The sample site with a gate in front of its media, so that a test controls how far a run gets. */
import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { startSite, type Site } from "../site/site.ts";
import { sampleMedia } from "./SampleMediaBroker.ts";

export interface GatedSite extends Site {
  /** Holds requests for media back from now on: every run needs media, and no inspection does. */
  readonly hold: () => void;
  /** Lets waiting and later requests through. */
  readonly release: () => void;
}

const pass = (siteUrl: string, incoming: IncomingMessage, outgoing: ServerResponse): void => {
  const { method, headers, url = "/" } = incoming;
  const forwarded = request(new URL(url, siteUrl), { method, headers, agent: false }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
  });
  forwarded.on("error", () => outgoing.destroy());
  incoming.pipe(forwarded);
};

/** Like `startSite`; the gate is open at first. */
export const startGatedSite = async (): Promise<GatedSite> => {
  const media = await sampleMedia();
  const site = await startSite(media.folder);
  let gate = Promise.withResolvers<void>();
  gate.resolve();
  const server = createServer((incoming, outgoing) => {
    const isMedium = incoming.url?.startsWith("/media/") === true;
    void (isMedium ? gate.promise : Promise.resolve()).then(() => pass(site.url, incoming, outgoing));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    url: `http://${host}`,
    hold: () => {
      gate = Promise.withResolvers();
    },
    release: () => gate.resolve(),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await site[Symbol.asyncDispose]();
      await media.stop();
    }
  };
};
