/** Converts virtual elements, and marks of text, to nodes of Markdown. */
import { type InlineMath, type MathBlock, tagOf } from "@lectern/formats/threads"
import type { Element } from "hast"
import type { Handle, State } from "hast-util-to-mdast"
import type { BlockContent, Blockquote, Html, Nodes, PhrasingContent } from "mdast"
import { attribute } from "./nodes.ts"
import { virtualNames } from "./virtual.ts"

declare module "mdast" {
  interface BlockquoteData {
    /** The lines before and after the content of a block that is written with tags. */
    enclosure?: { readonly open: ReadonlyArray<Html>; readonly close: ReadonlyArray<Html> }
  }
}

const escapeText = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll(/([{%])(?=[{%}])/g, "$1&#8203;")

const opening = (value: string): Html => ({ type: "html", value, data: { tag: "open" } })
const closing = (value: string): Html => ({ type: "html", value, data: { tag: "close" } })

const blocksOf = (state: State, element: Element): Array<BlockContent> =>
  state.toFlow(state.all(element)) as Array<BlockContent>

/** Returns a node that `expandEnclosures` replaces with its content between tags. */
const enclose = (
  state: State,
  element: Element,
  open: ReadonlyArray<Html>,
  close: ReadonlyArray<Html>
): Blockquote => ({
  type: "blockquote",
  children: blocksOf(state, element),
  data: { enclosure: { open, close } }
})

const encloseInTag =
  (name: string, attributes: (element: Element) => Readonly<Record<string, string>>): Handle =>
  (state, element) =>
    enclose(state, element, [opening(tagOf(name, attributes(element)))], [closing(tagOf(`end${name}`))])

const textOf = (element: Element, name: string): string => attribute(element, name) ?? ""

const mark: Handle = (state, element) => {
  const name = textOf(element, "name")
  const children = state.all(element) as Array<PhrasingContent>
  return children.length === 0
    ? undefined
    : [{ type: "html", value: `<${name}>` }, ...children, { type: "html", value: `</${name}>` }]
}

const details: Handle = (state, element) =>
  enclose(
    state,
    element,
    [
      { type: "html", value: "<details>", data: { isSeparate: true } },
      {
        type: "html",
        value: `<summary>${escapeText(textOf(element, "title"))}</summary>`,
        data: { isSeparate: true }
      }
    ],
    [{ type: "html", value: "</details>", data: { isSeparate: true } }]
  )

const formula: Handle = (_, element) => {
  const value = textOf(element, "tex").replaceAll(/\n\s*\n/g, "\n")
  const block: MathBlock = { type: "math", value }
  if (element.properties.isBlock === true) return block
  const inline: InlineMath = { type: "inlineMath", value: value.replaceAll(/\s*\n\s*/g, " ") }
  return inline
}

const figure: Handle = (state, element) => {
  const title = textOf(element, "caption")
  const [image] = state.all(element)
  if (image?.type !== "image") return image
  return {
    type: "paragraph",
    children: [{ ...image, title, alt: image.alt === title ? "" : (image.alt ?? "") }]
  }
}

/** The handlers of virtual elements. */
export const handlers: Readonly<Record<string, Handle>> = {
  [virtualNames.hint]: encloseInTag("hint", (element) => ({ style: textOf(element, "style") })),
  [virtualNames.tabs]: encloseInTag("tabs", () => ({})),
  [virtualNames.tab]: encloseInTag("tab", (element) => ({ title: textOf(element, "title") })),
  [virtualNames.code]: encloseInTag("code", (element) => ({ title: textOf(element, "title") })),
  [virtualNames.details]: details,
  [virtualNames.mark]: mark,
  [virtualNames.formula]: formula,
  [virtualNames.figure]: figure,
  [virtualNames.footnoteLink]: (_, element) => {
    const label = textOf(element, "label")
    return { type: "footnoteReference", identifier: label, label }
  },
  [virtualNames.footnote]: (state, element) => {
    const label = textOf(element, "label")
    return { type: "footnoteDefinition", identifier: label, label, children: blocksOf(state, element) }
  }
}

/** Replaces a block by its content between tags. Other nodes are returned unchanged. */
export const expandEnclosure = <N extends Nodes>(node: N): ReadonlyArray<N | BlockContent> => {
  const enclosure = node.type === "blockquote" ? node.data?.enclosure : undefined
  if (enclosure === undefined || node.type !== "blockquote") return [node]
  return [...enclosure.open, ...(node.children as ReadonlyArray<BlockContent>), ...enclosure.close]
}
