/** Reads the pages of a space with their bodies, on behalf of the `CurrentUser`, so that a model receives only pages that the caller can read. */
import type {
  Content,
  ContentPage,
  CurrentUser,
  File,
  LecternError,
  PageId,
  Revision,
  SpaceId
} from "@lectern/core"
import type { JsonDocument } from "@lectern/model"
import { Effect } from "effect"
import type { AnyNode } from "../texts/AnyNode.ts"
import type { PageTexts } from "./translatePage.ts"

/** A page of the source. */
export interface SourcePage {
  readonly id: string
  readonly type: "document" | "group" | "link"
  readonly parent: string | undefined
  readonly page: Exclude<ContentPage, { readonly type: "computed" }>
}

/** Content of a space: its own, or that of a change request. */
export interface ContentIn {
  readonly space: SpaceId
  readonly changeRequest?: string
}

/** Lists pages, each before those below it. Computed pages, which are the same in every language, are omitted. */
export const pagesInOrder = (pages: ReadonlyArray<ContentPage>, parent?: string): ReadonlyArray<SourcePage> =>
  pages.flatMap((page): ReadonlyArray<SourcePage> => {
    if (page.type === "computed") return []
    const below = "pages" in page ? pagesInOrder(page.pages, page.id) : []
    return [{ id: page.id, type: page.type, parent, page }, ...below]
  })

/** Reads pages. */
export interface ReadPages {
  /** Returns the pages and the files of content. */
  readonly tree: (of: ContentIn) => Effect.Effect<Revision, LecternError, CurrentUser>
  /** Returns the strings of a page. */
  readonly texts: (of: ContentIn, page: string) => Effect.Effect<PageTexts, LecternError, CurrentUser>
}

/** Creates the functions that read pages. */
export const makeReadPages = (content: Content["Service"]): ReadPages => ({
  tree: (of) => content.getRevision.decoded({ content: of, input: { computed: false } }),

  texts: Effect.fnUntraced(function* (of, page) {
    const found = yield* content.getPage.decoded({
      content: of,
      page: page as PageId,
      input: { format: "document", computed: false }
    })
    return {
      title: found.title,
      description: "description" in found ? found.description : undefined,
      document: "document" in found ? found.document : undefined
    }
  })
})

/** How the references of a document are changed for the variant. */
export interface References {
  readonly ids: ReadonlyMap<string, string>
  /** The files of the source that the variant does not have. */
  readonly files: ReadonlyMap<string, File>
}

const changedRef = (ref: Readonly<Record<string, unknown>>, { ids, files }: References): unknown => {
  if (ref.space !== undefined) return ref
  if (ref.kind === "file") {
    const file = files.get(String(ref.file))
    return file === undefined ? ref : { kind: "url", url: file.downloadURL }
  }
  if (ref.kind !== "page" && ref.kind !== "anchor") return ref
  const id = typeof ref.page === "string" ? ids.get(ref.page) : undefined
  return id === undefined ? ref : { ...ref, page: id }
}

const withReferences = (value: unknown, references: References): unknown => {
  if (Array.isArray(value)) return value.map((item) => withReferences(item, references))
  if (typeof value !== "object" || value === null) return value
  const fields = value as Readonly<Record<string, unknown>>
  if (typeof fields.kind === "string" && !("object" in fields)) return changedRef(fields, references)
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, withReferences(field, references)])
  )
}

/** Replaces references to pages that have another id in the variant, and to files that it does not have. */
export const withVariantReferences = (document: JsonDocument, references: References): JsonDocument =>
  withReferences(document as unknown as AnyNode, references) as JsonDocument
