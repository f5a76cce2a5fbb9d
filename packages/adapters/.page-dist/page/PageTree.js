/**
 * The element tree of a page from one pass of htmlparser2, bounded in depth, elements, attributes and text,
 * so that everything that walks it may recurse and no page fills the heap.
 */
import { Parser } from "htmlparser2";
import { markHidden } from "./HiddenText.js";
import { ATTRIBUTES_MAX, SCRIPT_CHARS_MAX, TREE_DEPTH_MAX, TREE_ELEMENTS_MAX, TREE_TEXT_CHARS_MAX } from "./PageLimits.js";
export class PageElement {
    name;
    parent;
    attributes = {};
    children = [];
    /** Not shown to a reader by its own markup. */
    hidden = false;
    constructor(name, parent) {
        this.name = name;
        this.parent = parent;
    }
}
/** Their content is code or data, not text. */
const RAW = new Set(["script", "style", "template", "xmp", "noembed", "noframes"]);
class TreeBuilder {
    root = new PageElement("#document", null);
    elementCount = 0;
    depth = 0;
    textChars = 0;
    truncated = false;
    current = this.root;
    currentDepth = 0;
    /** Open elements that are left out of the tree; `raw` counts from the outermost raw one. */
    leftOut = 0;
    leftOutRaw = 0;
    scriptChars = 0;
    preformatted = 0;
    attributeCount = ATTRIBUTES_MAX;
    onopentagname(name) {
        this.elementCount += 1;
        this.depth = Math.max(this.depth, this.currentDepth + this.leftOut + 1);
        this.attributeCount = ATTRIBUTES_MAX;
        const full = this.currentDepth >= TREE_DEPTH_MAX || this.elementCount > TREE_ELEMENTS_MAX;
        if (this.leftOut > 0 || full) {
            this.leftOut += 1;
            if (RAW.has(name) && this.leftOutRaw === 0)
                this.leftOutRaw = this.leftOut;
            this.addText("\n");
            return;
        }
        const element = new PageElement(name, this.current);
        this.current.children.push(element);
        this.current = element;
        this.currentDepth += 1;
        this.attributeCount = 0;
        if (name === "pre")
            this.preformatted += 1;
    }
    onattribute(name, value) {
        const { attributes } = this.current;
        if (this.attributeCount >= ATTRIBUTES_MAX || name === "__proto__" || Object.hasOwn(attributes, name))
            return;
        attributes[name] = value;
        this.attributeCount += 1;
    }
    onclosetag(name) {
        this.attributeCount = ATTRIBUTES_MAX;
        if (this.leftOut > 0) {
            if (this.leftOutRaw === this.leftOut)
                this.leftOutRaw = 0;
            this.leftOut -= 1;
            return;
        }
        this.current = this.current.parent ?? this.root;
        this.currentDepth -= 1;
        if (name === "pre")
            this.preformatted -= 1;
    }
    ontext(data) {
        this.attributeCount = ATTRIBUTES_MAX;
        if (this.leftOutRaw > 0 || this.current.name === "style")
            return;
        if (this.current.name === "script")
            this.addScript(data);
        else
            this.addText(this.preformatted > 0 ? data : data.replace(/\s{2,}|[^\S ]/g, " "));
    }
    addScript(data) {
        this.scriptChars += data.length;
        if (this.scriptChars <= SCRIPT_CHARS_MAX)
            this.append(data);
    }
    addText(data) {
        this.textChars += data.length;
        if (this.textChars <= TREE_TEXT_CHARS_MAX)
            this.append(data);
        else
            this.truncated = true;
    }
    append(data) {
        const { children } = this.current;
        const last = children.length - 1;
        if (typeof children[last] === "string")
            children[last] += data;
        else
            children.push(data);
    }
}
export const parsePage = (html) => {
    const builder = new TreeBuilder();
    const parser = new Parser(builder);
    parser.write(html);
    parser.end();
    markHidden(builder.root);
    return builder;
};
/** Depth first in document order. `visit` answers false to leave out what is inside. */
export const walk = (element, visit) => {
    for (const child of element.children) {
        if (typeof child !== "string" && visit(child) !== false)
            walk(child, visit);
    }
};
/** Text inside, code and data left out; stops soon after `charsMax` characters. */
export const textOf = (element, charsMax = Number.POSITIVE_INFINITY) => {
    const parts = [];
    let length = 0;
    const collect = (node) => {
        if (length > charsMax)
            return;
        if (typeof node === "string") {
            parts.push(node);
            length += node.length;
        }
        else if (!RAW.has(node.name)) {
            if (node.name === "br")
                parts.push(" ");
            node.children.forEach(collect);
        }
    };
    element.children.forEach(collect);
    return parts.join("");
};
/** Text of a raw element such as a script. */
export const rawTextOf = (element) => element.children.filter((child) => typeof child === "string").join("");
