/** The handlers of the jobs that update the search index. */

import type { GrantedReader } from "@lectern/access"
import { type JobHandler, type Jobs, type StorageUnavailable, Where } from "@lectern/kernel"
import { type SpaceRow, spaces } from "@lectern/kernel/tables"
import { OrganizationId } from "@lectern/model/organizations"
import { SpaceId } from "@lectern/model/spaces"
import { Effect, Schema } from "effect"
import {
  computedJobKind,
  rebuildAllJobKind,
  reindexJobKind,
  specsJobKind,
  wordsJobKind
} from "./indexJobs.ts"

const Payload = Schema.Struct({ space: SpaceId })
const SpecsPayload = Schema.Struct({ organization: OrganizationId })

/** The updates of the index of a space that the jobs perform. */
interface IndexUpdates {
  /** Rebuilds the index, and returns the number of pages. */
  readonly rebuild: (space: SpaceId) => Effect.Effect<number, StorageUnavailable>
  /** Updates the rows of the pages that are computed from specs, and returns their number. */
  readonly rebuildComputed: (space: SpaceId) => Effect.Effect<number, StorageUnavailable>
  /** Merges some of the words of edited pages, and returns whether there are no further ones. */
  readonly mergeSomeWords: (space: SpaceId) => Effect.Effect<boolean, StorageUnavailable>
  /** Whether the space has pages that are computed from specs. */
  readonly hasComputedPages: (space: SpaceId) => Effect.Effect<boolean, StorageUnavailable>
}

/** Returns the handlers of the jobs that update the index of a space, of the spaces of an organization, and of all spaces. */
export const makeIndexHandlers = (
  records: GrantedReader,
  jobs: Jobs["Service"],
  { rebuild, rebuildComputed, mergeSomeWords, hasComputedPages }: IndexUpdates
): ReadonlyArray<JobHandler> => {
  const spaceIn = (payload: unknown): SpaceId => Schema.decodeUnknownSync(Payload)(payload).space

  /** Enqueues the same job for spaces, as jobs of their own: one that fails does not delay the others. */
  const enqueueForSpaces = (kind: string, all: ReadonlyArray<SpaceId>) =>
    Effect.forEach(all, (space) => jobs.enqueue(kind, { space }), { discard: true })

  return [
    {
      kind: reindexJobKind,
      locks: () => [],
      run: (payload) => Effect.suspend(() => Effect.as(rebuild(spaceIn(payload)), Effect.void))
    },
    {
      kind: computedJobKind,
      locks: () => [],
      run: (payload) => Effect.suspend(() => Effect.as(rebuildComputed(spaceIn(payload)), Effect.void))
    },
    {
      kind: wordsJobKind,
      locks: () => [],
      run: Effect.fnUntraced(function* (payload) {
        while (!(yield* mergeSomeWords(spaceIn(payload)))) yield* Effect.yieldNow
        return Effect.void
      })
    },
    {
      kind: specsJobKind,
      locks: () => [],
      run: Effect.fnUntraced(function* (payload) {
        const { organization } = Schema.decodeUnknownSync(SpecsPayload)(payload)
        const withComputed: Array<SpaceId> = []
        const all = yield* records.find(spaces, {
          select: ["id"],
          where: Where.eq<SpaceRow, "organization">("organization", organization)
        })
        for (const { id } of all) if (yield* hasComputedPages(id)) withComputed.push(id)
        return enqueueForSpaces(computedJobKind, withComputed)
      })
    },
    {
      kind: rebuildAllJobKind,
      run: () =>
        Effect.map(records.find(spaces, { select: ["id"] }), (all) =>
          enqueueForSpaces(
            reindexJobKind,
            all.map(({ id }) => id)
          )
        )
    }
  ]
}
