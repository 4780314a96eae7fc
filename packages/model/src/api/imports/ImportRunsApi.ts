import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import {
  ImportRun,
  ImportRunId,
  ListImportRuns,
  OrganizationId,
  pageOf,
  StartImportRun
} from "../../index.ts"
import { created } from "../shared/created.ts"
import { changing, reading } from "../shared/declaredErrors.ts"
import { describe, describeGroup } from "../shared/describe.ts"
import { page } from "../shared/queryParameters.ts"

const organization = { organizationId: OrganizationId }
const run = { ...organization, importRunId: ImportRunId }
const path = "/org/:organizationId/imports" as const
const createdRun = created(ImportRun)

/** The group of operations on import runs. */
export const ImportRunsApi = HttpApiGroup.make("importRuns")
  .add(
    HttpApiEndpoint.post("startImportRun", path, {
      params: organization,
      payload: StartImportRun,
      success: createdRun,
      error: changing
    }).annotateMerge(
      describe(
        "Start an import",
        "Starts an import in the background, which creates one revision when it completes, and returns its run. An import that fails or is cancelled changes nothing."
      )
    ),
    HttpApiEndpoint.get("listImportRuns", path, {
      params: organization,
      query: {
        ...page,
        space: ListImportRuns.fields.space,
        changeRequest: ListImportRuns.fields.changeRequest,
        site: ListImportRuns.fields.site,
        status: ListImportRuns.fields.status
      },
      success: pageOf(ImportRun),
      error: reading
    }).annotateMerge(
      describe(
        "List imports",
        "Returns the runs that import into spaces which the caller can see, last started first."
      )
    ),
    HttpApiEndpoint.get("getImportRun", `${path}/:importRunId`, {
      params: run,
      success: ImportRun,
      error: reading
    }).annotateMerge(
      describe(
        "Get an import",
        "Returns the run, with its progress, and with the resources that were not imported."
      )
    ),
    HttpApiEndpoint.post("cancelImportRun", `${path}/:importRunId/cancel`, {
      params: run,
      success: createdRun,
      error: changing
    }).annotateMerge(describe("Cancel an import", "Cancels the run, unless it has ended, and returns it."))
  )
  .annotateMerge(describeGroup("Imports", "Imports in the background, with their progress and reports."))
