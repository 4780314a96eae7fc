/** Adds the problems of OpenAPI specs, and when their sources were last polled. Released: do not change. */
import { Table } from "@lectern/kernel"
import type { Migration } from "../Migration.ts"
import { addColumn, addIndex } from "../SchemaChange.ts"

const { json, nullable, text } = Table

export const openApiProblemsMigration: Migration = {
  number: 20,
  name: "openapi problems",
  changes: [
    addColumn("openApiSpecs", "problems", nullable(json())),
    addColumn("openApiSpecs", "polledAt", nullable(text())),
    addIndex("openApiSpecs", ["processingState", "polledAt", "id"])
  ]
}
