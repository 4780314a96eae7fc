import { runs } from "@lectern/harness"
import fc from "fast-check"
import { expect, it } from "vitest"
import { findNode, isInside, moveNode, placeInDirection, type TreeNode } from "../src/components/TreeNode.ts"

/** Trees whose ids are unique. Every node can contain others. */
const trees = fc
  .array(fc.nat({ max: 30 }), { minLength: 1, maxLength: 12 })
  .map((parents): ReadonlyArray<TreeNode> => {
    const childrenOf = (parent: number): ReadonlyArray<TreeNode> =>
      parents.flatMap((value, index) => {
        const above = value % (index + 1)
        const isChild = index > 0 && above < index ? above === parent : parent === -1
        return isChild
          ? [{ id: String(index), title: String(index), canContain: true, children: childrenOf(index) }]
          : []
      })
    return childrenOf(-1)
  })

const idsOf = (nodes: ReadonlyArray<TreeNode>): ReadonlyArray<string> =>
  nodes.flatMap((node) => [node.id, ...idsOf(node.children ?? [])])

it("moves a node to the place, and keeps the order of all others", () => {
  fc.assert(
    fc.property(trees, fc.nat(), fc.nat(), fc.nat(), (nodes, source, target, position) => {
      const ids = idsOf(nodes)
      const id = ids[source % ids.length]!
      const parents = [undefined, ...ids.filter((other) => !isInside(nodes, other, id))]
      const parent = parents[target % parents.length]
      const siblings = (parent === undefined ? nodes : findNode(nodes, parent)!.node.children!).filter(
        (node) => node.id !== id
      )
      const before = siblings[position % (siblings.length + 1)]?.id
      const moved = moveNode(nodes, id, { parent, before })
      expect([...idsOf(moved)].sort()).toEqual([...ids].sort())
      const found = findNode(moved, id)!
      expect(found.parent?.id).toBe(parent)
      expect(found.siblings[found.index + 1]?.id).toBe(before)
      const rest = idsOf(moved).filter((other) => !isInside(nodes, other, id))
      expect(rest).toEqual(ids.filter((other) => !isInside(nodes, other, id)))
    }),
    runs(300)
  )
})

it("takes a move by the keyboard back by the opposite key", () => {
  const opposite = { up: "down", down: "up", in: "out" } as const
  fc.assert(
    fc.property(trees, fc.nat(), fc.constantFrom("up", "down", "in"), (nodes, source, direction) => {
      const ids = idsOf(nodes)
      const id = ids[source % ids.length]!
      const place = placeInDirection(nodes, id, direction)
      if (place === undefined) return
      const moved = moveNode(nodes, id, place)
      const back = placeInDirection(moved, id, opposite[direction])
      expect(back).toBeDefined()
      expect(moveNode(moved, id, back!)).toEqual(nodes)
    }),
    runs(300)
  )
})
