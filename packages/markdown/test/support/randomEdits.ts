/** Random edits of single blocks of documents, as editors make them. */
import type { JsonDocument } from "@lectern/model/document"
import fc from "fast-check"

/** A node as JSON, which edits change in place. */
interface EditedNode {
  object?: string
  type?: string
  text?: string
  data?: Record<string, unknown>
  leaves?: Array<EditedNode>
  nodes?: Array<EditedNode>
  fragments?: Array<EditedNode>
  fragment?: string
}

/** Chooses one of a number of possibilities. */
type Choose = (count: number) => number

/** Changes a block in place. Returns false if the block has nothing that the edit applies to. */
type Edit = (block: EditedNode, choose: Choose) => boolean

/** Returns a node and its descendants that fulfill a condition. */
const nodesWhere = (node: EditedNode, isMatch: (node: EditedNode) => boolean): ReadonlyArray<EditedNode> => [
  ...(isMatch(node) ? [node] : []),
  ...[...(node.nodes ?? []), ...(node.fragments ?? []), ...(node.leaves ?? [])].flatMap((child) =>
    nodesWhere(child, isMatch)
  )
]

const applyToOne =
  (isMatch: (node: EditedNode) => boolean, change: (node: EditedNode, choose: Choose) => void): Edit =>
  (block, choose) => {
    const found = nodesWhere(block, isMatch)
    if (found.length > 0) change(found[choose(found.length)]!, choose)
    return found.length > 0
  }

const hasBlocks =
  (minimum: number) =>
  ({ type, nodes = [] }: EditedNode): boolean =>
    nodes.length >= minimum && nodes[0]?.object === "block" && type !== "code"

const copyOf = <A>(value: A): A => JSON.parse(JSON.stringify(value)) as A

const insertedTexts = [
  "x",
  " new words ",
  "*",
  "<b>",
  "$5",
  "[^1]",
  "|",
  "{% endhint %}",
  "\\",
  "`",
  ":smile:"
]

const edits: Readonly<Record<string, Edit>> = {
  insertText: applyToOne(
    ({ text, data }) => text !== undefined && text.length > 1 && data === undefined,
    (leaf, choose) => {
      const at = 1 + choose(leaf.text!.length - 1)
      leaf.text = leaf.text!.slice(0, at) + insertedTexts[choose(insertedTexts.length)] + leaf.text!.slice(at)
    }
  ),
  replaceWord: applyToOne(
    ({ text, data }) => text !== undefined && /[a-z]{3}/.test(text) && data === undefined,
    (leaf) => {
      leaf.text = leaf.text!.replace(/[a-z]{3,}/, "Other")
    }
  ),
  removeBlock: applyToOne(hasBlocks(2), ({ nodes }, choose) => void nodes!.splice(choose(nodes!.length), 1)),
  copyBlock: applyToOne(hasBlocks(1), ({ nodes }, choose) => {
    const at = choose(nodes!.length)
    nodes!.splice(at, 0, copyOf(nodes![at]!))
  }),
  moveBlock: applyToOne(hasBlocks(2), ({ nodes }, choose) => {
    const [moved] = nodes!.splice(choose(nodes!.length), 1)
    nodes!.splice(choose(nodes!.length + 1), 0, moved!)
  }),
  changeData: applyToOne(
    ({ type, data }) =>
      type === "hint" || type === "tabs-item" || type === "embed" || data?.checked !== undefined,
    ({ type, data }) => {
      if (type === "hint") data!.style = data!.style === "info" ? "danger" : "info"
      else if (type === "tabs-item") data!.title = "Other title"
      else if (type === "embed") data!.url = "https://example.com/other"
      else data!.checked = data!.checked !== true
    }
  ),
  changeRows: applyToOne(
    ({ type, data }) => type === "table" && Object.keys(data!.records as object).length > 0,
    ({ data, fragments }, choose) => {
      const records = data!.records as Record<string, { orderIndex: string; values: Record<string, unknown> }>
      const ids = Object.keys(records)
      const id = ids[choose(ids.length)]!
      if (choose(2) === 0) {
        delete records[id]
        return
      }
      const row = copyOf(records[id]!)
      row.orderIndex += "V"
      for (const [column, name] of Object.entries(row.values)) {
        const cell = fragments!.find(({ fragment }) => fragment === name)
        if (cell === undefined) continue
        row.values[column] = `copy-${column}`
        fragments!.push({ ...copyOf(cell), fragment: `copy-${column}` })
      }
      records.copy = row
    }
  ),
  changeNote: applyToOne(
    ({ type }) => type === "annotation-body",
    ({ nodes }) => void nodes!.push(copyOf(nodes![0]!))
  )
}

/** An edit of one top-level block. `at` and `choices` select the block, and the place of the edit within it. */
export interface RandomEdit {
  readonly name: string
  readonly at: number
  readonly choices: ReadonlyArray<number>
}

/** Edits of any kind. */
export const randomEdit: fc.Arbitrary<RandomEdit> = fc.record({
  name: fc.constantFrom(...Object.keys(edits)),
  at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  choices: fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), {
    minLength: 4,
    maxLength: 4
  })
})

/**
 * Applies an edit to a document. Returns the document with the index of the block that it changes; undefined if no block
 * at or after the selected one has anything that the edit applies to.
 */
export const applyEdit = (
  document: JsonDocument,
  { name, at, choices }: RandomEdit
): { readonly document: JsonDocument; readonly index: number } | undefined => {
  const edited = copyOf(document)
  let next = 0
  const choose: Choose = (count) => Math.floor((choices[next++ % choices.length] ?? 0) * count)
  for (let index = Math.floor(at * edited.nodes.length); index < edited.nodes.length; index++) {
    if (edits[name]!(edited.nodes[index] as EditedNode, choose)) return { document: edited, index }
  }
  return undefined
}
