/** Import runs: imports in the background, with their progress and a report of all resources that were omitted. */
import type * as Brand from "effect/Brand"
import * as Schema from "effect/Schema"
import { ChangeRequestId, ChangeRequestRef } from "../change-requests/ChangeRequest.ts"
import { PageId } from "../content/Page.ts"
import { RevisionId } from "../content/Revision.ts"
import { idSchema } from "../schema/Id.ts"
import { PageQuery } from "../schema/Pagination.ts"
import { resource } from "../schema/resource.ts"
import { Timestamp } from "../schema/Text.ts"
import { Url } from "../schema/Url.ts"
import { SiteId } from "../sites/Site.ts"
import { SpaceId } from "../spaces/Space.ts"
import { UploadKey } from "../uploads/Upload.ts"
import { ImportSource, OtherSource } from "./Import.ts"

/** The id of an import run. */
export const ImportRunId = idSchema("The id of an import run.").pipe(Schema.brand("ImportRunId"))

/** The id of an import run. */
export type ImportRunId = string & Brand.Brand<"ImportRunId">

/** The status of an import run. */
export const ImportRunStatus = Schema.Literals(["pending", "in-progress", "completed", "failed", "cancelled"])

/** The status of an import run. */
export type ImportRunStatus = typeof ImportRunStatus.Type

/** The maximum number of pages and of omitted resources that a run lists. */
export const maximumListedResources = 1000

const source = Schema.Union([
  Schema.Struct({
    /** The kind of resource at the URL. */
    type: ImportSource,
    /** The URL of the source: http or https, at most 2048 characters. It must be publicly reachable. */
    url: Url
  }),
  Schema.Struct({
    /** Uploaded files. */
    type: Schema.Literal("file"),
    /**
     * The keys of files that the caller has uploaded: one zip archive or tarball, or up to 20 documents in Markdown, HTML or
     * docx. A repeated import of a file with the same name updates the content that it imported before.
     */
    files: Schema.Array(UploadKey).check(Schema.isMinLength(1), Schema.isMaxLength(20)),
    /** The tool that the archive is an export of. Absent to recognize it by its files. */
    format: Schema.optionalKey(OtherSource)
  })
])

/** A request to import content in the background. */
export class StartImportRun extends resource<StartImportRun>()(
  Schema.Struct({
    /** The source of the import. */
    source,
    /** The content to import into. */
    target: Schema.Struct({
      /** The id of the space. */
      space: SpaceId,
      /** The id or the number of a change request of the space. Absent for the primary content. */
      changeRequest: Schema.optionalKey(ChangeRequestRef)
    })
  }).annotate({ identifier: "StartImportRun" })
) {}

/** A resource of the source that was not imported. */
const SkippedResource = Schema.Struct({
  /** The kind of the resource: a page, a file, or an entry of the table of contents. */
  kind: Schema.Literals(["page", "file", "entry"]),
  /** The resource: a URL, or a path in an archive. */
  resource: Schema.String,
  /** Why it was not imported. */
  reason: Schema.String
})

/** An import in the background. */
export class ImportRun extends resource<ImportRun>()(
  Schema.Struct({
    /** The id of the run. */
    id: ImportRunId,
    /** The status of the run. A run that is neither pending nor in progress does not change. */
    status: ImportRunStatus,
    /** When the run was started. Absent while it is pending. */
    startedAt: Schema.optionalKey(Timestamp),
    /** When the run ended. Absent while it is pending or in progress. */
    completedAt: Schema.optionalKey(Timestamp),
    /** The first 1000 imported pages. */
    pages: Schema.Array(
      Schema.Struct({
        /** The id of the page. */
        id: PageId,
        /** The resource that the page was imported from: a URL, a path in an archive, or the name of an uploaded file. */
        sourceURL: Schema.optionalKey(Schema.String),
        /** The type of the page: always `page`, because groups are not listed. */
        type: Schema.Literal("page"),
        /** Whether the page is imported: always `complete`, because a run lists its pages when it ends. */
        status: Schema.Literal("complete")
      })
    ),
    /** The source of the import. */
    source: Schema.Union([
      Schema.Struct({
        /** The kind of resource at the URL. */
        type: ImportSource,
        /** The URL of the source. */
        url: Schema.String
      }),
      Schema.Struct({
        /** Uploaded files. */
        type: Schema.Literal("file"),
        /** The keys of the files. */
        files: Schema.Array(Schema.String),
        /** The tool that the request states for the archive. */
        format: Schema.optionalKey(OtherSource)
      })
    ]),
    /** The number of pages, files and reusable contents that are imported so far. */
    importedResources: Schema.Int,
    /** The number of resources to import, as far as it is known. */
    totalResources: Schema.Int,
    /** The number of resources that were not imported. */
    skippedResources: Schema.Int,
    /** The first 1000 resources that were not imported, with the reasons. */
    skipped: Schema.Array(SkippedResource),
    /** The id of the revision that the import created. Present if the status is `completed`. */
    revision: Schema.optionalKey(RevisionId),
    /** Why the import failed. Present if the status is `failed`. */
    error: Schema.optionalKey(Schema.String)
  }).annotate({ identifier: "ImportRun" })
) {}

/** The filter and the page of a list of import runs. */
export class ListImportRuns extends resource<ListImportRuns>()(
  Schema.Struct({
    ...PageQuery.fields,
    /** Lists only runs that import into this space, or into a change request of it. */
    space: Schema.optionalKey(SpaceId),
    /** Lists only runs that import into this change request, by its id. */
    changeRequest: Schema.optionalKey(ChangeRequestId),
    /** Lists only runs that import into a space of this site. */
    site: Schema.optionalKey(SiteId),
    /** Lists only runs with this status. `active` is `pending` or `in-progress`. */
    status: Schema.optionalKey(
      Schema.Literals(["active", "pending", "in-progress", "completed", "failed", "cancelled"])
    )
  })
) {}

/** The formats of uploaded files that can be imported. */
export type UploadedFileType = Extract<ImportSource, "markdown" | "html" | "docx" | "zip" | "tarball">
