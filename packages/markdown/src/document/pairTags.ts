/** Pairs opening and closing tags. */
import type * as Mdast from "mdast"
import { type Tag, tagIn } from "./tags.ts"

type Content = Mdast.RootContent

/** A tag with the nodes up to its closing tag. A tag without a closing tag has no nodes. */
export interface TagBlock {
  readonly type: "tag"
  readonly tag: Tag
  readonly open: Mdast.Html
  readonly close: Mdast.Html | undefined
  readonly children: Array<TagContent>
}

/** A node whose tags are paired. */
export type TagContent = Content | TagBlock

/** The tags that a closing tag must follow. */
const containerTags = new Set(
  "hint tabs tab stepper step columns column if updates update code content-ref".split(" ")
)

/** The tags that are complete without a closing tag. */
const voidTags = new Set(
  "include embed file page-ref openapi swagger openapi-operation openapi-webhook openapi-schemas".split(" ")
)

/** The maximum number of open tags. Deeper tags have no meaning. */
const maximumOpenTags = 16

const hasMeaning = ({ name }: Tag): boolean =>
  containerTags.has(name) || voidTags.has(name) || name.startsWith("@")

const isTag = (node: Mdast.Nodes | undefined): boolean => node?.type === "html" && node.value.startsWith("{%")

const isKnownTag = (node: Mdast.Nodes | undefined): boolean => {
  const tag = node?.type === "html" ? tagIn(node.value) : undefined
  return tag !== undefined && hasMeaning(tag)
}

const isBlank = (node: Mdast.Nodes | undefined): boolean =>
  node?.type === "break" || (node?.type === "text" && node.value.trim() === "")

const endsLine = (node: Mdast.Nodes | undefined): boolean =>
  node === undefined || node.type === "break" || (node.type === "text" && /\n[ \t]*$/.test(node.value))

const startsLine = (node: Mdast.Nodes | undefined): boolean =>
  node === undefined || node.type === "break" || (node.type === "text" && /^[ \t]*\n/.test(node.value))

/**
 * Splits a paragraph at tags without other text on their lines, which are part of it if they are indented, and at known
 * tags at its start and end, as in `{% hint style="info" %} Text {% endhint %}`.
 */
const splitParagraph = (node: Mdast.Paragraph): ReadonlyArray<Content> => {
  const { children } = node
  if (!children.some(isTag)) return [node]
  const parts: Array<Content> = []
  let from = 0
  for (const [index, child] of children.entries()) {
    if (!isTag(child) || !endsLine(children[index - 1]) || !startsLine(children[index + 1])) continue
    for (const part of splitOuterTags(children.slice(from, index))) parts.push(part)
    parts.push(child as Mdast.Html)
    from = index + 1
  }
  if (from === 0) return splitOuterTags(children)
  for (const part of splitOuterTags(children.slice(from))) parts.push(part)
  return parts
}

/** Splits known tags from the start and the end of text. Text with other tags is not split. */
const splitOuterTags = (children: ReadonlyArray<Mdast.PhrasingContent>): ReadonlyArray<Content> => {
  let [from, to] = [0, children.length]
  while (from < to && (isKnownTag(children[from]) || isBlank(children[from]))) from++
  while (to > from && (isKnownTag(children[to - 1]) || isBlank(children[to - 1]))) to--
  if (children.slice(from, to).some(isTag)) [from, to] = [0, children.length]
  const text = withoutOuterSpaces(children.slice(from, to))
  const tags = (nodes: ReadonlyArray<Mdast.PhrasingContent>) => nodes.filter((child) => child.type === "html")
  return [
    ...tags(children.slice(0, from)),
    ...(text.length === 0 ? [] : [paragraphOf(text)]),
    ...tags(children.slice(to))
  ]
}

const paragraphOf = (children: Array<Mdast.PhrasingContent>): Mdast.Paragraph => {
  const [start, end] = [children[0]?.position?.start, children.at(-1)?.position?.end]
  return {
    type: "paragraph",
    children,
    ...(start === undefined || end === undefined ? {} : { position: { start, end } })
  }
}

const withoutOuterSpaces = (nodes: ReadonlyArray<Mdast.PhrasingContent>): Array<Mdast.PhrasingContent> => {
  let [from, to] = [0, nodes.length]
  while (from < to && isBlank(nodes[from])) from++
  while (to > from && isBlank(nodes[to - 1])) to--
  return nodes.slice(from, to).map((node, index, { length }) => {
    if (node.type !== "text") return node
    let value = node.value
    if (index === 0) value = value.trimStart()
    if (index === length - 1) value = value.trimEnd()
    return { ...node, value }
  })
}

/**
 * Pairs the tags among siblings. Tags that are unknown or not paired stay HTML nodes. It takes linear time: each node
 * moves once into the tag that contains it.
 */
export const pairTags = (siblings: ReadonlyArray<Content>): ReadonlyArray<TagContent> => {
  if (!siblings.some((node) => isTag(node) || (node.type === "paragraph" && node.children.some(isTag)))) {
    return siblings
  }
  const content: Array<TagContent> = []
  const open: Array<{ readonly tag: Tag; readonly at: number }> = []
  const counts = new Map<string, number>()
  const count = (name: string, change: number) => counts.set(name, (counts.get(name) ?? 0) + change)
  /** Removes the last open tag, which has no closing tag. */
  const abandon = () => {
    const { tag, at } = open.pop()!
    count(tag.name, -1)
    const node = content[at] as Mdast.Html
    if (voidTags.has(tag.name)) content[at] = { type: "tag", tag, open: node, close: undefined, children: [] }
  }
  for (const node of siblings.flatMap((node) =>
    node.type === "paragraph" ? splitParagraph(node) : [node]
  )) {
    const tag = node.type === "html" ? tagIn(node.value) : undefined
    if (node.type !== "html" || tag === undefined || !hasMeaning(tag)) {
      content.push(node)
    } else if (!tag.closes) {
      const isVoid = tag.name === "include" || tag.name.startsWith("@")
      if (isVoid) content.push({ type: "tag", tag, open: node, close: undefined, children: [] })
      else {
        if (open.length >= maximumOpenTags) abandonVoid()
        if (open.length < maximumOpenTags) {
          open.push({ tag, at: content.length })
          count(tag.name, 1)
        }
        content.push(node)
      }
    } else if ((counts.get(tag.name) ?? 0) > 0) {
      while (open.at(-1)!.tag.name !== tag.name) abandon()
      const { tag: opening, at } = open.pop()!
      count(tag.name, -1)
      const [first, ...children] = content.splice(at)
      content.push({ type: "tag", tag: opening, open: first as Mdast.Html, close: node, children })
    } else content.push(node)
  }
  while (open.length > 0) abandon()
  return content

  /** Closes open tags that need no closing tag, from the last one. */
  function abandonVoid() {
    while (open.length > 0 && voidTags.has(open.at(-1)!.tag.name)) abandon()
  }
}
