/** The callers of the chaos report a fault of the server, once per request, instead of repeating it. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { assert, it } from "vitest";
import { seededRandom } from "@winnow/testing/samples/samples";
import { Callers } from "./Callers.ts";

it("an internal error is reported and not asked for again", async () => {
  let asked = 0;
  const server = createServer((_request, response) => {
    asked += 1;
    response.writeHead(500, { "content-type": "application/json" }).end('{"error":{}}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const callers = new Callers({
    adminToken: "",
    urls: () => [`http://127.0.0.1:${(server.address() as AddressInfo).port}`],
    urlOf: String,
    random: seededRandom(1),
    isFull: () => true,
    pauseMsMax: 0
  });
  await callers.open();
  assert.lengthOf(callers.broken, asked);
  assert.match(callers.broken[0] ?? "", /^POST \/admin\/v1\/accounts 500/u);
  server.close();
});
