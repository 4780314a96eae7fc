/** Events of spaces. Other features handle them in the same transaction. */

import type { SpaceId } from "@lectern/model/spaces"
import { transactionEvent } from "../../events/TransactionEvents.ts"

/** Published when spaces move to the trash, before they are marked as deleted. */
export const SpacesTrashed = transactionEvent<{ readonly spaces: ReadonlyArray<SpaceId> }>("SpacesTrashed")

/** Published when spaces move to another organization, before their rows change. */
export const SpacesTransferred = transactionEvent<{ readonly spaces: ReadonlyArray<SpaceId> }>(
  "SpacesTransferred"
)

/** Published when a copy of a space is stored, with all of its content. */
export const SpaceDuplicated = transactionEvent<{ readonly copy: SpaceId }>("SpaceDuplicated")
