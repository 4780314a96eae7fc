/** A share link: a key by which people without an account visit a site that is only shared by links. */
import { Schema } from "effect"
import { idSchema } from "../../kernel/schema/Id.ts"
import { Timestamp, trimmed } from "../../kernel/schema/Text.ts"
import { Table } from "../../kernel/storage/index.ts"
import { type SiteId, sites } from "./Site.ts"

export const ShareLinkId = idSchema("The id of a share link.").pipe(Schema.brand("ShareLinkId"))
export type ShareLinkId = typeof ShareLinkId.Type

/** A share link, as the specification shows one. The address that it gives has its key. */
export const ShareLink = Schema.Struct({
  object: Schema.Literal("share-link"),
  id: ShareLinkId,
  createdAt: Timestamp,
  name: Schema.String,
  active: Schema.Boolean,
  urls: Schema.Struct({ published: Schema.String })
}).annotate({ identifier: "ShareLink" })
export type ShareLink = typeof ShareLink.Type

const name = trimmed({ max: 50 })

/** What a share link is made from. It works at once. */
export const CreateShareLink = Schema.Struct({ name }).annotate({ identifier: "CreateShareLink" })

/** What can be changed of a share link. */
export const UpdateShareLink = Schema.Struct({
  name: Schema.optionalKey(name),
  active: Schema.optionalKey(Schema.Boolean)
}).annotate({ identifier: "UpdateShareLink" })

/** Where share links are kept. */
export const shareLinks = Table.make("shareLinks", {
  columns: {
    id: Table.text<ShareLinkId>(),
    site: Table.text<SiteId>(),
    name: Table.text(),
    active: Table.boolean(),
    key: Table.text(),
    createdAt: Table.text()
  },
  key: ["id"],
  unique: [["key"]],
  references: { site: { table: () => sites, onRemove: "cascade" } },
  indexes: [["site", "id"]]
})
export type ShareLinkRow = Table.Row<typeof shareLinks>
