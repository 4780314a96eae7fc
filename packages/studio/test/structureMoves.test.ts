/** Moves in the structure of a site: the planned calls put the item at its drop target. */
import type { SiteStructure } from "@lectern/client/fetch"
import fc from "fast-check"
import { expect, it } from "vitest"
import { type MoveStep, planMove, structureNodes } from "../src/screens/sites/structureTree.ts"

/** A structure by the names of its sections and links; a list is the group with the name of its index. */
type Model = ReadonlyArray<string | { readonly group: string; readonly sections: ReadonlyArray<string> }>

/** Whether a name is that of a link. */
const isLink = (id: string): boolean => id.startsWith("l")

const itemOf = (id: string) =>
  isLink(id)
    ? { object: "site-external-link", id, title: id, url: "https://example.com/" }
    : { object: "site-section", id, title: id, path: id, siteSpaces: [] }

const structureOf = (model: Model): SiteStructure =>
  ({
    type: "sections",
    structure: model.map((item) =>
      typeof item === "string"
        ? itemOf(item)
        : {
            object: "site-section-group",
            id: item.group,
            title: item.group,
            children: item.sections.map(itemOf)
          }
    )
  }) as unknown as SiteStructure

const idOf = (item: Model[number]): string => (typeof item === "string" ? item : item.group)

const without = (model: Model, id: string): Model =>
  model
    .filter((item) => idOf(item) !== id)
    .map((item) =>
      typeof item === "string" ? item : { ...item, sections: item.sections.filter((other) => other !== id) }
    )

const insert = <Item>(items: ReadonlyArray<Item>, item: Item, index: number): ReadonlyArray<Item> =>
  index < 0 ? [...items, item] : items.toSpliced(index, 0, item)

const typeOf = (model: Model, id: string): string =>
  model.some((item) => typeof item === "object" && item.group === id)
    ? "site-section-group"
    : isLink(id)
      ? "site-external-link"
      : "site-section"

/** Executes a call as the API documents it. */
const execute = (model: Model, step: MoveStep): Model => {
  if (step.call !== "sort") {
    expect(isLink(step.id)).toBe(step.call === "addLink")
    return without(model, step.id).map((item) =>
      typeof item === "string" || item.group !== step.group
        ? item
        : { ...item, sections: [...item.sections, step.id] }
    )
  }
  const { item, position } = step
  const moving = model.find((candidate) => idOf(candidate) === item.id) ?? item.id
  const rest = without(model, item.id)
  const sibling = "before" in position ? position.before : position.after
  expect([item.type, sibling.type]).toEqual([typeOf(model, item.id), typeOf(model, sibling.id)])
  const at = (index: number) => ("before" in position ? index : index + 1)
  const top = rest.findIndex((candidate) => idOf(candidate) === sibling.id)
  if (top >= 0) return rest.toSpliced(at(top), 0, moving)
  return rest.map((group) => {
    const inside = typeof group === "string" ? -1 : group.sections.indexOf(sibling.id)
    return typeof group === "string" || inside < 0
      ? group
      : { ...group, sections: group.sections.toSpliced(at(inside), 0, item.id) }
  })
}

/** The structure with the item at its drop target. */
const dropped = (model: Model, id: string, parent: string | undefined, before: string | undefined): Model => {
  const item = model.find((candidate) => idOf(candidate) === id) ?? id
  const rest = without(model, id)
  if (parent === undefined)
    return insert(
      rest,
      item,
      rest.findIndex((other) => idOf(other) === before)
    )
  return rest.map((group) =>
    typeof group === "string" || group.group !== parent
      ? group
      : { ...group, sections: insert(group.sections, id, group.sections.indexOf(before ?? "")) }
  )
}

const models: fc.Arbitrary<Model> = fc
  .array(fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined }), { minLength: 1, maxLength: 6 })
  .map((shape) =>
    shape.map((size, index) =>
      size === undefined
        ? `${index % 2 === 0 ? "s" : "l"}${index}`
        : {
            group: `g${index}`,
            sections: Array.from(
              { length: size },
              (_, inner) => `${inner % 2 === 0 ? "s" : "l"}${index}.${inner}`
            )
          }
    )
  )

const childrenOf = (model: Model, parent: string | undefined): ReadonlyArray<string> => {
  if (parent === undefined) return model.map(idOf)
  const group = model.find((item) => idOf(item) === parent)
  return typeof group === "object" ? group.sections : []
}

it("moves every section, link and group to every place that it can have", () => {
  fc.assert(
    fc.property(models, (model) => {
      const groups = model.filter((item) => typeof item === "object").map(({ group }) => group)
      const sections = model.flatMap((item) => (typeof item === "string" ? [item] : item.sections))
      const nodes = structureNodes(structureOf(model))
      for (const id of [...sections, ...groups]) {
        for (const parent of groups.includes(id) ? [undefined] : [undefined, ...groups]) {
          for (const before of [undefined, ...childrenOf(model, parent)]) {
            if (before === id) continue
            // The only item of the top level is where it would be moved.
            if (parent === undefined && model.length === 1 && idOf(model[0]!) === id) continue
            const step = planMove(nodes, id, { parent, before })
            expect(step).toBeDefined()
            expect(execute(model, step!)).toEqual(dropped(model, id, parent, before))
          }
        }
      }
    })
  )
})

it("moves neither a group into a group, nor a section into a section", () => {
  const nodes = structureNodes(
    structureOf(["one", { group: "a", sections: [] }, { group: "b", sections: [] }])
  )
  expect(planMove(nodes, "a", { parent: "b", before: undefined })).toBeUndefined()
  expect(planMove(nodes, "one", { parent: "one", before: undefined })).toBeUndefined()
})
