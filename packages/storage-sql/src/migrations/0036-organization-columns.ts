/**
 * Adds the organization to the tables that had it only by the rows that they refer to, and fills it in from these rows. Released: do not
 * change.
 */
import { Table } from "@lectern/kernel"
import type { Migration } from "../Migration.ts"
import { addColumn, raw, type SchemaChange } from "../SchemaChange.ts"

/** The columns that lead to the row with the organization, by table. A row is filled in before the rows that refer to it. */
const sources: ReadonlyArray<readonly [table: string, column: string, target: string]> = [
  ["changeRequests", "space", "spaces"],
  ["revisions", "space", "spaces"],
  ["pageMoves", "space", "spaces"],
  ["archivedPages", "space", "spaces"],
  ["comments", "space", "spaces"],
  ["gitSyncs", "space", "spaces"],
  ["changeRequestContributors", "changeRequest", "changeRequests"],
  ["changeRequestReviews", "changeRequest", "changeRequests"],
  ["requestedReviewers", "changeRequest", "changeRequests"],
  ["commentReplies", "comment", "comments"],
  ["commentReactions", "comment", "comments"],
  ["siteSettings", "site", "sites"],
  ["siteSectionGroups", "site", "sites"],
  ["siteSections", "site", "sites"],
  ["siteSpaces", "site", "sites"],
  ["shareLinks", "site", "sites"],
  ["siteRedirects", "site", "sites"],
  ["samlAnswers", "provider", "samlProviders"],
  ["integrationAssets", "integration", "integrations"],
  ["openApiTexts", "spec", "openApiSpecs"],
  ["openApiVersions", "spec", "openApiSpecs"]
]

const fill =
  (name: string, column: string, target: string) =>
  (table: (name: string) => string): ReadonlyArray<string> => [
    `UPDATE ${table(name)} AS "r" SET "organization" = "t"."organization" FROM ${table(target)} AS "t" WHERE "t"."id" = "r"."${column}"`
  ]

/**
 * Fills in the rows of transactions of servers of the previous version that were open when the migration started: they insert after it, without the
 * column. Transactions on SQLite do not overlap.
 */
const fillLater =
  (name: string, column: string, target: string) =>
  (table: (name: string) => string): ReadonlyArray<string> => {
    const fillRow = table(`lecternOrganization_${name}`)
    return [
      `CREATE FUNCTION ${fillRow}() RETURNS trigger LANGUAGE plpgsql AS $fill$ BEGIN ` +
        `SELECT "t"."organization" INTO new."organization" FROM ${table(target)} AS "t" WHERE "t"."id" = new."${column}"; ` +
        `RETURN new; END $fill$`,
      `CREATE TRIGGER "lecternOrganization" BEFORE INSERT ON ${table(name)} FOR EACH ROW WHEN (new."organization" = '') EXECUTE FUNCTION ${fillRow}()`
    ]
  }

const addOrganization = ([table, column, target]: (typeof sources)[number]): ReadonlyArray<SchemaChange> => [
  addColumn(table, "organization", Table.text(), { backfill: "" }),
  raw({ sqlite: fill(table, column, target), postgres: fill(table, column, target) }),
  raw({ sqlite: [], postgres: fillLater(table, column, target) })
]

export const organizationColumnsMigration: Migration = {
  number: 36,
  name: "organization columns",
  changes: sources.flatMap(addOrganization)
}
