/** The events of translation settings. */
import { Schema } from "effect"
import { resourceEvents } from "../../kernel/events/ResourceEvents.ts"
import { Timestamp } from "../../kernel/schema/Text.ts"
import { OrganizationId } from "../organizations/Organization.ts"
import { TranslationId, translations } from "./Translation.ts"

/** The events of translation settings. */
export const translationEvents = resourceEvents("translation", "Translation settings.", translations, {
  data: {
    id: TranslationId,
    organization: OrganizationId,
    title: Schema.String,
    languages: Schema.Array(Schema.String),
    createdAt: Timestamp,
    updatedAt: Timestamp
  }
})
