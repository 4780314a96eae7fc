/** All that a doctor checks, in the order in which it does: what follows from something comes behind it. */
import type { Table } from "../../kernel/storage/index.ts"
import { tables } from "../tables.ts"
import { type Check, type Examination, readable } from "./Check.ts"
import * as ChangeRequests from "./checks/changeRequests.ts"
import * as Collections from "./checks/collections.ts"
import * as Comments from "./checks/comments.ts"
import * as Content from "./checks/content.ts"
import * as Grants from "./checks/grants.ts"
import * as Integrations from "./checks/integrations.ts"
import * as Jobs from "./checks/jobs.ts"
import * as OpenApi from "./checks/openapi.ts"
import * as Organizations from "./checks/organizations.ts"
import * as People from "./checks/people.ts"
import { declaredOf } from "./checks/references.ts"
import * as Search from "./checks/search.ts"
import * as SiteStructures from "./checks/siteStructure.ts"
import * as Sites from "./checks/sites.ts"
import * as Spaces from "./checks/spaces.ts"

/** A table that is gone through once, for all that looks at it. */
export interface Scan {
  /** What is looked at, as an operator is told. */
  readonly what: string
  readonly over: Table.AnyTable
  readonly examinations: ReadonlyArray<Examination>
}

const ofRows: ReadonlyArray<Examination> = [
  ...tables.flatMap((table) => declaredOf(table) ?? []),
  ...Organizations.all,
  ...People.all,
  ...Grants.all,
  ...Collections.all,
  ...Spaces.all,
  ...ChangeRequests.all,
  ...Comments.all,
  ...Sites.all,
  ...SiteStructures.all,
  ...Integrations.all,
  ...OpenApi.all,
  ...Jobs.all
]

/** The tables in their order, and then, once more, those that content and what is found of it are in. */
export const scans: ReadonlyArray<Scan> = [
  ...tables
    .map((over) => ({
      what: over.name,
      over,
      examinations: ofRows.filter((one) => one.over.name === over.name)
    }))
    .filter(({ examinations }) => examinations.length > 0),
  { what: "content of revisions", over: Content.ofRevisions.over, examinations: [Content.ofRevisions] },
  { what: "bytes", over: Content.ofBlobs.over, examinations: [Content.ofBlobs] },
  { what: "search index of spaces", over: Search.all.over, examinations: [Search.all] }
]

/** All checks, each once. */
export const checks: ReadonlyArray<Check> = [
  readable,
  ...new Set(scans.flatMap(({ examinations }) => examinations.flatMap((one) => one.checks)))
]
