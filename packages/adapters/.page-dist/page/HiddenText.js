/** Not `opacity: 0`: that is how pages announce what their scripts fade in. */
const HIDING_STYLE = /display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d])/i;
/** Hidden elements with more than this share of all text are the page itself, to be shown by a script. */
const REVEALED_SHARE = 0.5;
const NOT_TEXT = new Set(["script", "style", "template"]);
const isHiding = ({ attributes, name }) => {
    const { hidden, style } = attributes;
    if (name === "html" || name === "body")
        return false;
    if (name === "noscript" || (hidden !== undefined && hidden.toLowerCase() !== "until-found"))
        return true;
    return style !== undefined && HIDING_STYLE.test(style);
};
const lengthOf = (text) => text.length - (text.match(/\s+/g)?.join("").length ?? 0);
/** Sets `hidden` on the outermost hidden elements. */
export const markHidden = (root) => {
    const lengths = new Map();
    const mark = (element) => {
        element.hidden = isHiding(element);
        let length = 0;
        for (const child of element.children) {
            if (typeof child === "string")
                length += lengthOf(child);
            else if (!NOT_TEXT.has(child.name))
                length += mark(child);
        }
        if (element.hidden)
            lengths.set(element, length);
        return length;
    };
    const total = mark(root);
    for (const [element, length] of lengths) {
        if (length > REVEALED_SHARE * total)
            element.hidden = false;
    }
};
