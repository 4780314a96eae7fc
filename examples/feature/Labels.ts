/** The service of labels: each operation with its authorization, its locks and its body. */
import {
  type AccessError,
  type Command,
  type Conflict,
  type FeatureError,
  featurePermissions,
  type Gone,
  Ids,
  Locks,
  Operations,
  type Query,
  type RoleOrGuest,
  SpaceId,
  Where
} from "@lectern/core"
import { Context, Effect, Layer, Schema } from "effect"
import { AddLabel, type Label } from "./LabelsApi.ts"
import { labelActions, labelErrors } from "./labelRules.ts"
import { type LabelRow, labelTable as labels } from "./labelTable.ts"

/** The operations of {@link Labels}. */
export interface LabelsOperations {
  /** Returns the labels of a space that the caller can read. */
  readonly list: Query<{ space: SpaceId }, ReadonlyArray<typeof Label.Type>, AccessError | Conflict | Gone>
  /** Adds a label to a space that the caller can edit. Fails if the space has a label of this name, or 100 labels. */
  readonly add: Command<
    { space: SpaceId; input: typeof AddLabel.Type },
    typeof Label.Type,
    AccessError | Conflict | Gone | FeatureError
  >
  /** Removes a label from a space whose changes the caller can review, if it exists. */
  readonly remove: Command<{ space: SpaceId; label: string }, void, AccessError | Conflict | Gone>
}

const present = ({ organization: _, ...label }: LabelRow, role: RoleOrGuest): typeof Label.Type => ({
  ...label,
  permissions: featurePermissions(labelActions.space, role)
})

const makeLabels = Effect.gen(function* () {
  const ids = yield* Ids
  const { query, command, allow } = yield* Operations

  return {
    list: query(
      "Labels.list",
      { parameters: { space: SpaceId }, authorize: allow.action(labelActions.space.list) },
      function* (_, { space, role, records }) {
        const rows = yield* records.find(labels, {
          where: Where.eq<LabelRow, "space">("space", space.id),
          orderBy: ["name"],
          limit: 100
        })
        return rows.map((row) => present(row, role))
      }
    ),

    add: command(
      "Labels.add",
      {
        parameters: { space: SpaceId, input: AddLabel },
        authorize: allow.action(labelActions.space.add),
        locks: Locks.space
      },
      function* ({ input }, { space, role, records }) {
        const where = Where.eq<LabelRow, "space">("space", space.id)
        if ((yield* records.count(labels, where)) >= 100) {
          return yield* labelErrors.TooMany.make("A space can have at most 100 labels.")
        }
        const named = Where.and<LabelRow>(where, Where.eq("name", input.name))
        if ((yield* records.count(labels, named)) > 0) {
          return yield* labelErrors.NameTaken.make(`The space has a label named "${input.name}" already.`)
        }
        const row: LabelRow = {
          id: yield* ids.next,
          organization: space.organization,
          space: space.id,
          name: input.name,
          color: input.color ?? "gray",
          expiresAt: input.expiresAt ?? null
        }
        yield* records.insert(labels, row)
        return present(row, role)
      }
    ),

    remove: command(
      "Labels.remove",
      {
        parameters: { space: SpaceId, label: Schema.String },
        authorize: allow.action(labelActions.space.remove),
        locks: ({ space }) => Locks.space({ space })
      },
      function* ({ label }, { space, records }) {
        const where = Where.and<LabelRow>(Where.eq("id", label), Where.eq("space", space.id))
        yield* records.remove(labels, where)
      }
    )
  }
})

/** Operations on labels: `workspace.as(user).labels`. */
export class Labels extends Context.Service<Labels, LabelsOperations>()("acme/Labels") {
  static readonly layer: Layer.Layer<Labels, never, Ids | Operations> = Layer.effect(Labels, makeLabels)
}
