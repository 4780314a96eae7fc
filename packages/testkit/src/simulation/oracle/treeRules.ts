/** Rules for calls on spaces and collections. */
import { newSpaceState } from "../../model/state/SpaceState.ts"
import type { Item } from "../../model/state/WorkspaceModel.ts"
import { changesNothing, idOfResult, itemOf, type ModelRule } from "./ModelRule.ts"

type Kind = Item["kind"]

/** The maximum nesting of collections. */
const maximumDepth = 8

const create =
  (kind: Kind): ModelRule =>
  ({ model, user, parameters: { organization = "", input = {} } }) => {
    const { parent = null, title = "" } = input
    const isTooDeep = kind === "collection" && model.depthIn(parent) > maximumDepth
    return {
      error:
        model.membershipError(user, organization, null) ??
        model.insertionError(user, organization, parent) ??
        (isTooDeep ? "InvalidInput" : undefined),
      apply: (result) => {
        const id = idOfResult(result)
        const state = { level: "inherit", editMode: "live", deletedAt: undefined } as const
        model.addItem({ kind, id, organization, parent, title, ...state })
        if (kind === "space") model.spaceStates.set(id, newSpaceState(""))
      }
    }
  }

const update =
  (kind: Kind): ModelRule =>
  ({ model, user, parameters }) => {
    const item = itemOf(model, kind, parameters[kind])
    return {
      error: model.accessError(user, item, "create", "change"),
      apply: () => {
        if (parameters.input?.title !== undefined) item!.title = parameters.input.title
      }
    }
  }

const move =
  (kind: Kind): ModelRule =>
  ({ model, user, parameters }) => {
    const item = itemOf(model, kind, parameters[kind])
    const reached = model.accessError(user, item, "create", "change")
    if (reached !== undefined) return { error: reached, apply: changesNothing }
    const goal = model.resolveMove(user, item!, parameters.input ?? {})
    if (typeof goal === "string") return { error: goal, apply: changesNothing }
    return {
      error: undefined,
      apply: () => model.moveItem(item!, item!.organization, goal.parent, goal.index)
    }
  }

/** A removed collection leaves its spaces in its parent, at the end. */
const removeCollection: ModelRule = ({ model, user, parameters }) => {
  const item = itemOf(model, "collection", parameters.collection)
  return {
    error: model.accessError(user, item, "admin", "change"),
    apply: () => {
      const inside = model.descendantsOf(item!)
      for (const child of inside.filter(({ kind }) => kind === "space")) {
        const end = model.childIdsOf(item!.organization, item!.parent).length
        model.moveItem(child, item!.organization, item!.parent, end)
      }
      const folders = inside.filter(({ kind }) => kind === "collection")
      for (const folder of [item!, ...folders].reverse()) model.purgeItem(folder)
    }
  }
}

const removeSpace: ModelRule = ({ model, user, parameters }) => {
  const item = itemOf(model, "space", parameters.space)
  return {
    error: model.accessError(user, item, "admin", "change"),
    apply: () => model.moveToTrash(item!)
  }
}

const restoreSpace: ModelRule = ({ model, user, parameters }) => {
  const item = itemOf(model, "space", parameters.space)
  return {
    error:
      model.accessError(user, item, "admin", "restore") ??
      (item!.deletedAt === undefined ? "Conflict" : undefined),
    apply: () => {
      item!.deletedAt = undefined
    }
  }
}

const duplicateSpace: ModelRule = ({ model, user, parameters }) => {
  const item = itemOf(model, "space", parameters.space)
  const reached = model.accessError(user, item, "create", "change")
  if (reached !== undefined) return { error: reached, apply: changesNothing }
  const opens = model.insertionError(user, item!.organization, item!.parent) === undefined
  return {
    error: opens ? undefined : "Forbidden",
    apply: (result) => {
      const { id, title } = result as { readonly id: string; readonly title: string }
      const at = model.childIdsOf(item!.organization, item!.parent).indexOf(item!.id) + 1
      model.addItem({ ...item!, id, title }, at)
      model.spaceStates.set(id, newSpaceState(""))
    }
  }
}

/** The rules by operation. */
export const treeRules: Readonly<Record<string, ModelRule>> = {
  "Spaces.create": create("space"),
  "Spaces.update": update("space"),
  "Spaces.move": move("space"),
  "Spaces.remove": removeSpace,
  "Spaces.restore": restoreSpace,
  "Spaces.duplicate": duplicateSpace,
  "Collections.create": create("collection"),
  "Collections.update": update("collection"),
  "Collections.move": move("collection"),
  "Collections.remove": removeCollection,
  "Spaces.get": ({ model, user, parameters }) => ({
    error: model.accessError(user, itemOf(model, "space", parameters.space), "read", "view"),
    apply: changesNothing
  })
}
