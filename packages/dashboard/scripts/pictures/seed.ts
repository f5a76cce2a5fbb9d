/** The account in the pictures: its schemas, and the runs of two days. */
import { setTimeout as wait } from "node:timers/promises";
import type { JsonSchema } from "@winnow/client";
import type { Stage } from "../../test/Stage.ts";

const text = { type: "string" };

const SCHEMAS = {
  talk: {
    type: "object",
    properties: {
      speaker: { ...text, description: "Who speaks." },
      topic: text,
      price: { type: "integer", description: "In euros." }
    },
    required: ["speaker", "topic", "price"]
  },
  recipe: {
    type: "object",
    properties: { dish: text, servings: { type: "integer" }, minutes: { type: "integer" } },
    required: ["dish", "servings", "minutes"]
  },
  product: {
    type: "object",
    properties: {
      product: text,
      brand: text,
      price: { type: "number", description: "In euros." },
      weight: text
    },
    required: ["product", "price"]
  }
};

/** Nobody looks at so many screens in a minute. */
const LIMITS = {
  submitsPerMinute: 1_000,
  probesPerMinute: 1_000,
  readsPerMinute: 1_000,
  othersPerMinute: 1_000
};

const MINUTE_MS = 60_000;

/** The server looks at its clock's file every 50 ms. */
const CLOCK_MS = 150;

export const TALK_URL = "https://talks.example/what-the-wind-knows";

export const LINKS = ["spelt-flour", "rye-flour", "oat-flakes"].map((name) => `https://shop.example/${name}`);

export interface Seeded {
  readonly talk: string;
  readonly failed: string;
  readonly batch: string;
  readonly talkSchema: string;
  readonly productSchema: string;
}

export const seed = async ({ account, admin, client, goAhead }: Stage): Promise<Seeded> => {
  await admin.accounts.update(account.id, { name: "Mill and Oven", limits: LIMITS });
  const save = async (name: string, schema: JsonSchema) => (await client.schemas.save({ name, schema })).id;
  const talkSchema = await save("talk-facts", SCHEMAS.talk);
  const recipeSchema = await save("recipe-facts", SCHEMAS.recipe);
  const productSchema = await save("product-facts", SCHEMAS.product);
  await client.webhookEndpoints.create({ url: "https://shop.example/hooks/winnow" });
  const goBack = async (minutes: number): Promise<void> => {
    await goAhead(-minutes * MINUTE_MS);
    await wait(CLOCK_MS);
  };
  const run = async (minutesAgo: number, body: Parameters<typeof client.submit>[0]): Promise<string> => {
    await goBack(minutesAgo);
    const { id } = await client.submit(body);
    await client.extractions.wait(id);
    return id;
  };
  await run(1_560, { url: "https://essays.example/what-is-heavy" });
  await run(1_530, { url: "https://photos.example/four-sieves" });
  const failed = await run(200, { url: "https://talks.example/the-miller-next-door" });
  await run(130, { url: "https://kitchen.example/soda-bread", schemaId: recipeSchema });
  await goBack(50);
  const items = LINKS.map((url) => ({ url, schemaId: productSchema }));
  const { id: batch } = await client.batches.create({ items });
  for await (const item of client.batches.ended(batch)) void item;
  const talk = await run(3, { url: TALK_URL, schemaId: talkSchema, inputs: ["transcript", "video"] });
  await goBack(0);
  return { talk, failed, batch, talkSchema, productSchema };
};
