/** Texts of balance, usage and ledger. */

export const billingWords = {
  balance: "Balance",
  buy: (credits: string, price: string) => `Buy ${credits} credits for ${price}`,
  buyHint: "You pay on a page of the payment service and come back here.",
  paid: "Thank you. The credits appear here as soon as the payment is confirmed, usually within seconds.",
  topUp: "To add credits, ask your operator. 10,000 credits equal US$1.",
  usage: "Credits by day",
  usedInAll: (credits: string, days: number) => `${credits} credits in ${days} days`,
  period: "Period",
  days: (count: number) => `${count} days`,
  mostADay: (credits: string) => `${credits} credits at the top`,
  asTable: "Show as a table",
  day: "Day",
  ledger: "Ledger",
  when: "When",
  what: "What",
  credits: "Credits",
  after: "Balance after",
  csv: "Download as CSV",
  runOf: (date: string) => `Extraction of ${date}`,
  kinds: { debit: "Debit", refund: "Refund", top_up: "Top-up", bonus: "Bonus", adjustment: "Adjustment" }
};
