/** Converts blocks to tags and the nodes between them. */

import type { Block, BlockCaption, Code, Drawing, VoidBlock } from "@lectern/model/document"
import type * as Mdast from "mdast"
import { writeAlert } from "./alerts.ts"
import { type Definitions, toPhrasing } from "./inlinesToMarkdown.ts"
import { inclusionOf, urlOf } from "./linkReferences.ts"
import { type AttributeValue, tagOf } from "./tags.ts"

type Content = Mdast.BlockContent

declare module "mdast" {
  interface HtmlData {
    /** Whether a tag opens or closes a block, next to whose content it is written without empty lines. */
    tag?: "open" | "close"
    /** Whether an empty line is written after the block, at which HTML ends. */
    isSeparate?: boolean
  }
  interface LinkData {
    /** Whether the link is written with brackets, even if it could be an autolink. */
    hasBrackets?: boolean
  }
}

/** Encloses nodes in tags. */
const enclose = (
  name: string,
  attributes: Readonly<Record<string, AttributeValue | undefined>>,
  children: ReadonlyArray<Content>
): Array<Content> => [
  { type: "html", value: tagOf(name, attributes), data: { tag: "open" } },
  ...children,
  { type: "html", value: tagOf(`end${name}`), data: { tag: "close" } }
]

const tag = (
  name: string,
  attributes: Readonly<Record<string, AttributeValue | undefined>>
): Array<Content> => [{ type: "html", value: tagOf(name, attributes) }]

/** A flag as GitBook writes it. */
const flagOf = (value: boolean | undefined): string | undefined => (value === true ? "true" : undefined)

/** A block whose tags enclose blocks. */
type TagContainer = Extract<
  Block,
  { readonly type: "hint" | "tabs" | "stepper" | "columns" | "if" | "updates" }
>

/** Converts a block whose tags enclose blocks. */
export const toContainerTags = (
  block: TagContainer,
  toContent: (blocks: ReadonlyArray<Block>) => Array<Content>
): Array<Content> => {
  switch (block.type) {
    case "hint": {
      const content = toContent(block.nodes)
      const alert = writeAlert(block, content)
      if (alert !== undefined) return [alert]
      return enclose(
        "hint",
        { style: block.data.style, icon: block.data.icon, ...block.data.attributes },
        content
      )
    }
    case "tabs":
      return enclose(
        "tabs",
        { fullWidth: flagOf(block.data?.fullWidth) },
        block.nodes.flatMap(({ data: { title, icon, attributes }, nodes }) =>
          enclose("tab", { title, icon, ...attributes }, toContent(nodes))
        )
      )
    case "stepper":
      return enclose(
        "stepper",
        {},
        block.nodes.flatMap(({ data: { icon, attributes }, nodes }) =>
          enclose("step", { icon, ...attributes }, toContent(nodes))
        )
      )
    case "columns":
      return enclose(
        "columns",
        { fullWidth: flagOf(block.data.fullWidth), ...block.data.attributes },
        block.nodes.flatMap(({ data: { width, verticalAlignment }, nodes }) =>
          enclose("column", { width: lengthOf(width), valign: verticalAlignment }, toContent(nodes))
        )
      )
    case "if": {
      const open: Content = {
        type: "html",
        value: `{% if ${block.data.expression} %}`,
        data: { tag: "open" }
      }
      const close: Content = { type: "html", value: tagOf("endif"), data: { tag: "close" } }
      return [open, ...toContent(block.nodes), close]
    }
    case "updates":
      return enclose(
        "updates",
        { format: block.data.format, ...block.data.attributes },
        block.nodes.flatMap(({ data: { date, tags, attributes }, nodes }) =>
          enclose("update", { date, tags: tags?.join(","), ...attributes }, toContent(nodes))
        )
      )
  }
}

const lengthOf = (
  length: number | { readonly unit: string; readonly value: number } | undefined
): string | undefined =>
  length === undefined
    ? undefined
    : typeof length === "number"
      ? String(length)
      : `${length.value}${length.unit}`

/** Encloses code in the tag with its title and settings, if it has any. */
export const toCodeTags = (
  { title, overflow, lineNumbers, expandable, fullWidth, attributes }: Code["data"],
  code: Mdast.Code
): Array<Content> => {
  const all = {
    title,
    overflow,
    lineNumbers: flagOf(lineNumbers),
    expandable: flagOf(expandable),
    fullWidth: flagOf(fullWidth),
    ...attributes
  }
  return Object.values(all).some((value) => value !== undefined) ? enclose("code", all, [code]) : [code]
}

/** The link that Markdown has in place of a block. */
const linkTo = (url: string, label = url): Array<Content> => [
  {
    type: "paragraph",
    children: [{ type: "link", url, children: [{ type: "text", value: label }], data: { hasBrackets: true } }]
  }
]

/** Converts a block without nodes. */
export const toVoidTags = (block: Exclude<VoidBlock, Drawing>, definitions: Definitions): Array<Content> => {
  switch (block.type) {
    case "embed": {
      const { url, fullWidth, attributes } = block.data
      return withCaption("embed", { url, fullWidth: flagOf(fullWidth), ...attributes }, block, definitions)
    }
    case "file":
      return withCaption("file", { src: urlOf(block.data.ref), ...block.data.attributes }, block, definitions)
    case "content-ref": {
      const { ref, label, attributes } = block.data
      const url = urlOf(ref)
      return enclose("content-ref", { url, ...attributes }, linkTo(url, label))
    }
    case "reusable-content":
      return [{ type: "html", value: inclusionOf(block.data.ref.reusableContent) }]
    case "swagger": {
      const { ref, path, method, expanded, fullWidth, label, attributes } = block.data
      const src = urlOf(ref)
      const flags = { expanded: flagOf(expanded), fullWidth: flagOf(fullWidth) }
      return enclose("openapi", { src, path, method, ...flags, ...attributes }, linkTo(src, label))
    }
    case "openapi-operation": {
      const { path, method, attributes } = block.data
      return openApi(block, { path, method, ...attributes })
    }
    case "openapi-webhook": {
      const { name, method, attributes } = block.data
      return openApi(block, { name, method, ...attributes })
    }
    case "openapi-schemas": {
      const { schemas, grouped, attributes } = block.data
      return openApi(block, { schemas: schemas.join(","), grouped: flagOf(grouped), ...attributes })
    }
    case "integration": {
      const { integration, block: name, props, url, fullWidth } = block.data
      return tag(`@${integration}/${name}`, { ...props, url, fullWidth: flagOf(fullWidth) })
    }
    case "math":
      return [{ type: "math", value: block.data.formula }]
  }
}

const withCaption = (
  name: string,
  attributes: Readonly<Record<string, AttributeValue | undefined>>,
  { fragments = [] }: { readonly fragments?: ReadonlyArray<BlockCaption> },
  definitions: Definitions
): Array<Content> => {
  const paragraphs = fragments
    .flatMap(({ nodes }) => nodes)
    .filter(({ nodes }) => nodes.length > 0)
    .map(({ nodes }): Content => ({ type: "paragraph", children: toPhrasing(nodes, definitions) }))
  return paragraphs.length === 0 ? tag(name, attributes) : enclose(name, attributes, paragraphs)
}

const openApi = (
  { type, data }: Extract<VoidBlock, { readonly type: `openapi-${string}` }>,
  attributes: Readonly<Record<string, AttributeValue | undefined>>
): Array<Content> => {
  const link = data.url === undefined ? [] : linkTo(data.url, data.label ?? `OpenAPI ${data.ref.spec}`)
  return enclose(type, { spec: data.ref.spec, ...attributes }, link)
}
