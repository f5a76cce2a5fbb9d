/** Says a sentence to whoever hears the page instead of seeing it. */

const REPEAT_MS = 50;

export const say = (sentence: string): void => {
  const region = document.getElementById("announcer");
  if (region === null) return;
  // The same sentence twice is a change only when it was gone in between.
  region.textContent = "";
  setTimeout(() => {
    region.textContent = sentence;
  }, REPEAT_MS);
};
