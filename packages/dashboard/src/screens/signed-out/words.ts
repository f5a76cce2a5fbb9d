/** Texts for people who are signed out, or whose session ended. */

export const signedOutWords = {
  link: "Sign-in link",
  open: "Open",
  text: "Open the link from your operator, or paste it here. Each link works once, for 15 minutes.",
  signIn: "Sign in",
  signInWith: (issuer: string) => `Sign in with ${issuer}`,
  elsewhere: "Sign in to the application that you came from, then come back.",
  operator: "Operators make links with the command winnow account sign-in, or in",
  operatorView: "the operator's view"
};

export const endedWords = {
  title: "Your session ended",
  text: "Open a new sign-in link in another tab, then come back. Your input is kept here.",
  still: "You are still signed out.",
  again: "I am signed in again",
  leave: "Leave"
};
