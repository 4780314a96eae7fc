/** The table of labels, and the events of its rows. */
import { lockedBySpace, type OrganizationId, resourceEvents, SpaceId, spaces, Table } from "@lectern/core"
import { Schema } from "effect"

/** Labels are deleted with their space. Their rows belong to an organization, whose other members cannot reach them by mistake. */
export const labelTable = Table.makeProtected("labels", {
  columns: {
    id: Table.text(),
    organization: Table.text<OrganizationId>(),
    space: Table.text<SpaceId>(),
    name: Table.text(),
    color: Table.text<"gray" | "red">(),
    expiresAt: Table.nullable(Table.text())
  },
  key: ["id"],
  tenant: "organization",
  unique: [["space", "name"]],
  references: { space: { table: () => spaces, onRemove: "cascade" } },
  indexes: [["space", "name"], ["expiresAt"]],
  // Commands that lock the space of a label do not wait for commands on other spaces.
  locking: lockedBySpace,
  // The second release added these columns: they are created in existing databases, with these values.
  backfill: { color: "gray", expiresAt: null }
})

/** A stored label. */
export interface LabelRow extends Table.Row<typeof labelTable> {}

/** The events `label.created`, `label.updated` and `label.deleted`, for `workspace.on`, webhooks and event streams. */
export const labelEvents = resourceEvents("label", "A label of a space.", labelTable, {
  data: Schema.Struct({ id: Schema.String, space: SpaceId, name: Schema.String })
})
