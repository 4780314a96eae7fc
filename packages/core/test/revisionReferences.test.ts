/** The columns that retention of revisions reads. */
import { tables } from "@lectern/core"
import { expect, it } from "vitest"
import { revisionColumns } from "../src/features/content/revisionReferences.ts"

it("reads every column of a table that contains the id of a revision", () => {
  const declared = tables.flatMap(({ name, columns }) =>
    Object.keys(columns)
      .filter((column) => /revision|pushBase/i.test(column))
      .map((column) => `${name}.${column}`)
  )
  const read = revisionColumns.flatMap(({ table, columns }) =>
    columns.map((column) => `${table.name}.${column}`)
  )
  expect(declared.sort()).toEqual(read.sort())
})
