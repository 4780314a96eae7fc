/** The tables of the workspace name the organization of their rows, except for global ones. */
import { type Table, tables } from "@lectern/core"
import { tenantSourceOf } from "@lectern/kernel"
import { gitSyncs, searchAudiences, searchParts, searchVocabulary, spaces } from "@lectern/kernel/tables"
import { describe, expect, it } from "vitest"
import { transferredTables } from "../src/features/collections/transferContent.ts"
import { globalTables } from "./support/globalTables.ts"

/** Returns why the rows of a table do not name their organization; undefined if they do. */
const whyWithoutOrganization = ({ columns, protection }: Table.AnyTable): string | undefined => {
  const column = columns.organization
  if (column === undefined) return "has no column `organization`"
  if (column.nullable || column.kind !== "text") return "can have rows without an organization"
  return protection === undefined || protection.tenant === "organization"
    ? undefined
    : "does not limit grants to its organizations"
}

/** Whether the rows of a table belong to a space, directly or by other rows. */
const isContentOfSpace = (table: Table.AnyTable): boolean => {
  const source = tenantSourceOf(table)
  return source !== undefined && (source.table.name === spaces.name || isContentOfSpace(source.table))
}

const namesOf = (some: ReadonlyArray<Table.AnyTable>) => some.map(({ name }) => name).sort()

describe("the organization of rows", () => {
  it("is a column of every table that is not global", () => {
    const reasons = tables.flatMap((table) => {
      const reason = Object.hasOwn(globalTables, table.name) ? undefined : whyWithoutOrganization(table)
      return reason === undefined ? [] : [`${table.name} ${reason}`]
    })
    expect(reasons, "Add the column, or add the table to support/globalTables.ts with a reason.").toEqual([])
  })

  it("is not a column of the tables that are global", () => {
    const global = tables.filter(({ name }) => Object.hasOwn(globalTables, name))
    expect(namesOf(global)).toEqual(Object.keys(globalTables).sort())
    expect(global.filter((table) => whyWithoutOrganization(table) === undefined)).toEqual([])
  })

  it("is found by a reference, unless it is one itself", () => {
    const without = tables.filter(
      (table) =>
        whyWithoutOrganization(table) === undefined &&
        table.references.organization === undefined &&
        tenantSourceOf(table) === undefined
    )
    // They are inserted without a lock of the rows that they name.
    expect(namesOf(without)).toEqual(["tokenAddresses", "webhookDeliveries"])
  })

  it("moves with a space, except for rows that are removed or written again", () => {
    const moved = tables.filter(isContentOfSpace)
    const others = [gitSyncs, searchAudiences, searchParts, searchVocabulary]
    expect(namesOf([...transferredTables, ...others])).toEqual(namesOf(moved))
  })
})
