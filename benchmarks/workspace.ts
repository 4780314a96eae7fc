/** Creates the workspace of `main.ts`: an organization with spaces, and a user who may create content. */

import type { RecordsAdapter } from "@lectern/core"
import { Administration, ApiTokens, Ids, RevisionId, SpaceId, spaces, UserId, Workspace } from "@lectern/core"
import { allRecords } from "@lectern/harness"
import { Effect, Layer, Redacted } from "effect"
import { generateNKeysBetween } from "fractional-indexing"

/** The ids and the token that requests use. */
export interface Measured {
  readonly organization: string
  readonly space: string
  /** Spaces for writes. Requests alternate between them, since concurrent writes to one space wait for each other. */
  readonly spaces: ReadonlyArray<string>
  readonly token: string
}

/** Creates an organization with `count` spaces in a store. */
export const fill = (storage: Layer.Layer<RecordsAdapter, unknown>, count: number): Promise<Measured> =>
  Effect.runPromise(
    Effect.gen(function* () {
      const administration = yield* Administration
      const records = yield* allRecords
      const ids = yield* Ids
      const owner = yield* administration.createUser({ input: { email: "owner@example.com" } })
      const reader = yield* administration.createUser({ input: { email: "bench@example.com" } })
      const organization = yield* administration.createOrganization({
        administrator: owner,
        input: { title: "Measured" }
      })
      yield* administration.setMember({ organization, user: reader, input: { role: "create" } })
      const { secret } = yield* (yield* ApiTokens).create({
        input: { user: UserId.make(reader), label: "Bench" }
      })
      const keys = generateNKeysBetween(null, null, count)
      const created: Array<SpaceId> = []
      for (let from = 0; from < count; from += 1000) {
        const rows = []
        for (const [i, position] of keys.slice(from, from + 1000).entries()) {
          const id = SpaceId.make(yield* ids.next)
          created.push(id)
          rows.push({
            id,
            organization,
            title: `Space ${from + i}`,
            emoji: null,
            icon: null,
            parent: null,
            position,
            path: "/",
            defaultLevel: "inherit" as const,
            level: "inherit" as const,
            editMode: "live" as const,
            mergeRules: null,
            revision: RevisionId.make(id),
            comments: 0,
            changeRequests: 0,
            changeRequestsOpen: 0,
            changeRequestsDraft: 0,
            contentBytes: 0,
            isCounted: true,
            createdAt: "2026-01-01T00:00:00.000Z",
            updatedAt: "2026-01-01T00:00:00.000Z",
            deletedAt: null,
            gitSync: null,
            published: null
          })
        }
        yield* records.insertMany(spaces, rows)
      }
      return {
        organization,
        space: created[Math.floor(count / 2)]!,
        spaces: created.slice(0, 500),
        token: Redacted.value(secret)
      }
    }).pipe(Effect.provide(Layer.merge(Workspace.layer, Ids.layer).pipe(Layer.provide(storage))))
  )
