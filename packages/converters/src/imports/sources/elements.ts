/** Builds and rewrites elements of HTML, as the conversion of pages recognizes them. */
import { type Readings, type Target, unescaped } from "@lectern/formats/threads"
import type { Element, ElementContent, Nodes, Properties, Root } from "hast"
import { toString as textOf } from "hast-util-to-string"
import { cleanContent } from "../html/clean.ts"
import { makeMeasurer } from "../html/measures.ts"
import { childrenOf, classesOf, isElement } from "../html/nodes.ts"
import { resolverFor } from "../html/parse.ts"
import { toMarkdown } from "../html/toMarkdown.ts"

/** Creates an element. */
export const element = (
  tagName: string,
  properties: Properties,
  children: ReadonlyArray<ElementContent> = []
): Element => ({ type: "element", tagName, properties, children: [...children] })

/** Creates text. */
export const text = (value: string): ElementContent => ({ type: "text", value })

/** Creates an admonition. */
export const hint = (
  style: "note" | "tip" | "warning" | "danger",
  title: string | undefined,
  children: ReadonlyArray<ElementContent>
): Element =>
  element("div", { className: ["admonition", style] }, [
    ...(title === undefined || title.trim() === ""
      ? []
      : [element("p", { className: ["admonition-title"] }, [text(title.trim())])]),
    ...children
  ])

/** Creates a block of code. */
export const codeBlock = (code: string, language: string | undefined, title: string | undefined): Element => {
  const block = element("pre", language === undefined ? {} : { dataLang: language }, [
    element("code", {}, [text(code)])
  ])
  return title === undefined || title.trim() === ""
    ? block
    : element("div", { className: ["code-block"] }, [
        element("div", { className: ["title"] }, [text(title.trim())]),
        block
      ])
}

/** Creates an expandable block. */
export const details = (title: string, children: ReadonlyArray<ElementContent>): Element =>
  element("details", {}, [element("summary", {}, [text(title.trim() || "Details")]), ...children])

/** Whether an element has a class. */
export const hasClass = (node: Nodes | undefined, name: string): boolean =>
  isElement(node) && classesOf(node).includes(name)

/** Finds the first descendant that is an element of a kind. */
export const findElement = (node: Nodes, isFound: (element: Element) => boolean): Element | undefined => {
  for (const child of childrenOf(node)) {
    if (!isElement(child)) continue
    const found = isFound(child) ? child : findElement(child, isFound)
    if (found !== undefined) return found
  }
  return undefined
}

/** Returns the text of a node on one line. */
export const lineOf = (node: Nodes | undefined): string =>
  node === undefined ? "" : textOf(node).replaceAll(/\s+/g, " ").trim()

/** Rewrites the elements of a tree, the innermost first. `by` returns the nodes that replace an element. */
export const rewrite = (
  nodes: ReadonlyArray<ElementContent>,
  by: (element: Element) => ReadonlyArray<ElementContent> | undefined
): ReadonlyArray<ElementContent> =>
  nodes.flatMap((node) => {
    if (!isElement(node)) return [node]
    const rewritten: Element = { ...node, children: [...rewrite(node.children, by)] }
    return by(rewritten) ?? [rewritten]
  })

/** The URL that the paths of a source are relative to while its pages are converted. */
const root = "https://source.invalid/"

const toLocal = (target: Target, fragmentOf: (fragment: string) => string): Target => {
  if (!target.url.startsWith(root)) return target
  const [path = "", ...fragment] = target.url.slice(root.length).split("#")
  const local = unescaped(path)
  return {
    ...target,
    url: fragment.length === 0 ? local : `${local}#${fragmentOf(unescaped(fragment.join("#")))}`,
    otherwise: `/${path}`
  }
}

/** Converts the elements of a page at a path of a source to Markdown, with targets that are paths in the source. */
export const convertElements = (
  children: ReadonlyArray<ElementContent>,
  { path, mark, title }: { readonly path: string; readonly mark: string; readonly title: string | undefined },
  fragmentOf: (fragment: string) => string = (fragment) => fragment
): Pick<Readings["sourcePage"]["out"], "markdown" | "targets" | "title"> => {
  const base = root + path.split("/").map(encodeURIComponent).join("/")
  const content: Root = { type: "root", children: [...children] }
  const cleaned = cleanContent(content, {
    documentTitle: title,
    measure: makeMeasurer(new Set(), resolverFor(base)),
    isWithoutMenus: true
  })
  const { markdown, targets } = toMarkdown(cleaned.children, {
    base,
    self: base,
    mark,
    anchors: cleaned.anchors
  })
  return {
    title: title ?? cleaned.title,
    markdown,
    targets: targets.map((target) => toLocal(target, fragmentOf))
  }
}
