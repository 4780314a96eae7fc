/** The structure of a site as a tree, and the moves in it. Pure functions, without the nodes that are displayed. */
import type { SiteSection, SiteSectionGroup, SiteSpace, SiteStructure } from "@lectern/client/fetch"
import type { TreePlace } from "../../components/TreeNode.ts"

/** An item of a structure. */
export type StructureItem =
  | { readonly kind: "group"; readonly id: string; readonly value: SiteSectionGroup }
  | { readonly kind: "section"; readonly id: string; readonly value: SiteSection }
  | { readonly kind: "space"; readonly id: string; readonly value: SiteSpace }

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

const groupNode = (value: SiteSectionGroup): StructureNode => ({
  item: { kind: "group", id: value.id, value },
  children: value.sections.map(sectionNode)
})

/** Returns the items of a structure as a tree. */
export const structureNodes = (structure: SiteStructure): ReadonlyArray<StructureNode> =>
  structure.type === "siteSpaces"
    ? structure.structure.map(spaceNode)
    : structure.structure.map((item) =>
        item.object === "site-section-group" ? groupNode(item) : sectionNode(item)
      )

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

/** A call of the API that moves an item. */
export type MoveStep =
  | { readonly call: "moveSpace"; readonly id: string; readonly before: string | undefined }
  | { readonly call: "moveSection"; readonly id: string; readonly before: string | undefined }
  | {
      readonly call: "moveGroup"
      readonly id: string
      readonly before:
        | { readonly type: "site-section" | "site-section-group"; readonly id: string }
        | undefined
    }
  | { readonly call: "addToGroup"; readonly id: string; readonly group: string }
  | { readonly call: "removeFromGroup"; readonly id: string; readonly group: string }

const toEnd = ({ item }: StructureNode): MoveStep =>
  item.kind === "group"
    ? { call: "moveGroup", id: item.id, before: undefined }
    : { call: "moveSection", id: item.id, before: undefined }

/** Returns the calls that move a section before a sibling. It can only name sections, so groups that follow move after it. */
const orderSection = (
  id: string,
  before: string | undefined,
  siblings: ReadonlyArray<StructureNode>
): ReadonlyArray<MoveStep> => {
  const others = siblings.filter(({ item }) => item.id !== id)
  const index = others.findIndex(({ item }) => item.id === before)
  const next = others[index]
  if (next === undefined || next.item.kind === "section")
    return [{ call: "moveSection", id, before: next?.item.id }]
  return [{ call: "moveSection", id, before: undefined }, ...others.slice(index).map(toEnd)]
}

const moveSection = (
  nodes: ReadonlyArray<StructureNode>,
  { node, parent }: Position,
  place: TreePlace
): ReadonlyArray<MoveStep> | undefined => {
  const { id } = node.item
  const target = place.parent === undefined ? undefined : findItem(nodes, place.parent)?.node
  if (target !== undefined && target.item.kind !== "group") return undefined
  const siblings = target === undefined ? nodes : target.children
  const order = orderSection(id, place.before, siblings)
  if (target?.item.id === parent?.item.id) return order
  if (target === undefined) return [{ call: "removeFromGroup", id, group: parent!.item.id }, ...order]
  const added: MoveStep = { call: "addToGroup", id, group: target.item.id }
  return place.before === undefined ? [added] : [added, ...order]
}

/** Returns the calls that move an item to a place; `undefined` if the place does not accept it. */
export const planMove = (
  nodes: ReadonlyArray<StructureNode>,
  id: string,
  place: TreePlace
): ReadonlyArray<MoveStep> | undefined => {
  const position = findItem(nodes, id)
  if (position === undefined || place.before === id) return undefined
  const { item } = position.node
  if (item.kind === "section") return moveSection(nodes, position, place)
  if (place.parent !== position.parent?.item.id) return undefined
  if (item.kind === "space") return [{ call: "moveSpace", id, before: place.before }]
  const next = place.before === undefined ? undefined : findItem(nodes, place.before)?.node.item
  if (next === undefined) return [{ call: "moveGroup", id, before: undefined }]
  const type = next.kind === "group" ? ("site-section-group" as const) : ("site-section" as const)
  return [{ call: "moveGroup", id, before: { type, id: next.id } }]
}
