/**
 * Exports a tree as the files of a repository. Content that is unchanged since its import is written byte for byte as it was
 * imported; of changed content, unchanged parts keep their formatting.
 */

import {
  assignPaths,
  type LocatedContent,
  type LocatedPage,
  relativePath,
  type Tree,
  writeSummary
} from "@lectern/content"
import {
  buildRepositoryTree,
  catchUnreadable,
  configurationPath,
  decodeText,
  makeFileResolver,
  type ReadPage,
  type SummaryEntry,
  slugsOfFile,
  stemOf,
  titleOfName
} from "@lectern/formats"
import { type BlobHash, StorageUnavailable } from "@lectern/kernel"
import type { ReusableContentRecord } from "@lectern/kernel/tables"
import { wellFormed } from "@lectern/markdown/document"
import { type FileFields, type PageFile, splitPageFile, writePageFile } from "@lectern/markdown/frontMatter"
import { freeAmong, servableSlug, slugOf } from "@lectern/markdown/text"
import type { ImageRef } from "@lectern/model/content"
import { Effect, Stream } from "effect"
import type { PageSettings } from "../content/edit/importChanges.ts"
import {
  escapeDestination,
  fragmentOf,
  isEqualRecord,
  isImportedBody,
  resolveMarks,
  settingsOfPage
} from "../imports/repository/fileContent.ts"
import { isVisibleUnlisted, unlistedSettings } from "../imports/repository/unlistedPages.ts"
import { isSameTree, nodesOf, withoutUnlisted } from "./exportedNodes.ts"
import type { ExportedFile, ExportServices, RepositoryExport } from "./RepositoryExport.ts"

const encoder = new TextEncoder()

/** An original file with its parts. */
interface Source {
  readonly bytes: Uint8Array
  readonly text: string
  readonly file: PageFile
  readonly page: ReadPage
  /** Whether the file exceeds the limits of the converters, so that it was imported without its text. */
  readonly isUnreadable: boolean
}

const readOptionalText = Effect.fnUntraced(function* (
  { store }: ExportServices,
  hash: BlobHash | undefined
): Effect.fn.Return<Uint8Array | undefined, StorageUnavailable> {
  return hash === undefined ? undefined : yield* store.files.readWhole(hash)
})

const emptyPage: ReadPage = {
  title: undefined,
  description: undefined,
  markdown: "",
  targets: [],
  anchors: {}
}

