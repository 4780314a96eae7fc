/** Corruption of timestamps, of fields of resources, and of the signing secret. */
import { tables } from "@lectern/core"
import { Effect } from "effect"
import { type CorruptionCase, deleteFirst, findRows, updateFirst } from "./rows.ts"

/** The checks that compare the values of these columns, too. */
const alsoReported: Readonly<Record<string, string>> = {
  "spaces.deletedAt": "space-published",
  "comments.resolvedAt": "comment-resolution",
  "teams.title": "team-search-text",
  "sites.title": "site-search-text"
}

const timestampCases: ReadonlyArray<CorruptionCase> = tables.flatMap(({ name, columns, key }) =>
  Object.keys(columns)
    .filter((column) => column.endsWith("At") && !key.includes(column))
    .map((column): CorruptionCase => {
      const also = alsoReported[`${name}.${column}`]
      return {
        check: "timestamps",
        ...(also === undefined ? {} : { alsoReportedBy: [also] }),
        // Tables without rows in the sample have nothing to corrupt: another table is corrupted instead.
        corrupt: () =>
          Effect.flatMap(findRows(name), (rows) =>
            rows.length > 0
              ? updateFirst(name, {}, { [column]: "not a date" })
              : updateFirst("users", {}, { createdAt: "not a date" })
          )
      }
    })
)

const deleteSecret = () =>
  Effect.andThen(
    updateFirst("integrations", {}, { secrets: { token: "encrypted" } }),
    deleteFirst("secrets", {})
  )

export const storedValueCases: ReadonlyArray<CorruptionCase> = [
  ...timestampCases,
  ...["organizations", "teams", "sites", "translations"].map((table): CorruptionCase => {
    const also = alsoReported[`${table}.title`]
    return {
      check: "stored-fields",
      ...(also === undefined ? {} : { alsoReportedBy: [also] }),
      corrupt: () => updateFirst(table, {}, { title: "" })
    }
  }),
  { check: "signing-secret", corrupt: deleteSecret }
]
