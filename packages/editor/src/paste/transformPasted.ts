/** Converts pasted content to the form of documents: tables with columns, images as blocks, blocks that cells can contain. */
import { Fragment, type Node, Slice } from "prosemirror-model"
import { withoutKey } from "../schema/attributes.ts"
import { schema } from "../schema/schema.ts"

const { nodes } = schema

/** Returns a table whose first row is the row of columns, with ordinary cells in the other rows. */
const withColumns = (table: Node): Node => {
  const rows = table.children.map((row, index) => {
    const type = index === 0 ? nodes.table_header! : nodes.table_cell!
    const cells = row.children.map((cell) =>
      cell.type === type ? cell : type.create({ fragment: null, isAbsent: false }, cellContent(cell))
    )
    return row.type.create(row.attrs, cells)
  })
  return table.type.create(table.attrs.data === null ? { data: { view: newView } } : table.attrs, rows)
}

const newView = { type: "grid", columns: [], hideHeader: false }

const cellContent = (cell: Node): Fragment =>
  cell.firstChild?.type === nodes.cell_value ? Fragment.from(nodes.paragraph!.create()) : cell.content

/** A paragraph with nothing but images is a block of images. */
const asImages = (paragraph: Node): Node | undefined => {
  const images: Array<Node> = []
  let isOther = paragraph.childCount === 0
  paragraph.forEach((child) => {
    if (child.type === nodes.inline_image && !child.marks.some(({ type }) => type.name === "link")) {
      images.push(nodes.image!.create({ data: child.attrs.data }))
    } else if (!child.isText || child.text?.trim() !== "") isOther = true
  })
  return isOther ? undefined : nodes.images!.create({ data: {} }, images)
}

const attributesOf = ({ attrs }: Node): Node["attrs"] =>
  attrs.rest == null ? attrs : { ...attrs, rest: withoutKey(attrs.rest), exact: null }

const transform = (node: Node, isTop: boolean): Node => {
  if (node.isText) return node
  if (node.type === nodes.paragraph && isTop) {
    const images = asImages(node)
    if (images !== undefined) return images
  }
  const content = Fragment.fromArray(
    node.children.map((child) => transform(child, node.type.name !== "list_item"))
  )
  const copy = node.type.create(
    attributesOf(node),
    node.type.validContent(content) ? content : node.content,
    node.marks
  )
  return copy.type === nodes.table ? withColumns(copy) : copy
}

/** Transforms pasted content. */
export const transformPasted = (slice: Slice): Slice => {
  const content = Fragment.fromArray(
    slice.content.content.map((node) => transform(node, slice.openStart === 0))
  )
  const isSame = content.childCount === slice.content.childCount
  const isOpen = (child: Node | null | undefined, before: Node | null | undefined): boolean =>
    child?.type === before?.type
  return isSame &&
    isOpen(content.firstChild, slice.content.firstChild) &&
    isOpen(content.lastChild, slice.content.lastChild)
    ? new Slice(content, slice.openStart, slice.openEnd)
    : new Slice(content, 0, 0)
}