/** Exports a tree. Fails only if the store does. */
export const exportRepository = Effect.fnUntraced(function* (
  services: ExportServices,
  tree: Tree
): Effect.fn.Return<RepositoryExport, StorageUnavailable> {
  const { store, read, mark } = services
  const sources = yield* tree.sources
  const sourceBytes = (path: string) =>
    readOptionalText(services, sources.find(([own]) => own === path)?.[1].hash)
  const configuration = yield* sourceBytes(configurationPath)
  const content = yield* assignPaths(
    tree,
    configuration === undefined ? undefined : new TextDecoder().decode(configuration)
  )
  const { layout, pathOfLink, linkOfPath } = content
  const summaryBytes = yield* sourceBytes(layout.summaryPath)
  const summary: ReadonlyArray<SummaryEntry> | undefined =
    summaryBytes === undefined
      ? undefined
      : // The import has read it. Without it, the export would list the pages that are hidden because it lacks them.
        yield* catchUnreadable(read("summary", { bytes: summaryBytes }), ({ message }) =>
          Effect.fail(new StorageUnavailable({ reason: "ConversionFailed", detail: message }))
        )

  const documentsOf = ({ pages }: Pick<LocatedContent, "pages">) =>
    pages.flatMap(({ path, page }) => (path === undefined ? [] : [{ path, title: page.title }]))
  const documents = documentsOf(content)
  const allPaths = new Map<string, unknown>(
    [...documents.map(({ path }) => path), ...content.files.keys(), ...content.includes.keys()].map(
      (path) => [path, undefined]
    )
  )
  const resolve = makeFileResolver({ files: allPaths })
  const isImported = content.pages.some(({ page }) => page.source !== undefined)
  const { listed } = buildRepositoryTree(summary, { layout, pages: documents, resolve })
  const visible = withoutUnlisted(content, listed)
  const visiblePaths = new Set(visible.pages.flatMap(({ path }) => path ?? []))
  const planned = buildRepositoryTree(summary, { layout, pages: documentsOf(visible), resolve }).nodes
  const withFolders = nodesOf(visible, true)
  const isUnchanged =
    (summary !== undefined || isImported) &&
    visible.pages.every(
      ({ page, path }) => path === undefined || listed.has(path) || isVisibleUnlisted(page)
    ) &&
    isSameTree(planned, withFolders)
  const nodes = isUnchanged ? withFolders : nodesOf(visible, false)

  // The titles that pages had when their sources were imported: a title in the table of contents has precedence.
  const importedTitles = new Map(
    (summary === undefined
      ? []
      : buildRepositoryTree(summary, {
          layout,
          pages: documents.map(({ path }) => ({ path, title: "" })),
          resolve
        }).nodes
    ).flatMap(({ path, title }) => (path === undefined || title === "" ? [] : [[path, title] as const]))
  )
  const isListed = !isUnchanged || summary !== undefined

  const readSource = Effect.fnUntraced(function* (
    hash: BlobHash | undefined,
    path: string,
    part: "page" | "include"
  ): Effect.fn.Return<Source | undefined, StorageUnavailable> {
    const bytes = yield* readOptionalText(services, hash)
    if (bytes === undefined) return undefined
    const page = yield* catchUnreadable(read("markdown", { bytes, mark, base: path, part }), () =>
      Effect.succeed(undefined)
    )
    const text = wellFormed(yield* Effect.sync(() => decodeText(bytes)))
    return page === undefined
      ? { bytes, text, file: splitPageFile(text), page: emptyPage, isUnreadable: true }
      : { bytes, text, file: splitPageFile(text), page, isUnreadable: false }
  })

  /** Returns the stored link for a destination in a source, as an import of the exported files resolves it. */
  const storedLinkOf = ({ kind, url }: ReadPage["targets"][number]): string | undefined => {
    const path = resolve(url.split("#", 1)[0]!)
    const link = path === undefined ? undefined : linkOfPath(path)
    if (link === undefined || (kind === "include") !== link.startsWith("/reusable-contents/"))
      return undefined
    return link.startsWith("/pages/") ? link + escapeDestination(fragmentOf(url)) : link
  }

  /** Writes a stored body with relative links. Links that the source has, too, are written as there. */
  const writeBody = Effect.fnUntraced(function* (
    body: BlobHash | undefined,
    path: string,
    source: Source | undefined
  ): Effect.fn.Return<{ readonly text: string; readonly isUnchanged: boolean }, StorageUnavailable> {
    const stored = body === undefined ? "" : yield* store.texts.get(body)
    if (source !== undefined && isImportedBody(stored, source.page, mark, storedLinkOf)) {
      return { text: stored, isUnchanged: true }
    }
    const spellings = new Map<string, string>()
    for (const target of source?.page.targets ?? []) {
      const link = storedLinkOf(target)
      if (link !== undefined) spellings.set(link, target.otherwise)
    }
    // Links in a body that exceeds the limits of the converters keep their stored form.
    const marked = yield* catchUnreadable(
      read("markdown", { bytes: encoder.encode(stored), mark, base: path, part: "body" }),
      () => Effect.succeed<ReadPage>({ ...emptyPage, markdown: stored })
    )
    const text = resolveMarks(marked, mark, ({ url }) => {
      const [link = "", ...fragment] = url.split("#")
      const target = pathOfLink(link)
      if (target === undefined) return undefined
      const anchor = fragment.length === 0 ? "" : `#${fragment.join("#")}`
      return spellings.get(url) ?? escapeDestination(relativePath(path, target)) + anchor
    })
    return { text, isUnchanged: false }
  })

  const imagePathOf = (ref: ImageRef, path: string): string => {
    if (ref.kind === "url") return ref.url
    const file = pathOfLink(`/files/${ref.file}`)
    return file === undefined ? `/files/${ref.file}` : relativePath(path, file)
  }
  const imageOf = (target: ReadPage["targets"][number]): ImageRef | undefined => {
    const link = storedLinkOf({ ...target, kind: "image" })
    if (link?.startsWith("/files/") === true) return { kind: "file", file: link.slice("/files/".length) }
    return /^https?:\/\//.test(target.url) ? { kind: "url", url: target.url } : undefined
  }

  /** Returns the fields of front matter. Values that mean the same as the values of the source are written as there. */
  const fieldsOf = (
    { page, path }: LocatedPage,
    source: Source | undefined,
    slug: string | undefined
  ): FileFields => {
    const imported: PageSettings = {
      ...(source === undefined ? {} : settingsOfPage(source.page, imageOf)),
      // An import hides a page that the table of contents does not list.
      ...(visiblePaths.has(path!) ? {} : unlistedSettings)
    }
    const written = source?.file.fields ?? {}
    const values: Record<string, unknown> = {}
    for (const name of [
      "description",
      "emoji",
      "icon",
      "hidden",
      "condition",
      "noIndex",
      "noRobotsIndex",
      "layout",
      "cover"
    ] as const) {
      const value = page[name]
      if (isEqualRecord(value, imported[name])) values[name] = written[name]
      else if (name !== "cover" || page.cover === undefined) values[name] = value
      else if (page.cover.ref !== undefined) {
        const { ref, refDark, yPos } = page.cover
        values.cover = {
          path: imagePathOf(ref, path!),
          darkPath: refDark === undefined ? undefined : imagePathOf(refDark, path!),
          yPos
        }
      }
    }
    const fields = { ...values, ...(slug === undefined ? {} : { slug }) }
    return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  }

  const toBytes = (text: string, source: Source | undefined): Uint8Array =>
    source !== undefined && text === source.text ? source.bytes : encoder.encode(text)

  const parents = new Set(content.pages.map(({ parent }) => parent))
  /** Returns the slugs that imports derive for a page; if it was imported, also the slugs of earlier versions. */
  const derivedSlugsOf = (placed: LocatedPage, source: Source | undefined): ReadonlyArray<string> => {
    const { page, path, parent } = placed
    if (path === undefined) return [slugOf(page.title, "page")]
    const slugs = slugsOfFile(layout, path, page.title)
    if (source !== undefined) return slugs
    const isHome =
      path === layout.readmePath &&
      parent === undefined &&
      !parents.has(content.pages.findIndex(({ id }) => id === placed.id))
    return isHome ? [slugOf(page.title, "page")] : slugs.slice(0, 1)
  }

  const takenSlugs = new Map<number | undefined, Set<string>>()
  /** Returns the slug that the front matter requests; undefined if an import derives the slug from the path. */
  const requestedSlugOf = (placed: LocatedPage, source: Source | undefined): string | undefined => {
    const { page, parent } = placed
    const siblings = takenSlugs.get(parent) ?? new Set<string>()
    takenSlugs.set(parent, siblings)
    const written = source?.file.fields.slug
    const derived = derivedSlugsOf(placed, source)
    const isOwn = (slug: string) => freeAmong(siblings, slug) === page.slug
    const requested =
      written !== undefined && [written, servableSlug(written)].some(isOwn)
        ? written
        : derived.some(isOwn)
          ? undefined
          : page.slug
    siblings.add(page.slug)
    return requested
  }

  const writePage = Effect.fnUntraced(function* (
    placed: LocatedPage
  ): Effect.fn.Return<ExportedFile | undefined, StorageUnavailable> {
    const { page } = placed
    const path =
      placed.path ?? (isUnchanged || placed.folder === undefined ? undefined : `${placed.folder}/README.md`)
    if (page.type === "group") requestedSlugOf(placed, undefined)
    if (path === undefined) {
      if (placed.folder !== undefined) requestedSlugOf(placed, undefined)
      return undefined
    }
    const source = yield* readSource(page.source, path, "page")
    if (source?.isUnreadable === true && page.body === undefined) return { path, content: source.bytes }
    const body = yield* writeBody(page.body, path, source)
    const ownTitle =
      source && (source.file.frontMatterTitle ?? source.file.heading ?? titleOfName(stemOf(path)))
    const sourceTitle = (isListed ? importedTitles.get(path) : undefined) ?? ownTitle
    const fields = fieldsOf({ ...placed, path }, source, requestedSlugOf({ ...placed, path }, source))
    const text = writePageFile(
      {
        title: page.title,
        fields,
        body: body.isUnchanged && source !== undefined ? source.file.body : body.text
      },
      source?.file,
      sourceTitle
    )
    return { path, content: toBytes(text, source) }
  })

  const writeInclude = Effect.fnUntraced(function* ([path, { record }]: readonly [
    string,
    { readonly record: ReusableContentRecord }
  ]): Effect.fn.Return<ExportedFile, StorageUnavailable> {
    const source = yield* readSource(record.source, path, "include")
    if (source?.isUnreadable === true && record.body === undefined) return { path, content: source.bytes }
    const body = yield* writeBody(record.body, path, source)
    const importedTitle = source && (source.file.frontMatterTitle ?? titleOfName(stemOf(path)))
    if (source !== undefined && body.isUnchanged && record.title === importedTitle) {
      return { path, content: source.bytes }
    }
    // The title of an include is in its front matter, because its body can begin with a heading.
    const file: PageFile = {
      head: "",
      yaml: source?.file.yaml,
      frontMatterTitle: "",
      fields: {},
      headingLines: "",
      heading: undefined,
      body: ""
    }
    const written = writePageFile({ title: record.title, fields: {}, body: body.text }, file, undefined)
    return { path, content: encoder.encode(written) }
  })

  const verbatim = sources.filter(([path]) => path !== layout.summaryPath)
  const writtenSummary: ReadonlyArray<ExportedFile> = isUnchanged
    ? summaryBytes === undefined
      ? []
      : [{ path: layout.summaryPath, content: summaryBytes }]
    : [{ path: layout.summaryPath, content: encoder.encode(writeSummary(nodes, layout, summary)) }]
  const files = Stream.fromIterable(verbatim).pipe(
    Stream.mapEffect(([path, { hash }]) =>
      Effect.map(
        readOptionalText(services, hash),
        (bytes): ExportedFile => ({ path, content: bytes ?? new Uint8Array() })
      )
    ),
    Stream.concat(Stream.fromIterable(writtenSummary)),
    Stream.concat(
      Stream.fromIterable(content.pages).pipe(
        Stream.mapEffect(writePage),
        Stream.filter((file) => file !== undefined)
      )
    ),
    Stream.concat(Stream.mapEffect(Stream.fromIterable(content.includes), writeInclude)),
    Stream.concat(
      Stream.map(
        Stream.fromIterable(content.files),
        ([path, { record }]): ExportedFile => ({ path, content: { hash: record.hash, size: record.size } })
      )
    )
  )
  return {
    count:
      verbatim.length +
      writtenSummary.length +
      content.pages.length +
      content.includes.size +
      content.files.size,
    storedBytes: [...content.files.values()].reduce((sum, { record }) => sum + record.size, 0),
    files: Stream.suspend(() => {
      takenSlugs.clear()
      return files
    })
  }
})
