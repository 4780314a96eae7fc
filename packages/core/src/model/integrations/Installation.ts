/** Installations: an integration at work for an organization. */
import { Schema } from "effect"
import { idSchema } from "../../kernel/schema/Id.ts"
import { mapOf } from "../../kernel/schema/MapOf.ts"
import { PageQuery } from "../../kernel/schema/Pagination.ts"
import { Timestamp, text } from "../../kernel/schema/Text.ts"
import { Table } from "../../kernel/storage/index.ts"
import { OrganizationId, organizations } from "../organizations/Organization.ts"
import { integrations } from "./Integration.ts"

export const InstallationId = idSchema("The id of an installation.").pipe(Schema.brand("InstallationId"))
export type InstallationId = typeof InstallationId.Type

const Selection = Schema.Literals(["all", "selected"])

/** What was said where it was installed: values by the names of the integration's properties. */
const Values = mapOf(Schema.Union([text({ max: 10_000 }), Schema.Finite, Schema.Boolean, Schema.Null]), {
  min: 1,
  max: 100,
  most: 100,
  called: "values"
})

const ExternalIds = Schema.Array(text({ min: 1, max: 255 })).check(
  Schema.isMaxLength(5, { message: "must be at most 5" })
)

/** An installation, as the public contract shows one. */
export const Installation = Schema.Struct({
  id: InstallationId,
  status: Schema.Literals(["active", "pending", "paused"]).annotate({
    description: "pending: something that the integration needs to know is not said yet."
  }),
  space_selection: Selection,
  site_selection: Selection,
  spaces: Schema.Int.annotate({ description: "How many spaces it works on." }),
  configuration: Values,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  urls: Schema.Struct({
    location: Schema.String,
    app: Schema.String,
    publicEndpoint: Schema.String
  }),
  externalIds: ExternalIds,
  target: Schema.Struct({ organization: OrganizationId })
}).annotate({ identifier: "IntegrationInstallation" })
export type Installation = typeof Installation.Type

/** Installs an integration for an organization. */
export const Install = Schema.Struct({ organization: OrganizationId }).annotate({
  identifier: "InstallIntegration"
})

/** What can be changed of an installation. The values that are given are put beside the others. */
export const UpdateInstallation = Schema.Struct({
  externalIds: Schema.optionalKey(ExternalIds),
  configuration: Schema.optionalKey(Values),
  space_selection: Schema.optionalKey(Selection),
  site_selection: Schema.optionalKey(Selection)
}).annotate({ identifier: "UpdateInstallation" })
export type UpdateInstallation = typeof UpdateInstallation.Type

/** What a list of installations asks for. */
export const ListInstallations = Schema.Struct({
  ...PageQuery.fields,
  /** Those that the integration gave this id. */
  externalId: Schema.optionalKey(text({ max: 255 }))
})

/** Where installations are kept. An organization has at most one of an integration. */
export const installations = Table.make("installations", {
  columns: {
    id: Table.text<InstallationId>(),
    integration: Table.text(),
    organization: Table.text<OrganizationId>(),
    spaceSelection: Table.text<typeof Selection.Type>(),
    siteSelection: Table.text<typeof Selection.Type>(),
    configuration: Table.json<typeof Values.Type>(),
    /** As lines, so that they are found. */
    externalIds: Table.text(),
    createdAt: Table.text(),
    updatedAt: Table.text()
  },
  key: ["id"],
  unique: [["integration", "organization"]],
  references: {
    integration: { table: () => integrations, onRemove: "cascade" },
    organization: { table: () => organizations, onRemove: "cascade" }
  },
  indexes: [["integration", "id"], ["organization"]]
})
export type InstallationRow = Table.Row<typeof installations>
