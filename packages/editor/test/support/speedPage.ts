/** Measures the editor and plain ProseMirror on the same document. */
import { TextSelection } from "prosemirror-state"
import type { EditorView } from "prosemirror-view"
import { createEditor, type EditorOptions, fromDocument } from "../../src/index.ts"
import { openPlain, plainNode } from "./plainEditor.ts"

type Document = NonNullable<EditorOptions["document"]>

const leaf = (text: string, ...types: ReadonlyArray<string>) => ({
  object: "leaf",
  text,
  marks: types.map((type) => ({ object: "mark", type }))
})
const text = (...leaves: ReadonlyArray<object>) => ({ object: "text", leaves })
const block = (type: string, nodes: ReadonlyArray<object>, data?: object) => ({
  object: "block",
  type,
  nodes,
  ...(data === undefined ? {} : { data })
})

/** A document with a number of blocks, as they are in guides. */
const makeDocument = (count: number): Document => {
  const nodes = Array.from({ length: count }, (_, index) => {
    if (index % 10 === 0) return block("heading-2", [text(leaf(`Section ${index}`))], {})
    if (index % 10 === 5)
      return block(
        "list-unordered",
        [1, 2].map((item) =>
          block("list-item", [block("paragraph", [text(leaf(`Item ${item} of ${index}`))])])
        )
      )
    if (index % 25 === 7)
      return block(
        "code",
        ["npm install", "npm test"].map((line) => block("code-line", [text(leaf(line))], {})),
        {}
      )
    const link = {
      object: "inline",
      type: "link",
      isVoid: false,
      nodes: [text(leaf("a link"))],
      data: { ref: { kind: "url", url: "https://example.com" } }
    }
    return block("paragraph", [
      text(leaf(`Paragraph ${index} has some `), leaf("bold", "bold"), leaf(" words and ")),
      link,
      text(leaf(" before its end."))
    ])
  })
  return { object: "document", data: {}, nodes } as unknown as Document
}

const parent = (): HTMLElement => document.querySelector<HTMLElement>("#editor")!

const median = (values: ReadonlyArray<number>): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!

/** The times of keys in the middle of the document, with the layout of the page. */
const measureKeys = (view: EditorView, count: number): number => {
  let position = 0
  view.state.doc.descendants((node, at) => {
    if (position === 0 && at > view.state.doc.content.size / 2 && node.type.name === "paragraph")
      position = at + 3
    return position === 0
  })
  view.focus()
  view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, position)))
  const times = Array.from({ length: count }, () => {
    const start = performance.now()
    view.dispatch(view.state.tr.insertText("x"))
    void view.dom.offsetHeight
    return performance.now() - start
  })
  return median(times)
}

/** Times in milliseconds. */
export interface Times {
  readonly open: number
  readonly key: number
}

const measureEditor = (document: Document, keys: number): Times => {
  const start = performance.now()
  const editor = createEditor(parent(), { document, drafts: null })
  void editor.view.dom.offsetHeight
  const open = performance.now() - start
  const key = measureKeys(editor.view, keys)
  void editor.destroy()
  return { open, key }
}

const measurePlain = (document: Document, keys: number): Times => {
  const json: unknown = plainNode(fromDocument(document)).toJSON()
  const start = performance.now()
  const view = openPlain(parent(), json)
  void view.dom.offsetHeight
  const open = performance.now() - start
  const key = measureKeys(view, keys)
  view.destroy()
  parent().replaceChildren()
  return { open, key }
}

declare global {
  interface Window {
    measure: (kind: "editor" | "plain", blocks: number, keys: number) => Times
  }
}

window.measure = (kind, blocks, keys) =>
  (kind === "editor" ? measureEditor : measurePlain)(makeDocument(blocks), keys)
document.documentElement.dataset.ready = ""
