/** The events of translation settings. */
import * as Schema from "effect/Schema"
import { OrganizationId } from "../organizations/Organization.ts"
import { resource } from "../schema/resource.ts"
import { Timestamp } from "../schema/Text.ts"
import { TranslationId } from "./Translation.ts"

/** The data of the events of a translation. */
export class TranslationEventData extends resource<TranslationEventData>()(
  Schema.Struct({
    id: TranslationId,
    organization: OrganizationId,
    title: Schema.String,
    languages: Schema.Array(Schema.String),
    createdAt: Timestamp,
    updatedAt: Timestamp
  })
) {}
