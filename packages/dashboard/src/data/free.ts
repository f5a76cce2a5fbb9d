/** Whether nothing has a price on this server, which writes it into the page: then no screen speaks of money. */
export const isFree = globalThis.document?.documentElement.dataset["free"] !== undefined;
