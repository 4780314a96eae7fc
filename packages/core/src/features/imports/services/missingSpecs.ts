/** Reports the OpenAPI specs that imported pages display and that the organization does not have. */

import type { GrantedReader } from "@lectern/access"
import type { Skipped } from "@lectern/formats"
import { type StorageUnavailable, Where } from "@lectern/kernel"
import { openApiSpecs, type SpecRow } from "@lectern/kernel/tables"
import type { OrganizationId } from "@lectern/model/organizations"
import { Effect } from "effect"
import type { ContentStore } from "../../content/ContentStore.ts"
import { specSourcesIn } from "../../content/visibleContent.ts"
import type { PreparedImport } from "../PreparedImport.ts"

/** The maximum number of specs that are looked up. */
const maximumSpecs = 500

/** Matches URLs that can refer to an OpenAPI document, so that the text of other pages is not read. */
const specUrl = /\.(?:ya?ml|json)\b|openapi|swagger/i

/** The maximum length of a reference in the report. */
const maximumQuoted = 500

/** Returns why a page does not display its spec, and how to repair it. */
const reasonOf = (spec: string): string => {
  const shown = spec.slice(0, maximumQuoted)
  return spec.startsWith("/")
    ? `The page displays the OpenAPI document ${shown}, which is not a file of the source.`
    : /^https?:\/\//.test(spec)
      ? `The page displays the OpenAPI document ${shown}, which the organization does not have. Register a specification with this URL as its source, and the page displays its operations.`
      : `The page displays the OpenAPI specification ${shown}, which the organization does not have. Register one with this slug, and the page displays its operations.`
}

/** Returns the references of imported pages to specs, with the first page of each. */
const referencesOf = Effect.fnUntraced(function* (
  texts: ContentStore["Service"]["texts"],
  { changes, outlines }: Pick<PreparedImport, "changes" | "outlines">
): Effect.fn.Return<ReadonlyMap<string, string>, StorageUnavailable> {
  const pageOf = new Map<string, string>()
  const add = (spec: string, page: string): void => {
    if (!pageOf.has(spec) && pageOf.size < maximumSpecs) pageOf.set(spec, page)
  }
  for (const change of changes) {
    if (change.operation !== "import_page" || change.body === undefined) continue
    const { resource } = change.imported
    const references = outlines.get(change.body)?.references ?? []
    for (const { ref } of references) if (ref.kind === "openapi") add(ref.spec, resource)
    // The outline does not distinguish the source of a block from a link. A file of the repository is stored under its id.
    if (!references.some(({ ref }) => ref.kind === "url" && specUrl.test(ref.url))) continue
    for (const source of specSourcesIn(yield* texts.get(change.body))) {
      if (!source.startsWith("/files/")) add(/^https?:/.test(source) ? source : `/${source}`, resource)
    }
  }
  return pageOf
})

/** Returns an entry for each missing spec, with the first page that displays it. */
export const missingSpecs = Effect.fnUntraced(function* (
  records: GrantedReader,
  texts: ContentStore["Service"]["texts"],
  organization: OrganizationId,
  prepared: Pick<PreparedImport, "changes" | "outlines">
): Effect.fn.Return<ReadonlyArray<Skipped>, StorageUnavailable> {
  const pageOf = yield* referencesOf(texts, prepared)
  if (pageOf.size === 0) return []
  const names = [...pageOf.keys()]
  const rows = yield* records.find(openApiSpecs, {
    where: Where.and<SpecRow>(
      Where.eq("organization", organization),
      Where.or<SpecRow>(
        Where.isIn<SpecRow, "id">("id", names),
        Where.isIn(
          "slug",
          names.map((name) => name as SpecRow["slug"])
        ),
        Where.isIn<SpecRow, "sourceURL">("sourceURL", names)
      )
    )
  })
  const existing = new Set<string>(rows.flatMap(({ id, slug, sourceURL }) => [id, slug, sourceURL ?? id]))
  return [...pageOf].flatMap(
    ([spec, resource]): ReadonlyArray<Skipped> =>
      existing.has(spec) ? [] : [{ kind: "entry", resource, reason: reasonOf(spec) }]
  )
})
