/** Declares the operations that export content as the files of a repository. */

import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { ChangeRequestRef, ExportUrl, OrganizationId, RevisionId, SiteId, SpaceId } from "../../index.ts"
import { reading } from "../shared/declaredErrors.ts"
import { describe, describeGroup } from "../shared/describe.ts"
import { always, ReturnsSecret } from "../shared/requestConditions.ts"

const description =
  "Returns the URL of a ZIP archive of the content in the layout of a repository: Markdown files with front matter, `SUMMARY.md`, `.gitbook.yaml`, `.gitbook/assets` and `.gitbook/includes`. It needs no token and expires after an hour. Content that is unchanged since its import from a repository has the bytes that were imported."

/** The group of operations on exports. */
export const ExportsApi = HttpApiGroup.make("exports")
  .add(
    HttpApiEndpoint.get("getSpaceExport", "/spaces/:spaceId/content/export", {
      params: { spaceId: SpaceId },
      success: ExportUrl,
      error: reading
    })
      .annotateMerge(describe("Export the content of a space", description))
      .annotate(ReturnsSecret, always),
    HttpApiEndpoint.get(
      "getChangeRequestExport",
      "/spaces/:spaceId/change-requests/:changeRequestId/content/export",
      {
        params: { spaceId: SpaceId, changeRequestId: ChangeRequestRef },
        success: ExportUrl,
        error: reading
      }
    )
      .annotateMerge(describe("Export the content of a change request", description))
      .annotate(ReturnsSecret, always),
    HttpApiEndpoint.get("getRevisionExport", "/spaces/:spaceId/revisions/:revisionId/export", {
      params: { spaceId: SpaceId, revisionId: RevisionId },
      success: ExportUrl,
      error: reading
    })
      .annotateMerge(describe("Export a revision", description))
      .annotate(ReturnsSecret, always),
    HttpApiEndpoint.get("getSiteExport", "/orgs/:organizationId/sites/:siteId/export", {
      params: { organizationId: OrganizationId, siteId: SiteId },
      success: ExportUrl,
      error: reading
    })
      .annotateMerge(
        describe(
          "Export a site",
          "Returns the URL of a ZIP archive of the current content of all spaces of the site. Each space is a repository, as in the export of a space, in the folder with its path, below the path of its section. `site.json` lists the folders in the order of the site. The URL needs no token and expires after an hour, and when a space is added, moved or removed. Requires the permission to read every space of the site."
        )
      )
      .annotate(ReturnsSecret, always)
  )
  .annotateMerge(
    describeGroup("Exports", "Exports of spaces, change requests, revisions and sites as files.")
  )
