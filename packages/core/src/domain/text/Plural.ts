/** "1 minute", "2 minutes": limits of plans and accounts may be 1. */
export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;
