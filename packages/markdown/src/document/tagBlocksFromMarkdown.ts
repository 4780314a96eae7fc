/** Converts tags and the nodes between them to blocks. */

import type {
  Block,
  BlockCaption,
  Code,
  Column,
  Columns,
  Paragraph,
  StepperStep,
  TabsItem,
  Update
} from "@lectern/model/document"
import type * as Mdast from "mdast"
import { type Definitions, plainText, resolveTarget, toInlines } from "./inlinesFromMarkdown.ts"
import { includedContent, refOfImage, refOfLink, urlOf } from "./linkReferences.ts"
import { toCode } from "./literalsFromMarkdown.ts"
import type { TagBlock, TagContent } from "./pairTags.ts"
import { TagReader } from "./TagReader.ts"
import { quotedIn } from "./tags.ts"

/** Converts the nodes in a tag. */
export interface TagContext {
  readonly definitions: Definitions
  /** `hasImages`: whether paragraphs that consist of images become `images`. */
  readonly blocks: (children: ReadonlyArray<TagContent>, prefix: string, hasImages: boolean) => Array<Block>
  /** Receives the tags of a block in a container of tags, such as a tab. */
  readonly addRange: (item: object, open: Mdast.Html, close: Mdast.Html | undefined) => void
}

/** Returns the block of a tag, undefined if the tag or its nodes have no form in a document. */
export const toTagBlock = (node: TagBlock, key: string, context: TagContext): Block | undefined =>
  Object.hasOwn(converters, node.tag.name)
    ? converters[node.tag.name]!(node, key, context)
    : node.tag.name.startsWith("@")
      ? toIntegration(node, key)
      : undefined

type Converter = (node: TagBlock, key: string, context: TagContext) => Block | undefined

const block = <const Type extends string>(type: Type, key: string) => ({
  object: "block" as const,
  type,
  key
})

const isDefinition = ({ type }: TagContent): boolean => type === "definition" || type === "footnoteDefinition"

/** The nodes in a tag that are blocks. */
const contentOf = (node: TagBlock): ReadonlyArray<TagContent> =>
  node.children.filter((child) => !isDefinition(child))

/** Converts the tags in a container that permits only tags of one name. */
const itemsOf = <Item extends object>(
  node: TagBlock,
  name: string,
  { addRange }: TagContext,
  toItem: (child: TagBlock, index: number) => (() => Item) | undefined
): ReadonlyArray<Item> | undefined => {
  const items: Array<() => Item> = []
  for (const [index, child] of contentOf(node).entries()) {
    const item = child.type === "tag" && child.tag.name === name ? toItem(child, index) : undefined
    if (item === undefined) return undefined
    items.push(() => {
      const converted = item()
      const { open, close } = child as TagBlock
      addRange(converted, open, close)
      return converted
    })
  }
  // The ids of headings are unique, so that nodes are converted only if all tags are valid.
  return items.map((convert) => convert())
}

const toHint: Converter = (node, key, { blocks }) => {
  const reader = new TagReader(node.tag)
  const written = reader.text("style")
  const icon = reader.text("icon")
  const style = styles.find((style) => style === (written ?? "info"))
  const attributes = reader.attributes(style === undefined ? { style: written! } : {})
  if (!reader.isValid) return undefined
  return {
    ...block("hint", key),
    isVoid: false,
    data: { style: style ?? "info", ...defined({ icon, attributes }) },
    nodes: blocks(node.children, `${key}.`, false)
  }
}

const styles = ["info", "warning", "danger", "success"] as const

/** Removes the fields that are undefined. */
const defined = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: Exclude<Fields[Name], undefined>
  }

const toTabs: Converter = (node, key, context) => {
  const reader = new TagReader(node.tag)
  const fullWidth = reader.flag("fullWidth")
  reader.end()
  if (!reader.isValid) return undefined
  const nodes = itemsOf(node, "tab", context, (child, index) => {
    const tab = new TagReader(child.tag)
    const data = defined({ title: tab.text("title"), icon: tab.text("icon"), attributes: tab.attributes() })
    if (!tab.isValid) return undefined
    const itemKey = `${key}.${index}`
    return (): TabsItem => ({
      ...block("tabs-item", itemKey),
      isVoid: false,
      data,
      nodes: context.blocks(child.children, `${itemKey}.`, true)
    })
  })
  return nodes && { ...block("tabs", key), isVoid: false, data: defined({ fullWidth }), nodes }
}

const toStepper: Converter = (node, key, context) => {
  if (node.tag.rest !== "") return undefined
  const nodes = itemsOf(node, "step", context, (child, index) => {
    const step = new TagReader(child.tag)
    const data = defined({ icon: step.text("icon"), attributes: step.attributes() })
    if (!step.isValid) return undefined
    const itemKey = `${key}.${index}`
    return (): StepperStep => ({
      ...block("stepper-step", itemKey),
      isVoid: false,
      data,
      nodes: context.blocks(child.children, `${itemKey}.`, true)
    })
  })
  return nodes && { ...block("stepper", key), isVoid: false, data: {}, nodes }
}

