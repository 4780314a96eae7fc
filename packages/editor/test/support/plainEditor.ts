/** ProseMirror without the editor: the baseline of the benchmark. */
import { baseKeymap } from "prosemirror-commands"
import { history } from "prosemirror-history"
import { keymap } from "prosemirror-keymap"
import { Node, Schema } from "prosemirror-model"
import { EditorState } from "prosemirror-state"
import { EditorView } from "prosemirror-view"

const plainSchema = new Schema({
  nodes: {
    doc: { content: "block+" },
    paragraph: { group: "block", content: "inline*", toDOM: () => ["p", 0] },
    heading: {
      group: "block",
      content: "inline*",
      attrs: { level: { default: 1 } },
      toDOM: (node) => [`h${node.attrs.level + 1}`, 0]
    },
    code: { group: "block", content: "text*", marks: "", code: true, toDOM: () => ["pre", ["code", 0]] },
    list_unordered: { group: "block", content: "list_item+", toDOM: () => ["ul", 0] },
    list_item: { content: "block+", toDOM: () => ["li", 0] },
    text: { group: "inline" }
  },
  marks: {
    link: { attrs: { href: {} }, toDOM: ({ attrs }) => ["a", { href: attrs.href as string }, 0] },
    bold: { toDOM: () => ["strong", 0] }
  }
})

/** Returns the same document in the schema of the baseline. */
export const plainNode = (node: Node): Node => {
  if (node.isText) {
    const marks = node.marks.flatMap(({ type }) =>
      type.name === "link"
        ? [plainSchema.marks.link!.create({ href: "#" })]
        : type.name === "bold"
          ? [plainSchema.marks.bold!.create()]
          : []
    )
    return plainSchema.text(node.text!, marks)
  }
  const attrs = node.type.name === "heading" ? { level: node.attrs.level as number } : null
  return plainSchema.nodes[node.type.name]!.create(attrs, node.children.map(plainNode))
}

/** Opens a document, as JSON, in plain ProseMirror in the style of the editor. */
export const openPlain = (parent: HTMLElement, json: unknown): EditorView => {
  const mount = parent.appendChild(document.createElement("div"))
  mount.className = "lectern-editor"
  const content = mount.appendChild(document.createElement("div"))
  content.className = "content editor-content"
  const doc = Node.fromJSON(plainSchema, json)
  return new EditorView(
    { mount: content },
    { state: EditorState.create({ doc, plugins: [keymap(baseKeymap), history()] }) }
  )
}
