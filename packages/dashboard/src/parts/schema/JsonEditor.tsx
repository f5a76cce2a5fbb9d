/**
 * JSON Schema as text: colours, brackets, completion of keywords and the error at its line. Loaded when it is opened.
 * Tests: schemas.test.ts, newForm.test.ts.
 */
import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  type CompletionContext,
  type CompletionResult
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { bracketMatching, HighlightStyle, syntaxHighlighting, syntaxTree } from "@codemirror/language";
import { linter, lintGutter, type Diagnostic } from "@codemirror/lint";
import { EditorView, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { useLayoutEffect, useRef } from "preact/hooks";
import { schemaWords } from "./words.ts";

/** What is completed: keywords, and the values of two of them. */
const KEYWORDS =
  "type properties required items enum description format pattern minimum maximum minLength maxLength minItems maxItems uniqueItems additionalProperties anyOf const $ref $defs title examples".split(
    " "
  );
const VALUES: Readonly<Record<string, ReadonlyArray<string>>> = {
  type: "object array string number integer boolean null".split(" "),
  format: "date date-time time duration email hostname ipv4 ipv6 uuid uri".split(" ")
};

/** Their members have names of the schema's own. */
const WITH_NAMES = new Set(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"]);

type Node = ReturnType<ReturnType<typeof syntaxTree>["resolveInner"]>;

const completed = (context: CompletionContext): CompletionResult | null => {
  const { state, pos } = context;
  const word = context.matchBefore(/"[\w$-]*/u);
  if (word === null) return null;
  const nameOf = (property: Node | null): string => {
    const name = property?.getChild("PropertyName");
    return name == null ? "" : state.sliceDoc(name.from + 1, name.to - 1);
  };
  const node = syntaxTree(state).resolveInner(pos, -1);
  const isName = node.name === "PropertyName";
  // The property that the word is in, and the one whose value has it as a name.
  const holder = isName
    ? node.parent?.parent?.parent
    : node.parent?.name === "Array"
      ? node.parent.parent
      : node.parent;
  const words = isName
    ? WITH_NAMES.has(nameOf(holder ?? null))
      ? []
      : KEYWORDS
    : VALUES[nameOf(holder ?? null)];
  return words === undefined
    ? null
    : { from: word.from + 1, options: words.map((label) => ({ label })), validFor: /^[\w$-]*$/u };
};

/** The first place where the parser found no JSON, as the words below the editor say it. */
const faults = ({ state }: EditorView): ReadonlyArray<Diagnostic> => {
  let at: number | null = null;
  syntaxTree(state).iterate({
    enter: ({ type, from }) => {
      if (type.isError) at ??= from;
    }
  });
  if (at === null || state.doc.length === 0) return [];
  const line = state.doc.lineAt(at);
  return [{ from: line.from, to: line.to, severity: "error", message: schemaWords.syntax(line.number) }];
};

const COLOURS = HighlightStyle.define([
  { tag: tags.propertyName, color: "var(--accent)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--wait)" }
]);

const LOOK = EditorView.theme({
  "&": {
    background: "var(--panel)",
    color: "var(--ink)",
    border: "1px solid var(--field)",
    borderRadius: "var(--radius-small)"
  },
  "&.cm-focused": { outline: "3px solid var(--accent)", outlineOffset: "2px" },
  ".cm-scroller": { fontFamily: "var(--mono)", fontSize: "0.875rem", minHeight: "20rem" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-gutters": { background: "var(--panel)", color: "var(--soft)", border: "0" },
  ".cm-tooltip": { background: "var(--raised)", color: "var(--ink)", border: "1px solid var(--field)" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { background: "var(--accent-soft)", color: "var(--ink)" },
  // In place of pictures within the styles, which the content policy refuses.
  ".cm-lint-marker-error": { content: '"●"', color: "var(--bad)" },
  ".cm-lintRange-error": { backgroundImage: "none", textDecoration: "underline wavy var(--bad)" },
  ".cm-matchingBracket": { background: "var(--mark) !important" }
});

const EXTENSIONS = [
  lineNumbers(),
  EditorView.lineWrapping,
  lintGutter(),
  history(),
  bracketMatching(),
  closeBrackets(),
  json(),
  linter(faults),
  autocompletion({ override: [completed], icons: false }),
  syntaxHighlighting(COLOURS),
  LOOK,
  // Mod-Enter is the form's.
  keymap.of([
    ...closeBracketsKeymap,
    ...completionKeymap,
    ...historyKeymap,
    ...defaultKeymap.filter(({ key }) => key !== "Mod-Enter")
  ])
];

interface JsonEditorProps {
  /** As it is opened; from then on the editor has its own. */
  readonly text: string;
  readonly onChange: (text: string) => void;
}

const JsonEditor = ({ text, onChange }: JsonEditorProps) => {
  const host = useRef<HTMLDivElement>(null);
  const changed = useRef(onChange);
  changed.current = onChange;
  useLayoutEffect(() => {
    if (host.current === null) return;
    // Within a shadow tree its styles need no element, which the content policy would refuse.
    const root = host.current.attachShadow({ mode: "open" });
    const editor = new EditorView({
      doc: text,
      root,
      parent: root,
      extensions: [
        EXTENSIONS,
        EditorView.contentAttributes.of({ "aria-label": schemaWords.text }),
        EditorView.updateListener.of(({ docChanged, state }) => {
          if (docChanged) changed.current(state.doc.toString());
        })
      ]
    });
    return () => editor.destroy();
  }, []);
  return <div ref={host} />;
};

export default JsonEditor;