const toColumns: Converter = (node, key, context): Columns | undefined => {
  const reader = new TagReader(node.tag)
  const data = defined({ fullWidth: reader.flag("fullWidth"), attributes: reader.attributes() })
  if (!reader.isValid) return undefined
  const nodes = itemsOf(node, "column", context, (child, index) => {
    const column = new TagReader(child.tag)
    const data = defined({
      width: column.length("width"),
      verticalAlignment: column.oneOf("valign", ["top", "middle", "bottom"])
    })
    column.end()
    if (!column.isValid) return undefined
    const itemKey = `${key}.${index}`
    return (): Column => ({
      ...block("column", itemKey),
      isVoid: false,
      data,
      nodes: context.blocks(child.children, `${itemKey}.`, true)
    })
  })
  return nodes && { ...block("columns", key), isVoid: false, data, nodes }
}

const toUpdates: Converter = (node, key, context) => {
  const reader = new TagReader(node.tag)
  const data = defined({ format: reader.text("format"), attributes: reader.attributes() })
  if (!reader.isValid) return undefined
  const nodes = itemsOf(node, "update", context, (child, index) => {
    const update = new TagReader(child.tag)
    const data = defined({
      date: update.text("date"),
      tags: update.list("tags"),
      attributes: update.attributes()
    })
    if (!update.isValid) return undefined
    const itemKey = `${key}.${index}`
    return (): Update => ({
      ...block("update", itemKey),
      isVoid: false,
      data,
      nodes: context.blocks(child.children, `${itemKey}.`, true)
    })
  })
  return nodes && { ...block("updates", key), isVoid: false, data, nodes }
}

