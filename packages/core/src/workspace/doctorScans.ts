/** What the doctor examines: the examinations of every feature, in the order in which they run. */
import { changeRequestExaminations } from "../features/change-requests/changeRequestChecks.ts"
import { collectionExaminations } from "../features/collections/collectionChecks.ts"
import { commentExaminations } from "../features/comments/commentChecks.ts"
import { blobScan, revisionScan } from "../features/content/checks/contentChecks.ts"
import { integrationExaminations } from "../features/integrations/integrationChecks.ts"
import { openApiSpecExaminations } from "../features/openapi-specs/openApiSpecChecks.ts"
import { memberExaminations } from "../features/organizations/memberChecks.ts"
import { organizationExaminations } from "../features/organizations/organizationChecks.ts"
import { permissionExaminations } from "../features/permissions/permissionChecks.ts"
import { samlExaminations } from "../features/saml/samlChecks.ts"
import { type SearchServices, searchScan } from "../features/search/searchChecks.ts"
import { siteExaminations } from "../features/sites/siteChecks.ts"
import { siteStructureExaminations } from "../features/sites/siteStructureChecks.ts"
import { spaceExaminations } from "../features/spaces/spaceChecks.ts"
import { type Check, type Examination, readable, type Scan } from "../kernel/doctor/Check.ts"
import { declaredReferencesOf } from "../kernel/doctor/referenceChecks.ts"
import { jobExaminations } from "../kernel/jobs/jobChecks.ts"
import { tables } from "./tables.ts"

const rowExaminations: ReadonlyArray<Examination> = [
  ...tables.flatMap((table) => declaredReferencesOf(table) ?? []),
  ...organizationExaminations,
  ...samlExaminations,
  ...memberExaminations,
  ...permissionExaminations,
  ...collectionExaminations,
  ...spaceExaminations,
  ...changeRequestExaminations,
  ...commentExaminations,
  ...siteExaminations,
  ...siteStructureExaminations,
  ...integrationExaminations,
  ...openApiSpecExaminations,
  ...jobExaminations
]

/** Every table in its order, then content, its bytes, and the search index, each derived from the one before. */
export const scansOf = (services: SearchServices): ReadonlyArray<Scan> => [
  ...tables
    .map((over) => ({
      what: over.name,
      over,
      examinations: rowExaminations.filter((one) => one.over.name === over.name)
    }))
    .filter(({ examinations }) => examinations.length > 0),
  revisionScan,
  blobScan,
  searchScan(services)
]

/** Every check of the scans, each once. */
export const checksOf = (scans: ReadonlyArray<Scan>): ReadonlyArray<Check> => [
  readable,
  ...new Set(scans.flatMap(({ examinations }) => examinations.flatMap((one) => one.checks)))
]
