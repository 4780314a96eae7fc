/** The workspace that is measured: an organization with spaces, and somebody who may read them. */

import type { RecordsAdapter } from "@lectern/core"
import { Administration, ApiTokens, Ids, RevisionId, SpaceId, spaces, UserId, Workspace } from "@lectern/core"
import { allRecords } from "@lectern/harness"
import { Effect, Layer, Redacted } from "effect"
import { generateNKeysBetween } from "fractional-indexing"

/** What the measured requests name. */
export interface Measured {
  readonly organization: string
  readonly space: string
  /** Spaces to write to: of many, for who writes to one and the same waits for the others. */
  readonly spaces: ReadonlyArray<string>
  readonly token: string
}

/** Fills a store with so many spaces. */
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
      const made: Array<SpaceId> = []
      for (let from = 0; from < count; from += 1000) {
        const rows = []
        for (const [i, position] of keys.slice(from, from + 1000).entries()) {
          const id = SpaceId.make(yield* ids.next)
          made.push(id)
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
            revision: RevisionId.make(id),
            comments: 0,
            changeRequests: 0,
            changeRequestsOpen: 0,
            changeRequestsDraft: 0,
            createdAt: "2026-01-01T00:00:00.000Z",
            updatedAt: "2026-01-01T00:00:00.000Z",
            deletedAt: null,
            published: null
          })
        }
        yield* records.insertMany(spaces, rows)
      }
      return {
        organization,
        space: made[Math.floor(count / 2)]!,
        spaces: made.slice(0, 500),
        token: Redacted.value(secret)
      }
    }).pipe(Effect.provide(Layer.merge(Workspace.layer, Ids.layer).pipe(Layer.provide(storage))))
  )
