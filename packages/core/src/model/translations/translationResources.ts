/** The events of translation settings. */
import { Schema } from "effect"
import { resource } from "../../kernel/schema/resource.ts"
import { Timestamp } from "../../kernel/schema/Text.ts"
import { resourceEvents } from "../../kernel/storage/ResourceEvents.ts"
import { OrganizationId } from "../organizations/Organization.ts"
import { TranslationId, translations } from "./Translation.ts"

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

/** The events of translation settings. */
export const translationEvents = resourceEvents("translation", "Translation settings.", translations, {
  data: TranslationEventData
})
