/** The events of import runs. */
import * as Schema from "effect/Schema"
import { ChangeRequestId } from "../change-requests/ChangeRequest.ts"
import { RevisionId } from "../content/Revision.ts"
import { OrganizationId } from "../organizations/Organization.ts"
import { resource } from "../schema/resource.ts"
import { Timestamp } from "../schema/Text.ts"
import { SpaceId } from "../spaces/Space.ts"
import { UserId } from "../users/User.ts"
import { ImportRunId } from "./ImportRun.ts"

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
