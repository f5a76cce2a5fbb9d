// A server that embeds Winnow. The arguments are the URL of a page and a data folder.
import { createWinnow } from "@winnow/server";

const [url, dataDir] = process.argv.slice(2);
const winnow = await createWinnow({ env: process.env, dataDir, publicUrl: "http://127.0.0.1:9/" });
const { id } = await winnow.engine.accounts.create({ name: "somebody" });
await winnow.engine.accounts.topUp(id, { credits: 1_000 });
const run = await winnow.engine.submit(id, { url });
const result = await winnow.engine.wait(id, run.id);
const { status } = await winnow.fetch(new Request("http://127.0.0.1:9/readyz"));
console.log(JSON.stringify({ status: result.status, title: result.summary.title, ready: status }));
await winnow.close();
