// A server that embeds Winnow. The arguments are the URL of a page and a data folder.
import { createWinnow } from "@winnow/server";

const [url, dataDir] = process.argv.slice(2);
const winnow = await createWinnow({ env: process.env, dataDir, publicUrl: "http://127.0.0.1:9/" });
const { id } = await winnow.admin.accounts.create({ name: "somebody" });
await winnow.admin.topUps.create(id, { credits: 1_000 });
const result = await winnow.client(id).extract({ url });
const { status } = await winnow.fetch(new Request("http://127.0.0.1:9/readyz"));
console.log(JSON.stringify({ status: result.status, title: result.summary.title, ready: status }));
await winnow.close();
