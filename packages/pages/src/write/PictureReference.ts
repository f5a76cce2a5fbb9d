/** How Markdown refers to a picture, for what is known only once the picture is fetched. Loads no parser. */

/** An absolute URL in parentheses. */
export const escapedUrl = (url: string): string =>
  url
    .replace(
      /[\s<>()\\|`[\]]/g,
      (character) => `%${character.codePointAt(0)?.toString(16).toUpperCase().padStart(2, "0")}`
    )
    .replace(/[*_~]/g, "\\$&")
    .replace(/&(?=#?[A-Za-z0-9]{1,31};)/g, "\\&");

/** Replaces the reference `picture` in Markdown, or removes the picture if the new reference is null. */
export const withPicture = (markdown: string, picture: string | null, reference: string | null): string => {
  if (picture === null) return markdown;
  const [first = "", ...rest] = markdown.split(`](${escapedUrl(picture)})`);
  const merged = rest.reduce((before, after) => {
    const start = before.lastIndexOf("![");
    const isPicture = start >= 0 && !/(?<!\\)\]/u.test(before.slice(start));
    if (!isPicture) return `${before}](${escapedUrl(picture)})${after}`;
    return reference === null ? before.slice(0, start) + after : `${before}](${reference})${after}`;
  }, first);
  return merged.trim();
};
