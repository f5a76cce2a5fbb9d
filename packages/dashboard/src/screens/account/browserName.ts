/** Shortens user agents to the browser's name and the system. Pure. */

export const browserName = (userAgent: string): string => {
  const name = /(?:Edg|OPR|Firefox|Chrome|Version)\/\d+/u.exec(userAgent)?.[0].replace("Version", "Safari");
  const system = /Windows|Android|iPhone|iPad|Mac OS X|Linux/u.exec(userAgent)?.[0];
  const parts = [name?.replace("/", " "), system].filter((part) => part !== undefined);
  return parts.length === 0 ? userAgent : parts.join(", ");
};
