import { SystemGrant } from "@lectern/access"
import { defineFeature, subscribeToEvent, Where } from "@lectern/kernel"
import {
  type GitSyncRow,
  gitSyncEvents,
  gitSyncs,
  type SpaceRow,
  SpacesTransferred,
  spaces as spacesTable
} from "@lectern/kernel/tables"
import { Effect, Layer } from "effect"
import { GitProcessing } from "./GitProcessing.ts"
import { GitSync } from "./GitSync.ts"
import { GitWebhooks } from "./GitWebhooks.ts"

/** Synchronization of spaces with branches of Git repositories. */
export const gitFeature = defineFeature("git", {
  uses: ["content", "exports", "imports"],
  tables: [gitSyncs],
  events: [gitSyncEvents],
  userServices: { gitSync: GitSync },
  layer: Layer.merge(GitSync.layer, GitProcessing.layer).pipe(Layer.provide(GitWebhooks.layer)),
  jobs: Effect.map(GitProcessing, ({ handler }) => [handler]),
  subscriptions: Effect.map(
    SystemGrant.make("Ends the Git synchronization of spaces that are transferred, with its credentials."),
    ({ records }) => [
      subscribeToEvent(
        SpacesTransferred,
        Effect.fnUntraced(function* ({ spaces }) {
          yield* records.remove(gitSyncs, Where.isIn<GitSyncRow, "space">("space", spaces))
          yield* records.update(spacesTable, Where.isIn<SpaceRow, "id">("id", spaces), { gitSync: null })
        })
      )
    ]
  )
})
