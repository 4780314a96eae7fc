/** Uploads files that are pasted, dropped or chosen. A placeholder displays the progress until the file is in the text. */
import type { Node } from "prosemirror-model"
import { Plugin, PluginKey } from "prosemirror-state"
import { Decoration, DecorationSet, type EditorView } from "prosemirror-view"
import type { EditorContext } from "../context.ts"
import type { UploadedFile } from "../EditorBackend.ts"
import type { JsonObject } from "../schema/attributes.ts"
import { schema } from "../schema/schema.ts"
import { element } from "../ui/dom.ts"
import { uploadFile } from "../uploadFile.ts"

interface AddedUpload {
  readonly add: { readonly id: object; readonly position: number; readonly dom: HTMLElement }
}
interface RemovedUpload {
  readonly remove: object
}

const key = new PluginKey<DecorationSet>("lectern-uploads")

/** Creates the plugin with the placeholders of uploads. */
export const uploads = (): Plugin =>
  new Plugin<DecorationSet>({
    key,
    state: {
      init: () => DecorationSet.empty,
      apply: (transaction, set) => {
        const mapped = set.map(transaction.mapping, transaction.doc)
        const action = transaction.getMeta(key) as AddedUpload | RemovedUpload | undefined
        if (action === undefined) return mapped
        if ("remove" in action) {
          return mapped.remove(mapped.find(undefined, undefined, (spec) => spec.id === action.remove))
        }
        const { id, position, dom } = action.add
        return mapped.add(transaction.doc, [Decoration.widget(position, dom, { id, ignoreSelection: true })])
      }
    },
    props: { decorations: (state) => key.getState(state) }
  })

const nodeOf = (file: File, uploaded: UploadedFile): Node => {
  const ref = uploaded.ref as unknown as JsonObject
  const { images, image, file: fileNode } = schema.nodes
  return file.type.startsWith("image/")
    ? images!.create({ data: {} }, [image!.create({ data: { ref } })])
    : fileNode!.create({ data: { ref } })
}

const positionOf = (view: EditorView, id: object): number | undefined =>
  key.getState(view.state)?.find(undefined, undefined, (spec) => spec.id === id)[0]?.from

/** Inserts a block near a position, at the next place that permits it. */
const insertNear = (view: EditorView, position: number, node: Node): void => {
  const $position = view.state.doc.resolve(position)
  for (let depth = $position.depth; depth >= 0; depth--) {
    const child = depth < $position.depth ? $position.node(depth + 1) : undefined
    const parent = $position.node(depth)
    const index = $position.index(depth)
    const isReplaced = child?.type === schema.nodes.paragraph && child?.content.size === 0
    if (isReplaced && parent.canReplaceWith(index, index + 1, node.type)) {
      const from = $position.before(depth + 1)
      view.dispatch(view.state.tr.replaceWith(from, from + child!.nodeSize, node))
      return
    }
    const after = child === undefined ? index : index + 1
    if (parent.isTextblock || !parent.canReplaceWith(after, after, node.type)) continue
    view.dispatch(view.state.tr.insert(child === undefined ? position : $position.after(depth + 1), node))
    return
  }
}

/** Starts the upload of files, which are inserted at a position. Returns false if the backend takes no files. */
export const startUploads = (
  context: EditorContext,
  view: EditorView,
  files: ReadonlyArray<File>,
  position: number
): boolean => {
  if (context.backend?.upload === undefined || files.length === 0) return false
  for (const file of files) start(context, view, file, position)
  return true
}

const start = (context: EditorContext, view: EditorView, file: File, position: number): void => {
  const { messages } = context
  const id = {}
  const progress = element("progress", { max: "1", value: "0", "aria-label": messages.uploading(file.name) })
  const text = element("span", {}, messages.uploading(file.name))
  const dom = element("div", { class: "editor-upload", contenteditable: "false" }, text, progress)
  const remove = (): void => view.dispatch(view.state.tr.setMeta(key, { remove: id } satisfies RemovedUpload))
  const run = async (): Promise<void> => {
    dom.replaceChildren(text, progress)
    const uploaded = await uploadFile(context, file, (fraction) => {
      progress.value = fraction
    })
    if (context.signal.aborted) return
    if (uploaded === undefined) {
      const retry = element("button", { type: "button", click: () => void run() }, messages.retry)
      const cancel = element("button", { type: "button", click: remove }, messages.cancel)
      dom.replaceChildren(
        element("span", { role: "alert" }, messages.uploadFailed(file.name, "")),
        retry,
        cancel
      )
      return
    }
    const place = positionOf(view, id)
    if (place === undefined) return
    insertNear(view, place, nodeOf(file, uploaded))
    remove()
  }
  view.dispatch(view.state.tr.setMeta(key, { add: { id, position, dom } } satisfies AddedUpload))
  void run()
}
