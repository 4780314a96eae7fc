/** Copies spaces, for the commands that duplicate a space itself or a space on a site. */

import { type Caller, type GrantedRecords, OrganizationQuotas, requireQuota } from "@lectern/access"
import { newRevision } from "@lectern/content"
import { Ids, now, TransactionEvents } from "@lectern/kernel"
import { revisions, SpaceDuplicated, type SpaceRow, spaces } from "@lectern/kernel/tables"
import { Forbidden } from "@lectern/model/errors"
import { SpaceId, titleOfCopy, withoutConnections } from "@lectern/model/spaces"
import { Context, Effect, Layer } from "effect"
import { Containers } from "../collections/Containers.ts"
import * as Siblings from "../collections/Siblings.ts"

const closedParent = new Forbidden({
  reason: "RoleTooLow",
  message:
    'You cannot create content in the parent of the space, which the copy needs. Ask an administrator of the parent for the role "create".'
})

/** A space that the caller can duplicate, as `Access.space` loads it for this action. */
export interface CopiedSpace {
  readonly space: SpaceRow
  readonly caller: Caller
  readonly records: GrantedRecords
}

const makeSpaceCopies = Effect.gen(function* () {
  const containers = yield* Containers
  const quotas = yield* OrganizationQuotas
  const ids = yield* Ids
  const events = yield* TransactionEvents

  return {
    /**
     * Stores a copy of a space directly after it, in the transaction of a command that locks the organization. Fails with `Forbidden` if the
     * caller cannot create content in the parent of the space.
     */
    copy: Effect.fnUntraced(function* ({ space, caller, records }: CopiedSpace) {
      // The response of the space contains its parent, so that `Forbidden` discloses nothing new.
      yield* containers
        .open(caller, space.parent)
        .pipe(Effect.catchTag("NotFound", () => Effect.fail(closedParent)))
      const time = yield* now
      const copy = SpaceId.make(yield* ids.next)
      const { root, git } = (yield* records.get(revisions, { id: space.revision }))!
      const revision = yield* newRevision(ids, {
        organization: space.organization,
        ...{ space: copy, type: "edits", root, git, parents: [] },
        author: caller.user,
        createdAt: time
      })
      const row: SpaceRow = {
        ...space,
        id: copy,
        ...withoutConnections,
        title: titleOfCopy(space.title),
        position: yield* Siblings.keyAfter(records, space),
        revision: revision.id,
        comments: 0,
        changeRequests: 0,
        changeRequestsOpen: 0,
        changeRequestsDraft: 0,
        // The copy has only the last versions, until it is counted.
        isCounted: false,
        createdAt: time,
        updatedAt: time
      }
      yield* requireQuota(quotas, records, row.organization, "spaces", 1)
      yield* requireQuota(quotas, records, row.organization, "bytes", row.contentBytes)
      yield* records.insert(spaces, row)
      yield* records.insert(revisions, revision)
      yield* events.publish(SpaceDuplicated, { copy })
      return row
    })
  }
})

/** The methods of {@link SpaceCopies}. */
export interface SpaceCopiesService extends Effect.Success<typeof makeSpaceCopies> {}

/** Copies spaces with their settings and their content. */
export class SpaceCopies extends Context.Service<SpaceCopies, SpaceCopiesService>()(
  "@lectern/core/SpaceCopies"
) {
  static readonly layer: Layer.Layer<SpaceCopies, never, Containers | TransactionEvents | Ids> = Layer.effect(
    SpaceCopies,
    makeSpaceCopies
  )
}
