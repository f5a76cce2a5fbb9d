/** Open Graph's values for the entity the page is about, used only to verify its structured description. */
import type { StructuredThing } from "@winnow/core/domain/source/StructuredData";
import { writtenDate } from "./PageDate.ts";
import type { PageScan } from "../tree/PageScan.ts";
import { amountOf } from "./ThingReaders.ts";

const AVAILABILITIES: Readonly<Record<string, string>> = {
  oos: "OutOfStock",
  instock: "InStock",
  outofstock: "OutOfStock",
  preorder: "PreOrder",
  backorder: "BackOrder",
  discontinued: "Discontinued"
};

export const sharedValues = (
  type: StructuredThing["type"],
  { meta }: PageScan
): Readonly<Record<string, unknown>> => {
  const first = (...keys: ReadonlyArray<string>): string | undefined =>
    keys.flatMap((key) => meta.get(key)?.slice(0, 1) ?? [])[0];
  if (type === "Product") {
    const availability = first("product:availability", "og:availability")
      ?.toLowerCase()
      .replace(/[^a-z]/g, "");
    const offer = {
      price: amountOf(first("product:price:amount", "og:price:amount") ?? "") ?? undefined,
      currency: first("product:price:currency", "og:price:currency"),
      availability: AVAILABILITIES[availability ?? ""]
    };
    return { offers: [offer], brand: first("product:brand") };
  }
  if (type === "Article") return { publishedAt: writtenDate(first("article:published_time")) ?? undefined };
  if (type === "VideoObject") {
    const seconds = first("og:video:duration", "video:duration");
    return { durationSeconds: /^\d+$/.test(seconds ?? "") ? Number(seconds) : undefined };
  }
  return {};
};
