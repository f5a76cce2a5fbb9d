/** The shortcuts that the help lists. */

export const helpWords = {
  title: "Keyboard shortcuts",
  off: "You can switch single keys off in the settings, under Account.",
  groups: {
    everywhere: "Everywhere",
    list: "In the list",
    results: "In the results",
    run: "In an extraction"
  },
  keys: {
    everywhere: {
      "?": "Show this help",
      n: "New extraction",
      g: "All extractions",
      "/": "Search",
      "Ctrl k": "Open anything by its name",
      z: "Undo a deletion or a correction"
    },
    list: {
      j: "Next row",
      k: "Previous row",
      Enter: "Open",
      Space: "Preview beside the list",
      x: "Select the row",
      X: "Select from the last one to this",
      ".": "Go to the actions on what is selected",
      Escape: "Close the preview, or clear the selection"
    },
    results: {
      Enter: "Correct a value",
      Space: "Show a value's quotes",
      a: "Accept a value to check",
      e: "Next value to check",
      p: "Play five seconds at the quote"
    },
    run: {
      Space: "Play or pause",
      ArrowLeft: "Back 5 seconds",
      ArrowRight: "Forward 5 seconds",
      e: "Next quote",
      "/": "Search the transcript",
      ArrowDown: "In the transcript: next line, played with Enter",
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
