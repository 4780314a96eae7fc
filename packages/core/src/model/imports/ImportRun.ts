/** Import runs: imports in the background, with their progress and a report of all resources that were omitted. */
import { type Brand, Schema } from "effect"
import { idSchema } from "../../kernel/schema/Id.ts"
import { resource } from "../../kernel/schema/resource.ts"
import { Timestamp } from "../../kernel/schema/Text.ts"
import { Url } from "../../kernel/schema/Url.ts"
import { type BlobHash, Table } from "../../kernel/storage/index.ts"
import { type ChangeRequestId, ChangeRequestRef, changeRequests } from "../change-requests/ChangeRequest.ts"
import { PageId } from "../content/Page.ts"
import { RevisionId } from "../content/Revision.ts"
import { type OrganizationId, organizations } from "../organizations/Organization.ts"
import { SpaceId, spaces } from "../spaces/Space.ts"
import { UploadKey } from "../uploads/Upload.ts"
import type { UserId } from "../users/User.ts"
import { ImportSource } from "./Import.ts"

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
    files: Schema.Array(UploadKey).check(Schema.isMinLength(1), Schema.isMaxLength(20))
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
        sourceURL: Schema.optionalKey(Schema.String)
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
        files: Schema.Array(Schema.String)
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

/** The work that a run has completed, with which it resumes after a crash. */
export interface ImportCheckpoint {
  /** The stored bytes of the archive. */
  readonly archive?: BlobHash
  /** Stored lists of the pages that are parsed. */
  readonly batches: ReadonlyArray<BlobHash>
}

/** The formats of uploaded files that can be imported. */
export type UploadedFileType = Extract<ImportSource, "markdown" | "html" | "docx" | "zip" | "tarball">

/** An uploaded file of a run. */
export interface UploadedFile {
  readonly key: UploadKey
  readonly name: string
  readonly type: UploadedFileType
  /** The hash of the bytes, which are reachable until the run ends. */
  readonly hash: BlobHash
}

const importRunColumns = {
  id: Table.text<ImportRunId>(),
  organization: Table.text<OrganizationId>(),
  space: Table.text<SpaceId>(),
  changeRequest: Table.nullable(Table.text<ChangeRequestId>()),
  user: Table.text<UserId>(),
  source: Table.text<ImportSource>(),
  url: Table.text(),
  status: Table.text<ImportRunStatus>(),
  isAwaited: Table.boolean(),
  imported: Table.integer(),
  total: Table.integer(),
  skippedCount: Table.integer(),
  skipped: Table.json<ImportRun["skipped"]>(),
  pages: Table.json<ImportRun["pages"]>(),
  checkpoint: Table.json<ImportCheckpoint>(),
  revision: Table.nullable(Table.text<RevisionId>()),
  error: Table.nullable(Table.text()),
  startedAt: Table.nullable(Table.text()),
  completedAt: Table.nullable(Table.text()),
  createdAt: Table.text(),
  /** The uploaded files that the run imports, of which `source` and `url` are derived; null for a run that fetches its source. */
  files: Table.nullable(Table.json<ReadonlyArray<UploadedFile>>())
}
/** A row of the table `importRuns`. */
export interface ImportRunRow extends Table.RowOf<typeof importRunColumns> {}

/**
 * The table of import runs. Their rows change by single statements with a condition on the status, which need no locks.
 * `isAwaited` is set if a client of the synchronous operation has not received the result yet.
 */
export const importRuns: Table.ProtectedTable<"importRuns", ImportRunRow, "id"> = Table.makeProtected(
  "importRuns",
  {
    tenant: "organization",
    columns: importRunColumns,
    locking: Table.withoutLocks,
    key: ["id"],
    references: {
      organization: { table: () => organizations, onRemove: "cascade" },
      space: { table: () => spaces, onRemove: "cascade" },
      changeRequest: { table: () => changeRequests, onRemove: "cascade" }
    },
    indexes: [["organization", "id"], ["space"], ["changeRequest"]]
  }
)
