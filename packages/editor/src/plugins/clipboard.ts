/** Copies as HTML and Markdown; pastes HTML of other programs, Markdown, URLs and files. */
import { type DOMOutputSpec, DOMSerializer, Fragment, type Node, Slice } from "prosemirror-model"
import { Plugin, Selection } from "prosemirror-state"
import type { EditorView } from "prosemirror-view"
import { setLink } from "../commands/marks.ts"
import type { EditorContext } from "../context.ts"
import type { DocumentNode } from "../convert/json.ts"
import { readContent } from "../convert/readBlocks.ts"
import { writeBlock } from "../convert/writeBlocks.ts"
import { cleanHtml } from "../paste/cleanHtml.ts"
import { looksLikeMarkdown } from "../paste/markdownText.ts"
import { transformPasted } from "../paste/transformPasted.ts"
import { clipboardAttributes, dataOf, type JsonObject } from "../schema/attributes.ts"
import { isUrl } from "../schema/links.ts"
import { schema } from "../schema/schema.ts"
import { startUploads } from "./uploads.ts"

type Markdown = typeof import("../markdown.ts")

/** Adds attributes to the description of an element. */
const withAttributes = (output: DOMOutputSpec, attributes: Record<string, string>): DOMOutputSpec => {
  if (!Array.isArray(output)) return output
  const [tag, second, ...others] = output as readonly [string, ...ReadonlyArray<unknown>]
  const hasAttributes = typeof second === "object" && second !== null && !Array.isArray(second)
  return hasAttributes
    ? [tag, { ...second, ...attributes }, ...others]
    : [tag, attributes, ...(second === undefined ? [] : [second]), ...others]
}

/** Creates the serializer that adds to each element the attributes that restore its node. */
const makeSerializer = (): DOMSerializer => {
  const outputs = DOMSerializer.nodesFromSchema(schema)
  const marked = Object.entries(outputs).map(([name, output]) => [
    name,
    (node: Node) => (node.isText ? output(node) : withAttributes(output(node), clipboardAttributes(node)))
  ])
  return new DOMSerializer(Object.fromEntries(marked), DOMSerializer.marksFromSchema(schema))
}

/** Returns the blocks of a slice as JSON, for Markdown. Inline content is a paragraph. */
const blocksOf = (slice: Slice): ReadonlyArray<DocumentNode> => {
  const { content } = slice
  const isInline = content.firstChild?.isInline === true
  const blocks = isInline ? [schema.nodes.paragraph!.create(null, content)] : content.content
  return blocks.flatMap((node) => {
    if (node.type === schema.nodes.list_item)
      return [writeBlock(schema.nodes.list_unordered!.create(null, [node]))]
    return node.type.isInGroup("block") ? [writeBlock(node)] : writeParts(node)
  })
}

const writeParts = (node: Node): ReadonlyArray<DocumentNode> =>
  node.isTextblock
    ? [writeBlock(schema.nodes.paragraph!.create(null, node.content))]
    : blocksOf(new Slice(node.content, 0, 0))

const sliceOf = (nodes: unknown): Slice => {
  const content = readContent(nodes as ReadonlyArray<DocumentNode>)
  const only = content.childCount === 1 ? content.firstChild! : undefined
  return only?.type === schema.nodes.paragraph
    ? new Slice(Fragment.from(only), 1, 1)
    : new Slice(content, 0, 0)
}

const plainSlice = (text: string): Slice => {
  const paragraphs = text
    .split(/(?:\r\n?|\n)+/)
    .map((line) => schema.nodes.paragraph!.create(null, line === "" ? [] : [schema.text(line)]))
  return new Slice(Fragment.fromArray(paragraphs), 1, 1)
}

class Clipboard {
  private readonly context: EditorContext
  private markdown: Markdown | undefined

  constructor(context: EditorContext) {
    this.context = context
  }

  /** Loads the Markdown engine when the browser has time, so that copying does not wait for it. */
  preload(): void {
    const start = (): void => {
      if (!this.context.signal.aborted) this.load().catch(() => undefined)
    }
    if (typeof requestIdleCallback === "function") requestIdleCallback(start, { timeout: 5_000 })
    else setTimeout(start, 2_000)
  }

  async load(): Promise<Markdown> {
    this.markdown ??= await import("../markdown.ts")
    return this.markdown
  }

  text(slice: Slice): string {
    const plain = slice.content.textBetween(
      0,
      slice.content.size,
      "\n\n",
      (leaf) => leaf.type.spec.leafText?.(leaf) ?? ""
    )
    const only = slice.content.childCount === 1 ? slice.content.firstChild : null
    // A part of a line of code, or of a paragraph, is copied as it is.
    if (only?.type === schema.nodes.code && slice.openStart > 0) return plain
    if (this.markdown === undefined) return plain
    try {
      return this.markdown.markdownOfBlocks(blocksOf(slice)).trim()
    } catch {
      return plain
    }
  }

