/**
 * Splits a command line into words: single and double quotes and backslashes as in POSIX sh (XCU, section 2.2),
 * without expansion. Null for an unclosed quote.
 */
export const shellWords = (text: string): ReadonlyArray<string> | null => {
  const pattern = /\s*((?:[^\s'"\\]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+)/suy;
  const trimmed = text.trim();
  const words: Array<string> = [];
  while (pattern.lastIndex < trimmed.length) {
    const match = pattern.exec(trimmed);
    if (match === null) return null;
    words.push(
      (match[1] ?? "").replace(/'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/gsu, (_, single, double, escaped) =>
        single !== undefined ? single : double !== undefined ? double.replace(/\\(["\\$`])/gu, "$1") : escaped
      )
    );
  }
  return words;
};
