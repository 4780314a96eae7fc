/** The structure of a site as a tree, and the moves in it. Pure functions, without the nodes that are displayed. */
import type {
  SiteExternalLink,
  SiteSection,
  SiteSectionGroup,
  SiteSpace,
  SiteStructure
} from "@lectern/client/fetch"
import type { TreePlace } from "../../components/TreeNode.ts"

/** An item of a structure. */
export type StructureItem =
  | { readonly kind: "group"; readonly id: string; readonly value: SiteSectionGroup }
  | { readonly kind: "section"; readonly id: string; readonly value: SiteSection }
  | { readonly kind: "space"; readonly id: string; readonly value: SiteSpace }
  | { readonly kind: "link"; readonly id: string; readonly value: SiteExternalLink }

/** An item with the items in it. */
export interface StructureNode {
  readonly item: StructureItem
  readonly children: ReadonlyArray<StructureNode>
}

const spaceNode = (value: SiteSpace): StructureNode => ({
  item: { kind: "space", id: value.id, value },
  children: []
})

const sectionNode = (value: SiteSection): StructureNode => ({
  item: { kind: "section", id: value.id, value },
  children: value.siteSpaces.map(spaceNode)
})

const groupedNode = (value: SiteSection | SiteExternalLink): StructureNode =>
  value.object === "site-external-link"
    ? { item: { kind: "link", id: value.id, value }, children: [] }
    : sectionNode(value)

const groupNode = (value: SiteSectionGroup): StructureNode => ({
  item: { kind: "group", id: value.id, value },
  children: value.children.map(groupedNode)
})

/** Returns the items of a structure as a tree. */
export const structureNodes = (structure: SiteStructure): ReadonlyArray<StructureNode> =>
  structure.type === "siteSpaces"
    ? structure.structure.map(spaceNode)
    : structure.structure.map((item) =>
        item.object === "site-section-group" ? groupNode(item) : groupedNode(item)
      )

/**
 * Returns the paths on the site at which readers find the sections and spaces, by their ids. The default section has the path of the
 * site, and a default space that of its section; the other spaces of the default section are below the segment of the section.
 */
export const readerPaths = (structure: SiteStructure): ReadonlyMap<string, string> => {
  const paths = new Map<string, string>()
  const addSpaces = (values: ReadonlyArray<SiteSpace>, own: string, segment: string): void => {
    for (const { id, path, default: isDefault } of values)
      paths.set(id, isDefault ? own : `${segment}${path}/`)
  }
  const addAll = (nodes: ReadonlyArray<StructureNode>): void => {
    for (const { item, children } of nodes) {
      if (item.kind === "section") {
        const segment = `/${item.value.path}/`
        const own = item.value.default ? "/" : segment
        paths.set(item.id, own)
        addSpaces(item.value.siteSpaces, own, segment)
      } else if (item.kind === "group") addAll(children)
    }
  }
  if (structure.type === "siteSpaces") addSpaces(structure.structure, "/", "/")
  else addAll(structureNodes(structure))
  return paths
}

interface Position {
  readonly node: StructureNode
  readonly parent: StructureNode | undefined
  readonly siblings: ReadonlyArray<StructureNode>
  readonly index: number
}

/** Returns the position of an item. */
export const findItem = (
  nodes: ReadonlyArray<StructureNode>,
  id: string,
  parent?: StructureNode
): Position | undefined => {
  for (const [index, node] of nodes.entries()) {
    if (node.item.id === id) return { node, parent, siblings: nodes, index }
    const found = findItem(node.children, id, node)
    if (found !== undefined) return found
  }
  return undefined
}

/** Returns the place of an item, to move it back there. */
export const placeOf = (nodes: ReadonlyArray<StructureNode>, id: string): TreePlace | undefined => {
  const position = findItem(nodes, id)
  return position === undefined
    ? undefined
    : { parent: position.parent?.item.id, before: position.siblings[position.index + 1]?.item.id }
}

/** A reference to an item, by its type in the API. */
export interface ItemPointer {
  readonly type: (typeof types)[StructureItem["kind"]]
  readonly id: string
}

const types = {
  group: "site-section-group",
  section: "site-section",
  space: "site-space",
  link: "site-external-link"
} as const

/** A call of the API that moves an item. */
export type MoveStep =
  | {
      readonly call: "sort"
      readonly item: ItemPointer
      readonly position: { readonly before: ItemPointer } | { readonly after: ItemPointer }
    }
  | { readonly call: "addSection"; readonly id: string; readonly group: string }
  | { readonly call: "addLink"; readonly id: string; readonly group: string }

const pointerTo = ({ kind, id }: StructureItem): ItemPointer => ({ type: types[kind], id })

/** Whether an item can be in another one, or at the top level. Spaces remain in their section. */
const accepts = (parent: StructureNode | undefined, { node, parent: current }: Position): boolean => {
  const { kind } = node.item
  if (kind === "space") return parent?.item.id === current?.item.id
  return parent === undefined || (parent.item.kind === "group" && kind !== "group")
}

/** Returns the call that moves an item to a place; `undefined` if the place does not accept it. */
export const planMove = (
  nodes: ReadonlyArray<StructureNode>,
  id: string,
  place: TreePlace
): MoveStep | undefined => {
  const position = findItem(nodes, id)
  const parent = place.parent === undefined ? undefined : findItem(nodes, place.parent)?.node
  if (position === undefined || place.before === id || !accepts(parent, position)) return undefined
  const { item } = position.node
  const siblings = (parent?.children ?? nodes).filter((sibling) => sibling.item.id !== id)
  const next = siblings.find((sibling) => sibling.item.id === place.before)?.item
  const last = siblings.at(-1)?.item
  if (next !== undefined)
    return { call: "sort", item: pointerTo(item), position: { before: pointerTo(next) } }
  if (last !== undefined) return { call: "sort", item: pointerTo(item), position: { after: pointerTo(last) } }
  if (parent === undefined) return undefined
  return { call: item.kind === "link" ? "addLink" : "addSection", id, group: parent.item.id }
}