  handlePaste(view: EditorView, event: ClipboardEvent): boolean {
    const data = event.clipboardData
    if (data === null) return false
    const files = Array.from(data.files)
    const html = data.getData("text/html")
    const text = data.getData("text/plain")
    const { $from, from, empty } = view.state.selection
    // A spreadsheet and Word also offer an image of the copied cells or text.
    if (files.length > 0 && html === "" && text === "") return startUploads(this.context, view, files, from)
    if (onlyImage(html) && files.length > 0) return startUploads(this.context, view, files, from)
    if ($from.parent.type.spec.code === true) return false
    const url = text.trim()
    if (
      isUrl(url) &&
      !html.includes("data-pm-slice") &&
      $from.parent.inlineContent &&
      (!empty || html === "")
    ) {
      return setLink({ kind: "url", url }, url)(view.state, view.dispatch)
    }
    // Editors of code copy their text with colors.
    const isSource = html === "" || /vscode|monospace/i.test(html.slice(0, 2_000))
    if (!isSource || html.includes("data-pm-slice") || !looksLikeMarkdown(text)) return false
    void this.pasteMarkdown(view, text)
    return true
  }

  /** Replaces the selection by Markdown. Text that is typed while the engine is loaded stays after it. */
  private async pasteMarkdown(view: EditorView, text: string): Promise<void> {
    if (!view.state.selection.empty) view.dispatch(view.state.tr.deleteSelection())
    let place = view.state.selection.from
    const untrack = this.context.trackPosition(
      place,
      (next = place) => {
        place = next
      },
      -1
    )
    const slice = await this.load().then(
      ({ blocksFromMarkdown }) => sliceOf(blocksFromMarkdown(text.replace(/\r\n?/g, "\n")).nodes),
      // Text without its formatting is better than none.
      () => plainSlice(text)
    )
    untrack()
    if (this.context.signal.aborted) return
    const { doc, selection } = view.state
    const transaction = view.state.tr
    const isMoved = !selection.empty || selection.from !== place
    if (isMoved) transaction.setSelection(Selection.near(doc.resolve(Math.min(place, doc.content.size))))
    transaction.replaceSelection(slice)
    if (isMoved) transaction.setSelection(selection.map(transaction.doc, transaction.mapping))
    view.dispatch(transaction.scrollIntoView().setMeta("paste", true))
    this.importImages(view)
  }

  handleDrop(view: EditorView, event: DragEvent): boolean {
    const files = Array.from(event.dataTransfer?.files ?? [])
    const found = view.posAtCoords({ left: event.clientX, top: event.clientY })
    if (files.length === 0 || view.dragging !== null) return false
    event.preventDefault()
    return startUploads(this.context, view, files, found?.pos ?? view.state.selection.from)
  }

  /** Copies images of other websites and of the clipboard to the place of the document. */
  importImages(view: EditorView): void {
    const { backend, signal } = this.context
    const found = new Set<string>()
    view.state.doc.descendants((node) => {
      const ref = dataOf(node).ref as JsonObject | undefined
      const isImage = node.type === schema.nodes.image || node.type === schema.nodes.inline_image
      if (isImage && typeof ref?.url === "string" && /^(?:data:image\/|blob:)/.test(ref.url))
        found.add(ref.url)
    })
    if (backend?.upload === undefined) return
    for (const url of found) {
      void fetch(url)
        .then((response) => response.blob())
        .then((blob) => {
          const extension = blob.type.replace(/^image\/(?:svg\+)?|[^a-z0-9]/g, "") || "png"
          const file = new File([blob], `image.${extension}`, { type: blob.type })
          return backend.upload!(file, { signal, onProgress: () => undefined })
        })
        .then((uploaded) => replaceImage(view, url, uploaded.ref as unknown as JsonObject))
        .catch(() => this.context.announce(this.context.messages.uploadFailed("", "")))
    }
  }
}

const onlyImage = (html: string): boolean =>
  /^(?:<meta[^>]*>|<!--[\s\S]*?-->|<\/?(?:html|body)[^>]*>|\s)*<img[^>]*>(?:<!--[\s\S]*?-->|<\/?(?:html|body)[^>]*>|\s)*$/i.test(
    html
  )

const replaceImage = (view: EditorView, url: string, ref: JsonObject): void => {
  if (view.isDestroyed) return
  const transaction = view.state.tr
  view.state.doc.descendants((node, position) => {
    const data = dataOf(node)
    if ((data.ref as JsonObject | undefined)?.url !== url) return
    transaction.setNodeMarkup(position, null, { ...node.attrs, data: { ...data, ref } }, node.marks)
  })
  view.dispatch(transaction)
}

/** Creates the plugin of the clipboard. */
export const clipboard = (context: EditorContext): Plugin => {
  const state = new Clipboard(context)
  return new Plugin({
    props: {
      clipboardSerializer: makeSerializer(),
      clipboardTextSerializer: (slice) => state.text(slice),
      transformPastedHTML: cleanHtml,
      transformPasted: (slice, _, isPlain) => (isPlain ? slice : transformPasted(slice)),
      handlePaste: (view, event) => {
        const isHandled = state.handlePaste(view, event)
        if (!isHandled) setTimeout(() => !context.signal.aborted && state.importImages(view))
        return isHandled
      },
      handleDrop: (view, event) => state.handleDrop(view, event as DragEvent)
    },
    view: () => {
      state.preload()
      return {}
    }
  })
}
