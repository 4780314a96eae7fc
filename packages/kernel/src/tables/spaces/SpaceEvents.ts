/** Events of spaces. Other features handle them in the same transaction. */

import type { SpaceId } from "@lectern/model/spaces"
import { transactionEvent } from "../../events/TransactionEvents.ts"

/** Published when spaces move to the trash, after they are marked as deleted. */
export const SpacesTrashed = transactionEvent<{ readonly spaces: ReadonlyArray<SpaceId> }>("SpacesTrashed")

/** Published when spaces are restored from the trash, after they are no longer marked as deleted. */
export const SpacesRestored = transactionEvent<{ readonly spaces: ReadonlyArray<SpaceId> }>("SpacesRestored")

/** Published when spaces in the trash are removed permanently, before their rows are removed. */
export const SpacesPurged = transactionEvent<{ readonly spaces: ReadonlyArray<SpaceId> }>("SpacesPurged")

/** Published when spaces move to another organization, before their rows change. */
export const SpacesTransferred = transactionEvent<{ readonly spaces: ReadonlyArray<SpaceId> }>(
  "SpacesTransferred"
)

/** Published when a copy of a space is stored, with all of its content. */
export const SpaceDuplicated = transactionEvent<{ readonly copy: SpaceId }>("SpaceDuplicated")
