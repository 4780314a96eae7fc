/** Converts rows of OpenAPI specs to resources. */

import type { Caller } from "@lectern/access"
import type { SpecRow } from "@lectern/kernel/tables"
import type { OpenApiSpec } from "@lectern/model/openapi-specs"
import { isAtLeast, organizationActions } from "@lectern/model/roles"

/** The path below the public URL of the workspace where documents are served, by the id of a version or of a public spec. */
export const specsPath = "/openapi-specs/"

/** Returns the URL of the latest document of a public spec; undefined for a private spec, or for one without a version. */
export const publicDocumentUrl = (
  base: string,
  { id, visibility, lastVersion }: Pick<SpecRow, "id" | "visibility" | "lastVersion">
): string | undefined =>
  visibility === "public" && lastVersion !== null ? `${base}${specsPath}${id}` : undefined

/** Converts a row to a resource for a caller. */
export const presentSpec = (base: string, caller: Caller, row: SpecRow): OpenApiSpec => {
  const published = publicDocumentUrl(base, row)
  return {
    object: "openapi-spec",
    id: row.id,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    slug: row.slug,
    ...(row.sourceURL === null ? {} : { sourceURL: row.sourceURL }),
    processingState: row.processingState,
    visibility: row.visibility,
    ...(row.lastVersion === null ? {} : { lastVersion: row.lastVersion }),
    ...(row.lastProcessedAt === null ? {} : { lastProcessedAt: row.lastProcessedAt }),
    ...(row.errorCode === null ? {} : { lastProcessErrorCode: row.errorCode }),
    ...(row.problems === null ? {} : { lastProcessedErrors: row.problems }),
    lastProcessedErrorCount: row.problems?.length ?? 0,
    permissions: {
      view: isAtLeast(caller.role, organizationActions.listSpecs),
      edit: isAtLeast(caller.role, organizationActions.create)
    },
    urls: {
      location: `${base}/v1/orgs/${row.organization}/openapi/${row.slug}`,
      app: `${base}/o/${row.organization}/openapi/${row.slug}`,
      ...(published === undefined ? {} : { published })
    }
  }
}
