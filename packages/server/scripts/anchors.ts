/** The anchors of headings, as GitHub makes them. */

/** Of one page: lower case, without punctuation, spaces as hyphens, numbered when repeated. */
export const slugger = () => {
  const seen = new Map<string, number>();
  return (heading: string): string => {
    const slug = heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/gu, "$1")
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(/\s/gu, "-");
    const earlier = seen.get(slug) ?? 0;
    seen.set(slug, earlier + 1);
    return earlier === 0 ? slug : `${slug}-${earlier}`;
  };
};
