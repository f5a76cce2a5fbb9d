/** The shortcuts that the help lists. Tests: runActions.test.ts. */

export const helpWords = {
  title: "Keyboard shortcuts",
  off: "You can switch single keys off in the settings, under Account.",
  groups: {
    Everywhere: {
      "?": "Show this help",
      "Ctrl k": "Open anything by its name",
      n: "New extraction",
      g: "All extractions",
      "/": "Search",
      z: "Undo a deletion or a correction"
    },
    "In the list": {
      j: "Next row",
      k: "Previous row",
      Enter: "Open",
      Space: "Preview beside the list",
      x: "Select the row",
      "Shift x": "Select from the last one to this",
      ".": "Go to the actions on what is selected",
      Esc: "Close the preview, or clear the selection"
    },
    "In the results": {
      Enter: "Correct a value",
      Space: "Show a value's quotes",
      a: "Accept a value to check",
      e: "Next value to check",
      p: "Play five seconds at the quote"
    },
    "In an extraction": {
      Space: "Play or pause",
      "←": "Back 5 seconds",
      "→": "Forward 5 seconds",
      e: "Next quote",
      "/": "Search the transcript",
      "↓": "In the transcript: next line, played with Enter",
      r: "Run again",
      d: "Download all files",
      l: "Copy the link"
    }
  }
};

export const paletteWords = {
  title: "Open",
  hint: "Part of a name, or of a URL",
  batch: "Batch",
  schema: "Schema",
  version: (version: number) => `Schema, version ${version}`,
  none: "Nothing has this in its name or URL."
};
