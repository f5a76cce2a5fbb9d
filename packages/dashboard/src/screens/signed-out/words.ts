/** Texts for people who are signed out, or whose session ended. */

export const signedOutWords = {
  title: "You are signed out",
  text: "Open the sign-in link from your operator. Each link works once, for 15 minutes.",
  signIn: "Sign in",
  signInWith: (issuer: string) => `Sign in with ${issuer}`,
  elsewhere: "Sign in to the application that you came from, then come back.",
  operator: "Are you the operator of this server?",
  command: "This prints a sign-in link for an account:",
  operatorView: "Open the operator's view"
};

export const endedWords = {
  title: "Your session ended",
  text: "Open a new sign-in link in another tab, then come back. Your input is kept here.",
  still: "You are still signed out.",
  again: "I am signed in again",
  leave: "Leave"
};
