/** The tables `openApiSpecs`, `openApiTexts` and `openApiVersions`. */

import type {
  ProcessErrorCode,
  ProcessingState,
  SpecProblem,
  SpecSlug,
  SpecVersionId,
  SpecVisibility
} from "@lectern/model/openapi-specs"
import type { OrganizationId } from "@lectern/model/organizations"
import { Table } from "../../storage/index.ts"
import { lockedByOrganization } from "../locks/tableLocks.ts"
import { organizations } from "../organizations/organizationTables.ts"

const openApiSpecColumns = {
  id: Table.text(),
  organization: Table.text<OrganizationId>(),
  slug: Table.text<SpecSlug>(),
  sourceURL: Table.nullable(Table.text()),
  visibility: Table.text<typeof SpecVisibility.Type>(),
  processingState: Table.text<typeof ProcessingState.Type>(),
  errorCode: Table.nullable(Table.text<ProcessErrorCode>()),
  problems: Table.nullable(Table.json<ReadonlyArray<SpecProblem>>()),
  lastVersion: Table.nullable(Table.text<SpecVersionId>()),
  lastProcessedAt: Table.nullable(Table.text()),
  polledAt: Table.nullable(Table.text()),
  round: Table.integer(),
  createdAt: Table.text(),
  updatedAt: Table.text()
}

/** A row of the table `openApiSpecs`. */
export interface SpecRow extends Table.RowOf<typeof openApiSpecColumns> {}

/**
 * The table of specs. `round` counts how often processing was scheduled: results of earlier rounds are discarded.
 * `polledAt` is when reading the source URL was last scheduled or completed.
 */
export const openApiSpecs: Table.ProtectedTable<"openApiSpecs", SpecRow, "id"> = Table.makeProtected(
  "openApiSpecs",
  {
    tenant: "organization",
    columns: openApiSpecColumns,
    locking: lockedByOrganization,
    key: ["id"],
    unique: [["organization", "slug"]],
    references: { organization: { table: () => organizations, onRemove: "cascade" } },
    indexes: [
      ["organization", "id"],
      ["processingState", "polledAt"]
    ]
  }
)

const openApiTextColumns = {
  spec: Table.text(),
  organization: Table.text<OrganizationId>(),
  text: Table.text()
}

interface OpenApiTextRow extends Table.RowOf<typeof openApiTextColumns> {}

/** The table of documents of specs whose source is not a URL. */
export const openApiTexts: Table.ProtectedTable<"openApiTexts", OpenApiTextRow, "spec"> = Table.makeProtected(
  "openApiTexts",
  {
    tenant: "organization",
    columns: openApiTextColumns,
    locking: lockedByOrganization,
    key: ["spec"],
    references: { spec: { table: () => openApiSpecs, onRemove: "cascade" } }
  }
)

const openApiVersionColumns = {
  id: Table.text<SpecVersionId>(),
  organization: Table.text<OrganizationId>(),
  spec: Table.text(),
  hash: Table.text(),
  contentType: Table.text(),
  document: Table.bytes(),
  files: Table.bytes(),
  createdAt: Table.text()
}

/** A row of the table `openApiVersions`. */
export interface SpecVersionRow extends Table.RowOf<typeof openApiVersionColumns> {}

/** The table of versions: `document` as it was received, `files` as JSON of all parsed documents by name. */
export const openApiVersions: Table.ProtectedTable<"openApiVersions", SpecVersionRow, "id"> =
  Table.makeProtected("openApiVersions", {
    tenant: "organization",
    columns: openApiVersionColumns,
    locking: lockedByOrganization,
    key: ["id"],
    references: { spec: { table: () => openApiSpecs, onRemove: "cascade" } },
    indexes: [["spec", "id"]]
  })
