/** Converts a document to Markdown (see docs/decisions/0009-content-and-revisions.md). */
import type * as Mdast from "mdast"
import type {
  Block,
  Code,
  Expandable,
  Heading,
  List,
  ListItem
} from "../../../model/content/document/Block.ts"
import type { JsonDocument } from "../../../model/content/document/Document.ts"
import type { Inline } from "../../../model/content/document/Inline.ts"
import { type Definitions, toImage, toPhrasing, toSingleLine } from "./inlinesToMarkdown.ts"
import { labelKey } from "./linkReferences.ts"
import { mathTag } from "./mathSyntax.ts"
import { stringify } from "./syntax.ts"
import { toTable } from "./tableToMarkdown.ts"
import { toCodeTags, toContainerTags, toVoidTags } from "./tagBlocksToMarkdown.ts"
import { FootnoteWriter } from "./writtenFootnotes.ts"

/** Converts a document to Markdown. For the result of `fromMarkdown`, it is the normalized input. */
export const toMarkdown = (document: JsonDocument): string => stringify(toRoot(document))

const toRoot = ({ data, nodes }: JsonDocument): Mdast.Root => {
  const definitions = new FootnoteWriter((data.footnotes ?? []).map(({ label }) => label))
  for (const definition of data.definitions ?? []) {
    const key = labelKey(definition.label)
    if (!definitions.has(key)) definitions.set(key, definition)
  }
  const children: Array<Mdast.RootContent> = toContent(nodes, definitions)
  const last = children.at(-1)
  const definitionNodes: Array<Mdast.RootContent> = [
    ...(data.footnotes ?? []).map(
      ({ label, nodes }): Mdast.FootnoteDefinition => ({
        type: "footnoteDefinition",
        identifier: label.toLowerCase(),
        label,
        children: toContent(nodes, definitions)
      })
    ),
    ...definitions.footnotes,
    ...(data.definitions ?? [])
      .filter(({ inText }) => inText !== true)
      .map(
        ({ label, url, title }): Mdast.Definition => ({
          type: "definition",
          identifier: label.toLowerCase(),
          label,
          url,
          title: title ?? null
        })
      )
  ]
  // Unclosed HTML extends to the end of the output and would include the nodes after it.
  if (last?.type === "html") children.splice(-1, 0, ...definitionNodes)
  else children.push(...definitionNodes)
  return { type: "root", children }
}

type Content = Mdast.BlockContent

const toContent = (blocks: ReadonlyArray<Block>, definitions: Definitions): Array<Content> =>
  blocks.flatMap((block): Array<Content> => {
    switch (block.type) {
      case "paragraph":
        return [{ type: "paragraph", children: withoutMathBlock(toPhrasing(block.nodes, definitions)) }]
      case "heading-1":
      case "heading-2":
      case "heading-3":
        return [toHeading(block, definitions)]
      case "divider":
        return [{ type: "thematicBreak" }]
      case "code":
        return toCode(block)
      case "images":
        return block.nodes.length === 0
          ? []
          : [
              {
                type: "paragraph",
                children: block.nodes.flatMap((image, index): Array<Mdast.PhrasingContent> => {
                  const caption = image.fragments[0]?.nodes.map((node) => textOf(node.nodes)).join(" ")
                  const node = toImage(image.data, caption, definitions)
                  return index === 0 ? [node] : [{ type: "text", value: "\n" }, node]
                })
              }
            ]
      case "table":
        return [toTable(block, definitions)]
      case "blockquote":
        return [{ type: "blockquote", children: toContent(block.nodes, definitions) }]
      case "list-ordered":
      case "list-unordered":
      case "list-tasks":
        return toList(block, definitions)
      case "hint":
      case "tabs":
      case "stepper":
      case "columns":
      case "if":
      case "updates":
        return toContainerTags(block, (blocks) => toContent(blocks, definitions))
      case "expandable":
        return toExpandable(block, definitions)
      default:
        return toVoidTags(block, definitions)
    }
  })

/** Writes a formula that is the only content of a paragraph as a tag: between dollars, it would be a block. */
const withoutMathBlock = (children: Array<Mdast.PhrasingContent>): Array<Mdast.PhrasingContent> => {
  const [first, ...others] = children
  return first?.type === "inlineMath" && others.length === 0
    ? [{ type: "html", value: mathTag(first.value) }]
    : children
}

const toHeading = ({ type, nodes, data }: Heading, definitions: Definitions): Mdast.Heading =>
  type === "heading-3"
    ? { type: "heading", depth: data.depth ?? 3, children: toSingleLine(nodes, definitions) }
    : { type: "heading", depth: type === "heading-1" ? 1 : 2, children: toPhrasing(nodes, definitions) }

const textOf = (nodes: ReadonlyArray<Inline>): string =>
  nodes
    .flatMap((node) => (node.object === "text" ? node.leaves : []))
    .map((leaf) => leaf.text)
    .join("")

const toCode = (block: Code): Array<Content> => {
  const value = block.nodes.map((line) => textOf(line.nodes)).join("\n")
  const { markdown, syntax, meta } = block.data
  if (markdown !== undefined) return [{ type: "html", value }]
  return toCodeTags(block.data, { type: "code", lang: syntax ?? null, meta: meta ?? null, value })
}

const toExpandable = ({ data, fragments }: Expandable, definitions: Definitions): Array<Content> => {
  const title = fragments.find((fragment) => fragment.fragment === "expandable-title")
  const body = fragments.find((fragment) => fragment.fragment === "expandable-body")
  const summary = title?.nodes.map(({ nodes }) => textOf(nodes)).join(" ") ?? ""
  return [
    { type: "html", value: `<details${data.open === true ? " open" : ""}>\n\n<summary>${summary}</summary>` },
    ...toContent(body?.nodes ?? [], definitions),
    { type: "html", value: "</details>" }
  ]
}

const toList = (list: List, definitions: Definitions): Array<Content> => {
  if (list.nodes.length === 0) return []
  const spread = list.nodes.some((item) => item.data?.spread === true)
  return [
    {
      type: "list",
      ordered: list.type === "list-ordered",
      start: list.type === "list-ordered" ? (list.data?.start ?? 1) : null,
      spread,
      children: list.nodes.map((item) => toItem(item, spread, definitions))
    }
  ]
}

const toItem = ({ data, nodes }: ListItem, spread: boolean, definitions: Definitions): Mdast.ListItem => {
  const children = toContent(nodes, definitions)
  const checked = data?.checked ?? null
  const [first] = children
  // The checkbox of a task must be the start of a paragraph with text.
  if (checked !== null && !(first?.type === "paragraph" && first.children.length > 0)) {
    if (first?.type === "paragraph") children.shift()
    children.unshift({ type: "paragraph", children: [{ type: "text", value: " " }] })
  }
  return { type: "listItem", spread, checked, children }
}
