/** Declares the operations of Git synchronization. */

import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { ExportToGitRepository, GitInfo, ImportGitRepository, SpaceId } from "../../index.ts"
import { changing, reading } from "../shared/declaredErrors.ts"
import { describe, describeGroup } from "../shared/describe.ts"

const space = { spaceId: SpaceId }

/** The group of operations of Git synchronization. */
export const GitApi = HttpApiGroup.make("git")
  .add(
    HttpApiEndpoint.get("getSpaceGitInfo", "/spaces/:spaceId/git/info", {
      params: space,
      success: GitInfo,
      error: reading
    }).annotateMerge(
      describe(
        "Get the Git synchronization of a space",
        "Returns the repository that the space is synchronized with, and the state of the latest operation."
      )
    ),
    HttpApiEndpoint.post("importGitRepository", "/spaces/:spaceId/git/import", {
      params: space,
      payload: ImportGitRepository,
      success: HttpApiSchema.Empty(204),
      error: changing
    }).annotateMerge(
      describe(
        "Import a Git repository",
        "Starts an import of a branch in the background. Changes of the branch since the latest operation are merged into the content of the space. If they conflict with it, they become a change request, which lists the conflicts."
      )
    ),
    HttpApiEndpoint.post("exportToGitRepository", "/spaces/:spaceId/git/export", {
      params: space,
      payload: ExportToGitRepository,
      success: HttpApiSchema.Empty(204),
      error: changing
    }).annotateMerge(
      describe(
        "Export to a Git repository",
        "Starts an export of the content of the space as a commit, in the background. Changes of the branch are merged first. The author of the commit is the caller."
      )
    )
  )
  .annotateMerge(
    describeGroup("Git", "Synchronization of spaces with branches of Git repositories, in both directions.")
  )
