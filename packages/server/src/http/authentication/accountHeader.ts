/** Lower-case, as headers are looked up. Names the account that the admin token acts for. */
export const ACCOUNT_HEADER = "x-winnow-account";