const toIf: Converter = (node, key, { blocks }) => {
  const expression = node.tag.rest
  // The contract has no alternatives: without them, visitors would see the blocks of all of them.
  const hasAlternatives = node.children.some(
    (child) => child.type === "html" && /^\{%-?\s*(?:else|elsif|elseif)\b/.test(child.value)
  )
  if (expression === "" || expression.includes("\n") || hasAlternatives) return undefined
  return {
    ...block("if", key),
    isVoid: false,
    data: { expression },
    nodes: blocks(node.children, `${key}.`, true)
  }
}

const toTitledCode: Converter = (node, key): Code | undefined => {
  const [child, ...others] = contentOf(node)
  const reader = new TagReader(node.tag)
  const data = defined({
    title: reader.text("title"),
    overflow: reader.oneOf("overflow", ["scroll", "wrap"]),
    lineNumbers: reader.flag("lineNumbers"),
    expandable: reader.flag("expandable"),
    fullWidth: reader.flag("fullWidth"),
    attributes: reader.attributes()
  })
  if (!reader.isValid || others.length > 0 || child?.type !== "code") return undefined
  return toCode(child.value, { ...languageOf(child), ...data }, key)
}

/** The language of a code block and the rest of the line of its fence. */
export const languageOf = ({ lang, meta }: Mdast.Code): Pick<Code["data"], "syntax" | "meta"> => ({
  ...(lang ? { syntax: lang } : {}),
  ...(meta ? { meta } : {})
})

/** The paragraphs of a caption; undefined if a tag contains other nodes. */
const captionOf = (
  node: TagBlock,
  key: string,
  { definitions }: TagContext
): ReadonlyArray<BlockCaption> | undefined => {
  const children = contentOf(node)
  const paragraphs = children.filter((child) => child.type === "paragraph")
  if (paragraphs.length < children.length) return undefined
  if (paragraphs.length === 0) return []
  const captionKey = `${key}.caption`
  const nodes = paragraphs.map((child, index): Paragraph => {
    const paragraphKey = `${captionKey}.${index}`
    return {
      ...block("paragraph", paragraphKey),
      isVoid: false,
      nodes: toInlines(child.children, paragraphKey, definitions)
    }
  })
  return [{ object: "fragment", key: captionKey, fragment: "caption", nodes }]
}

const toEmbed: Converter = (node, key, context) => {
  const reader = new TagReader(node.tag)
  const url = reader.text("url")
  const data = defined({ fullWidth: reader.flag("fullWidth"), attributes: reader.attributes() })
  const fragments = captionOf(node, key, context)
  if (!reader.isValid || url === undefined || fragments === undefined) return undefined
  return {
    ...block("embed", key),
    isVoid: true,
    data: { url, ...data },
    ...(fragments.length === 0 ? {} : { fragments })
  }
}

const toFile: Converter = (node, key, context) => {
  const reader = new TagReader(node.tag)
  const src = reader.text("src")
  const attributes = reader.attributes()
  const fragments = captionOf(node, key, context)
  if (!reader.isValid || src === undefined || fragments === undefined) return undefined
  return {
    ...block("file", key),
    isVoid: true,
    data: { ref: refOfImage(src), ...defined({ attributes }) },
    ...(fragments.length === 0 ? {} : { fragments })
  }
}

/** The link that Markdown has in place of a block; undefined if a tag contains other nodes, null without nodes. */
const linkIn = (node: TagBlock, { definitions }: TagContext) => {
  const [child, ...others] = contentOf(node)
  if (child === undefined) return null
  const [link, ...siblings] = child.type === "paragraph" ? child.children : []
  if (others.length > 0 || siblings.length > 0) return undefined
  if (link?.type !== "link" && link?.type !== "linkReference") return undefined
  const label = plainText(toInlines(link.children, "", definitions))
    .replace(/\s+/g, " ")
    .trim()
  return { url: resolveTarget(link, definitions).url, label }
}

/** The label of a link, unless it is the default. */
const labelUnless = (byDefault: string, label: string | undefined) =>
  label === undefined || label === "" || label === byDefault ? undefined : label

const toContentRef =
  (attribute: string): Converter =>
  (node, key, context) => {
    const reader = new TagReader(node.tag)
    const url = reader.text(attribute)
    const attributes = reader.attributes()
    const link = linkIn(node, context)
    if (!reader.isValid || url === undefined || link === undefined) return undefined
    const ref = refOfLink(url)
    const label = labelUnless(urlOf(ref), link?.label)
    return { ...block("content-ref", key), isVoid: true, data: { ref, ...defined({ label, attributes }) } }
  }

const toSwagger: Converter = (node, key, context) => {
  const reader = new TagReader(node.tag)
  const [src, path, method] = [reader.text("src"), reader.text("path"), reader.text("method")]
  const flags = { expanded: reader.flag("expanded"), fullWidth: reader.flag("fullWidth") }
  const attributes = reader.attributes()
  const link = linkIn(node, context)
  if (!reader.isValid || link === undefined || src === undefined || path === undefined || !method) return
  const ref = refOfImage(src)
  const label = labelUnless(urlOf(ref), link?.label)
  return {
    ...block("swagger", key),
    isVoid: true,
    data: { ref, path, method, ...defined({ ...flags, label, attributes }) }
  }
}

/** The fields of a block that refers to an OpenAPI specification. */
const openApiOf = (node: TagBlock, reader: TagReader, context: TagContext) => {
  const spec = reader.text("spec")
  const attributes = reader.attributes()
  const link = linkIn(node, context)
  if (!reader.isValid || !spec || link === undefined) return undefined
  const url = link?.url || undefined
  const label = labelUnless(`OpenAPI ${spec}`, link?.label)
  return {
    ref: { kind: "openapi" as const, spec },
    ...defined({ url, label: url === undefined ? undefined : label, attributes })
  }
}

const toOperation: Converter = (node, key, context) => {
  const reader = new TagReader(node.tag)
  const [path, method] = [reader.text("path"), reader.text("method")]
  const data = openApiOf(node, reader, context)
  if (data === undefined || path === undefined || !method) return undefined
  return { ...block("openapi-operation", key), isVoid: true, data: { ...data, path, method } }
}

const toWebhook: Converter = (node, key, context) => {
  const reader = new TagReader(node.tag)
  const [name, method] = [reader.text("name"), reader.text("method")]
  const data = openApiOf(node, reader, context)
  if (data === undefined || name === undefined || !method) return undefined
  return { ...block("openapi-webhook", key), isVoid: true, data: { ...data, name, method } }
}

const toSchemas: Converter = (node, key, context) => {
  const reader = new TagReader(node.tag)
  const [schemas, grouped] = [reader.list("schemas") ?? [], reader.flag("grouped")]
  const data = openApiOf(node, reader, context)
  if (data === undefined) return undefined
  return {
    ...block("openapi-schemas", key),
    isVoid: true,
    data: { ...data, schemas, ...defined({ grouped }) }
  }
}

const toInclusion: Converter = ({ tag }, key) => {
  const path = quotedIn(tag.rest)
  const id = path === undefined ? undefined : includedContent(path)
  if (id === undefined) return undefined
  const ref = { kind: "reusable-content" as const, reusableContent: id }
  return { ...block("reusable-content", key), isVoid: true, data: { ref } }
}

const toIntegration = ({ tag }: TagBlock, key: string): Block | undefined => {
  const [, integration, name] = /^@([A-Za-z0-9][\w.-]{0,63})\/([A-Za-z0-9][\w.-]{0,63})$/.exec(tag.name) ?? []
  if (integration === undefined || name === undefined) return undefined
  const reader = new TagReader(tag)
  const data = defined({ url: reader.text("url"), fullWidth: reader.flag("fullWidth") })
  const props = reader.attributes() ?? {}
  if (!reader.isValid) return undefined
  return { ...block("integration", key), isVoid: true, data: { integration, block: name, props, ...data } }
}

const converters: Readonly<Record<string, Converter>> = {
  hint: toHint,
  tabs: toTabs,
  stepper: toStepper,
  columns: toColumns,
  updates: toUpdates,
  if: toIf,
  code: toTitledCode,
  embed: toEmbed,
  file: toFile,
  "content-ref": toContentRef("url"),
  "page-ref": toContentRef("page"),
  openapi: toSwagger,
  swagger: toSwagger,
  "openapi-operation": toOperation,
  "openapi-webhook": toWebhook,
  "openapi-schemas": toSchemas,
  include: toInclusion
}
