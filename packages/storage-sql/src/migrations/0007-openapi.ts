/** Creates the tables of background jobs and OpenAPI specs. Released: do not change. */
import { Table } from "@lectern/kernel"
import type { Migration } from "../Migration.ts"
import { createTable } from "../SchemaChange.ts"
import { organizations } from "./0001-foundation.ts"

const { bytes, integer, json, nullable, text } = Table

const jobs = Table.make("jobs", {
  columns: {
    id: text(),
    kind: text(),
    payload: json(),
    state: text(),
    runAt: text(),
    attempts: integer(),
    error: nullable(text()),
    createdAt: text()
  },
  key: ["id"],
  indexes: [["state", "runAt"]]
})

const specs = Table.make("openApiSpecs", {
  columns: {
    id: text(),
    organization: text(),
    slug: text(),
    sourceURL: nullable(text()),
    processingState: text(),
    errorCode: nullable(text()),
    lastVersion: nullable(text()),
    lastProcessedAt: nullable(text()),
    round: integer(),
    createdAt: text(),
    updatedAt: text()
  },
  key: ["id"],
  unique: [["organization", "slug"]],
  references: { organization: { table: () => organizations, onRemove: "cascade" } },
  indexes: [["organization", "id"]]
})

const ofSpec = { table: () => specs, onRemove: "cascade" } as const

const texts = Table.make("openApiTexts", {
  columns: { spec: text(), text: text() },
  key: ["spec"],
  references: { spec: ofSpec }
})

const versions = Table.make("openApiVersions", {
  columns: {
    id: text(),
    spec: text(),
    hash: text(),
    contentType: text(),
    document: bytes(),
    files: bytes(),
    createdAt: text()
  },
  key: ["id"],
  references: { spec: ofSpec },
  indexes: [["spec", "id"]]
})

export const openApi: Migration = {
  number: 7,
  name: "openapi",
  changes: [jobs, specs, texts, versions].map(createTable)
}
