/** Announces a sentence to screen readers. */

const REPEAT_MS = 50;

export const announce = (sentence: string): void => {
  const region = document.getElementById("announcer");
  if (region === null) return;
  // The same sentence is only announced again if it was removed in between.
  region.textContent = "";
  setTimeout(() => {
    region.textContent = sentence;
  }, REPEAT_MS);
};
