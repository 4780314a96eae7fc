/** The manifest of the feature: what `createWorkspace({ features: [labelsFeature] })` adds to a workspace. */
import {
  type Check,
  defineFeature,
  examination,
  housekeepingJob,
  Records,
  SystemGrant,
  Where
} from "@lectern/core"
import { defineHttpFeature } from "@lectern/http"
import { Clock, Effect } from "effect"
import { Labels } from "./Labels.ts"
import { LabelsApi } from "./LabelsApi.ts"
import { type LabelRow, labelEvents, labelTable as labels } from "./labelTable.ts"

const named: Check = {
  name: "label-name",
  invariant: "Every label has a name.",
  source: "labelsFeature.ts"
}

/** Removes expired labels. It acts for no user: `SystemGrant` states why. */
const removeExpired = Effect.gen(function* () {
  const { records } = yield* SystemGrant.make("Removes expired labels.")
  const { transaction } = yield* Records
  return Effect.gen(function* () {
    const now = new Date(yield* Clock.currentTimeMillis).toISOString()
    const where = Where.and<LabelRow>(Where.not(Where.isNull("expiresAt")), Where.lt("expiresAt", now))
    yield* transaction(records.remove(labels, where))
  })
})

/** Labels of spaces. */
export const labelsFeature = defineFeature("labels", {
  tables: [labels],
  events: [labelEvents],
  userServices: { labels: Labels },
  layer: Labels.layer,
  examinations: [
    examination(labels, [named], (_, rows) =>
      Effect.succeed(
        rows.filter(({ name }) => name === "").map((row) => ({ check: named, row, message: "has no name" }))
      )
    )
  ],
  jobs: Effect.map(removeExpired, (work) => [housekeepingJob("labels.expire", "1 day", work)])
})

/** The operations of the feature in the HTTP API: `toNodeListener(workspace, { features: [labelsHttp] })`. */
export const labelsHttp = defineHttpFeature(
  LabelsApi,
  Effect.map(Labels, (labels) => ({
    listLabels: labels.list,
    addLabel: labels.add,
    removeLabel: labels.remove
  }))
)
