/** Code in GitBook's HTML: its text, its options, and the marks within it. */
import type { DefaultTreeAdapterMap } from "parse5"
import { type Content, element } from "../html/Html.ts"
import { anchorUrl } from "../html/urls.ts"

type Node = DefaultTreeAdapterMap["node"]
type Element = DefaultTreeAdapterMap["element"]

/** A range of code that is emphasized, or that refers to a footnote. */
export interface CodeMark {
  /** The first character, and the first one after the range. */
  readonly from: number
  readonly to: number
  readonly kind: "strong" | "em" | "del" | "mark"
  /** The label of a footnote, which the range links to. */
  readonly footnote?: string
}

const kinds = {
  strong: "strong",
  b: "strong",
  em: "em",
  i: "em",
  del: "del",
  s: "del",
  mark: "mark"
} as const

const attribute = ({ attrs }: Element, name: string): string | undefined =>
  attrs.find((one) => one.name === name)?.value

/** The maximum nesting of elements within code. */
const maximumDepth = 20

const markOf = (node: Element): Pick<CodeMark, "kind" | "footnote"> | undefined => {
  const footnote = /^#(?:user-content-)?fn-(.+)$/.exec(attribute(node, "href") ?? "")?.[1]
  if (node.tagName === "a" && footnote !== undefined) return { kind: "mark", footnote }
  return Object.hasOwn(kinds, node.tagName) ? { kind: kinds[node.tagName as keyof typeof kinds] } : undefined
}

/** Reads the text of code and its marks, in the order of their ends. */
const readMarked = (root: Element): { readonly text: string; readonly marks: ReadonlyArray<CodeMark> } => {
  let text = ""
  const marks: Array<CodeMark> = []
  const visit = (node: Node, depth: number): void => {
    if ("value" in node) text += node.value
    if (!("childNodes" in node) || depth > maximumDepth) return
    const from = text.length
    for (const child of node.childNodes) visit(child, depth + 1)
    const mark = "tagName" in node ? markOf(node) : undefined
    if (mark !== undefined && text.length > from) marks.push({ from, to: text.length, ...mark })
  }
  visit(root, 0)
  const trimmed = text.replace(/\n$/, "")
  return { text: trimmed, marks }
}

/** Returns the options of a `pre` element that contains only code; undefined for another element. */
export const codeOfPre = (pre: Element) => {
  const children = pre.childNodes.filter((node) => !("value" in node) || node.value.trim() !== "")
  const [code] = children
  if (children.length !== 1 || code === undefined || !("tagName" in code) || code.tagName !== "code") {
    return undefined
  }
  const classes = `${attribute(code, "class") ?? ""} ${attribute(pre, "class") ?? ""}`
  return {
    ...readMarked(code),
    syntax: /(?:^|\s)lang(?:uage)?-(\S+)/.exec(classes)?.[1],
    title: attribute(pre, "data-title"),
    hasLineNumbers: attribute(pre, "data-line-numbers") !== undefined,
    wraps: attribute(pre, "data-overflow") === "wrap",
    isExpandable: attribute(pre, "data-expandable") === "true"
  }
}

/** Renders a part of code within the marks that cover it. `from` is the place of the part. */
export const renderMarked = (
  part: string,
  from: number,
  marks: ReadonlyArray<CodeMark>,
  render: (text: string) => Content
): Content => {
  const to = from + part.length
  const inside = marks.filter((mark) => mark.from < to && mark.to > from)
  if (inside.length === 0) return render(part)
  const ends = new Set([from, to, ...inside.flatMap((mark) => [mark.from, mark.to])])
  const places = [...ends].filter((place) => place >= from && place <= to).sort((a, b) => a - b)
  return places.slice(1).map((end, index): Content => {
    const start = places[index]!
    return inside
      .filter((mark) => mark.from <= start && mark.to >= end)
      .reduce<Content>(
        (content, { kind, footnote }) => {
          if (footnote === undefined) return element(kind, {}, content)
          return element("a", { href: anchorUrl(`fn-${footnote}`), role: "doc-noteref" }, content)
        },
        render(part.slice(start - from, end - from))
      )
  })
}
