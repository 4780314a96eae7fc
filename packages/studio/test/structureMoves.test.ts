/** Moves in the structure of a site: the planned calls put the item at its drop target. */
import type { SiteStructure } from "@lectern/client/fetch"
import fc from "fast-check"
import { expect, it } from "vitest"
import { type MoveStep, planMove, structureNodes } from "../src/screens/sites/structureTree.ts"

/** A structure by the names of its sections; a list is the group with the name of its index. */
type Model = ReadonlyArray<string | { readonly group: string; readonly sections: ReadonlyArray<string> }>

const section = (id: string) => ({ object: "site-section", id, title: id, path: id, siteSpaces: [] })

const structureOf = (model: Model): SiteStructure =>
  ({
    type: "sections",
    structure: model.map((item) =>
      typeof item === "string"
        ? section(item)
        : {
            object: "site-section-group",
            id: item.group,
            title: item.group,
            sections: item.sections.map(section)
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

/** Executes a call as the API documents it. */
const execute = (model: Model, step: MoveStep): Model => {
  const rest = without(model, step.id)
  switch (step.call) {
    case "moveSpace":
      return model
    case "moveGroup": {
      const group = model.find((item) => idOf(item) === step.id)!
      return insert(
        rest,
        group,
        rest.findIndex((item) => idOf(item) === step.before?.id)
      )
    }
    case "addToGroup":
      return rest.map((item) =>
        typeof item === "string" || item.group !== step.group
          ? item
          : { ...item, sections: [...item.sections, step.id] }
      )
    case "removeFromGroup":
      return insert(rest, step.id, rest.findIndex((item) => idOf(item) === step.group) + 1)
    case "moveSection": {
      if (model.includes(step.id)) return insert(rest, step.id, rest.indexOf(step.before ?? ""))
      return rest.map((item, index) => {
        const before = model[index]
        if (typeof item === "string" || typeof before !== "object" || !before.sections.includes(step.id))
          return item
        const position = item.sections.indexOf(step.before ?? "")
        return { ...item, sections: insert(item.sections, step.id, position) }
      })
    }
  }
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
        ? `s${index}`
        : { group: `g${index}`, sections: Array.from({ length: size }, (_, inner) => `s${index}.${inner}`) }
    )
  )

const childrenOf = (model: Model, parent: string | undefined): ReadonlyArray<string> => {
  if (parent === undefined) return model.map(idOf)
  const group = model.find((item) => idOf(item) === parent)
  return typeof group === "object" ? group.sections : []
}

it("moves every section and every group to every place that it can have", () => {
  fc.assert(
    fc.property(models, (model) => {
      const groups = model.filter((item) => typeof item === "object").map(({ group }) => group)
      const sections = model.flatMap((item) => (typeof item === "string" ? [item] : item.sections))
      const nodes = structureNodes(structureOf(model))
      for (const id of [...sections, ...groups]) {
        for (const parent of groups.includes(id) ? [undefined] : [undefined, ...groups]) {
          for (const before of [undefined, ...childrenOf(model, parent)]) {
            if (before === id) continue
            const steps = planMove(nodes, id, { parent, before })
            expect(steps).toBeDefined()
            expect(steps!.reduce(execute, model)).toEqual(dropped(model, id, parent, before))
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
