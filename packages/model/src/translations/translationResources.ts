/** The events of translation settings and of entries of glossaries. */
import * as Schema from "effect/Schema"
import { OrganizationId } from "../organizations/Organization.ts"
import { resource } from "../schema/resource.ts"
import { Timestamp } from "../schema/Text.ts"
import { GlossaryEntryId } from "./Glossary.ts"
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

/** The data of the events of an entry of the glossary. */
export class GlossaryEntryEventData extends resource<GlossaryEntryEventData>()(
  Schema.Struct({
    organization: OrganizationId,
    id: GlossaryEntryId,
    translations: Schema.Record(Schema.String, Schema.String),
    createdAt: Timestamp,
    updatedAt: Timestamp
  })
) {}
