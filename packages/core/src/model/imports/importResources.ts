/** The events of import runs. */
import { Schema } from "effect"
import { resource } from "../../kernel/schema/resource.ts"
import { Timestamp } from "../../kernel/schema/Text.ts"
import { resourceEvents } from "../../kernel/storage/ResourceEvents.ts"
import { ChangeRequestId } from "../change-requests/ChangeRequest.ts"
import { RevisionId } from "../content/Revision.ts"
import { OrganizationId } from "../organizations/Organization.ts"
import { SpaceId } from "../spaces/Space.ts"
import { UserId } from "../users/User.ts"
import { ImportRunId, importRuns } from "./ImportRun.ts"

/** The data of the events of an import run. */
export class ImportRunEventData extends resource<ImportRunEventData>()(
  Schema.Struct({
    id: ImportRunId,
    organization: OrganizationId,
    space: SpaceId,
    changeRequest: Schema.NullOr(ChangeRequestId),
    user: UserId,
    source: Schema.String,
    status: Schema.String,
    revision: Schema.NullOr(RevisionId),
    error: Schema.NullOr(Schema.String),
    startedAt: Schema.NullOr(Timestamp),
    completedAt: Schema.NullOr(Timestamp),
    createdAt: Timestamp
  })
) {}

/** The events of import runs, without their URL, which can contain credentials. */
export const importRunEvents = resourceEvents(
  "importRun",
  "An import, without its URL. Its progress changes without events.",
  importRuns,
  { data: ImportRunEventData }
)
