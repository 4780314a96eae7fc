/** Renders blocks that refer to other content as titled links: embeds, pages, files, APIs and integrations. */
import type { Block, ContentRef, Embed, FileBlock } from "@lectern/formats/threads"
import type { Blocks } from "./blocks.ts"
import { addBox, boxContent } from "./containers.ts"
import type { Frame } from "./Flow.ts"
import type { Link, Span, Style } from "./lines.ts"
import { colors, space, styles } from "./theme.ts"

/** A block that refers to other content. */
type Reference = Extract<
  Block,
  {
    readonly type:
      | "embed"
      | "content-ref"
      | "file"
      | "swagger"
      | "openapi-operation"
      | "openapi-webhook"
      | "openapi-schemas"
      | "integration"
  }
>

/** The content of a reference: an icon, a title that is a link, and an address below it. */
interface Titled {
  readonly icon: string
  readonly title: ReadonlyArray<Span>
  readonly detail?: string | undefined
  readonly link: Link | undefined
}

const linkStyle = (link: Link | undefined): Style =>
  link === undefined ? styles.label : { ...styles.label, color: colors.link, link }

/** Adds a block that refers to other content. */
export const addReference = (blocks: Blocks, node: Reference, frame: Frame, style: Style): void => {
  switch (node.type) {
    case "embed": {
      const link = blocks.source.link({ kind: "url", url: node.data.url })
      addTitled(blocks, frame, {
        icon: "arrow-up-right-from-square",
        title: captionSpans(blocks, node, linkStyle(link)) ?? [
          { text: siteOf(node.data.url), style: linkStyle(link) }
        ],
        detail: node.data.url,
        link
      })
      return
    }
    case "content-ref": {
      const link = blocks.source.link(node.data.ref)
      const title = blocks.source.resources.links.titleOf(node.data.ref) ?? node.data.label
      const name = title ?? blocks.source.nameOf(node.data.ref)
      const isUrl = link !== undefined && "url" in link && node.data.ref.kind === "url"
      addTitled(blocks, frame, {
        icon: isUrl ? "arrow-up-right-from-square" : "file-lines",
        title: [{ text: name, style: linkStyle(link) }],
        detail: isUrl && link.url !== name ? link.url : undefined,
        link
      })
      return
    }
    case "file": {
      const { ref } = node.data
      const link = blocks.source.link(ref)
      const name = blocks.source.nameOf(ref)
      const caption = captionSpans(blocks, node, linkStyle(link))
      addTitled(blocks, frame, {
        icon: "paperclip",
        title: caption ?? [{ text: name, style: linkStyle(link) }],
        detail: caption === undefined ? undefined : name,
        link
      })
      return
    }
    case "integration":
      addIntegration(blocks, node, frame, style)
      return
    case "swagger": {
      const { method, path, ref, label } = node.data
      addApi(blocks, frame, method, path, ref, label)
      return
    }
    case "openapi-operation": {
      const { method, path, url, label, ref } = node.data
      addApi(blocks, frame, method, path, refOf(url), label ?? ref.spec)
      return
    }
    case "openapi-webhook": {
      const { method, name, url, label, ref } = node.data
      addApi(blocks, frame, method, name, refOf(url), label ?? ref.spec)
      return
    }
    case "openapi-schemas": {
      const { schemas, url, label, ref } = node.data
      addApi(blocks, frame, "schemas", schemas.join(", "), refOf(url), label ?? ref.spec)
    }
  }
}

const refOf = (url: string | undefined): ContentRef | undefined =>
  url === undefined ? undefined : { kind: "url", url }

const addApi = (
  blocks: Blocks,
  frame: Frame,
  method: string,
  path: string,
  ref: ContentRef | undefined,
  detail: string | undefined
): void => {
  const link = ref === undefined ? undefined : blocks.source.link(ref)
  const style = linkStyle(link)
  addTitled(blocks, frame, {
    icon: "code",
    title: [
      { text: `${method.toUpperCase()} `, style: { ...styles.label, face: "monoBold", size: 9.5 } },
      { text: path, style: { ...style, face: "mono", size: 9.5 } }
    ],
    detail: detail ?? (ref === undefined ? undefined : blocks.source.nameOf(ref)),
    link
  })
}

const captionSpans = (
  blocks: Blocks,
  { fragments = [] }: Embed | FileBlock,
  style: Style
): ReadonlyArray<Span> | undefined => {
  const spans = fragments.flatMap(({ nodes }) =>
    nodes.flatMap((paragraph) => blocks.inlines.toSpans(paragraph.nodes, style))
  )
  return spans.length === 0 ? undefined : spans
}

/** Returns the name of the site of an address, or the address. */
const siteOf = (address: string): string =>
  URL.canParse(address) ? new URL(address).hostname.replace(/^www\./, "") || address : address

const addTitled = (blocks: Blocks, frame: Frame, { icon, title, detail, link }: Titled): void => {
  const symbol = blocks.inlines.icon(icon, { ...styles.label, color: colors.quiet })
  const gap: Span = { text: "\u00a0\u00a0", style: styles.label }
  addBox(blocks, frame, { stroke: colors.bar }, () => {
    const inner = boxContent(frame)
    blocks.addParagraph([...symbol, ...(symbol.length > 0 ? [gap] : []), ...title], inner, styles.label)
    if (detail === undefined) return
    const style = link === undefined ? styles.caption : { ...styles.caption, link }
    blocks.addParagraph([{ text: detail, style }], inner, styles.caption)
  })
}

/** Adds a block of an integration: its name and its properties, of which the text is readable in print. */
const addIntegration = (
  blocks: Blocks,
  node: Extract<Block, { readonly type: "integration" }>,
  frame: Frame,
  style: Style
): void => {
  const { integration, block, props, url } = node.data
  const link = url === undefined ? undefined : blocks.source.link({ kind: "url", url })
  addBox(blocks, frame, { stroke: colors.bar }, () => {
    const inner = boxContent(frame)
    blocks.addParagraph([{ text: `${integration}: ${block}`, style: linkStyle(link) }], inner, styles.label)
    for (const [name, value] of Object.entries(props)) {
      blocks.flow.addGap(space.item)
      const lines = String(value).split("\n")
      const text = `${name}: ${lines.join("\n")}`
      blocks.addParagraph([{ text, style: { ...style, face: "mono", size: 8.5 } }], inner, styles.code)
    }
  })
}
