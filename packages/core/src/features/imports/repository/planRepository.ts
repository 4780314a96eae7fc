/**
 * Plans the import of a repository: parses its pages one at a time, stores their bodies and files, and returns the changes
 * that write them. Its memory use does not depend on the sizes of pages and files.
 */

import type { Outline } from "@lectern/markdown/outline"
import { type ContentRef, FileId, type PageCover, PageId, ReusableContentId } from "@lectern/model/content"
import { bounds } from "@lectern/model/imports"
import { Effect, Stream } from "effect"
import type { Ids } from "../../../kernel/ids/Ids.ts"
import { hashOf } from "../../../kernel/storage/Blobs.ts"
import { type BlobHash, chunkSize, type StorageUnavailable } from "../../../kernel/storage/index.ts"
import {
  configurationPath,
  type FileRecord,
  type PageRecord,
  type ReusableContentRecord
} from "../../../tables/content/ContentRecord.ts"
import type { ContentStore } from "../../content/ContentStore.ts"
import type { ImportChange, ImportPage } from "../../content/edit/importChanges.ts"
import { withImported } from "../../content/edit/importChanges.ts"
import { dimensionsOf } from "../../content/edit/StoredFile.ts"
import type { Outlines } from "../../content/Outlines.ts"
import type { Read } from "../../conversion/ImportReader.ts"
import type { ReadPage, Target } from "../../conversion/Readings.ts"
import { makeArchiveAllowance } from "../archiveAllowance.ts"
import type { Skipped } from "../FetchedContent.ts"
import { type FetchError, urlError } from "../ImportContext.ts"
import { fileNameOf } from "../images.ts"
import { mediaTypeOf } from "../mediaTypes.ts"
import type { PlanJournal } from "../RunContext.ts"
import {
  conditionProblemsOf,
  type Destinations,
  escapeDestination,
  fragmentOf,
  gitOf,
  isEqualRecord,
  ownTitleOf,
  resolveMarks,
  settingsOfPage
} from "./fileContent.ts"
import { slugOfFile, stemOf } from "./layout.ts"
import {
  buildRepositoryTree,
  keysOfNodes,
  type RepositoryNode,
  type RepositoryPage,
  titleOfName
} from "./nodes.ts"
import { makeFileResolver, type RepositoryContent } from "./RepositoryContent.ts"

/** The services that planning uses. */
export interface PlanServices {
  readonly ids: Ids["Service"]
  readonly store: ContentStore["Service"]
  readonly outlines: Outlines["Service"]
  readonly read: Read
  /** The random part of the placeholders of link targets: see `markOf`. */
  readonly mark: string
  /** The pages that an earlier attempt of the run has planned; undefined for an import that a client waits for. */
  readonly journal: PlanJournal | undefined
}

/** Content of earlier imports from the same source, by the keys of nodes and the paths of files. */
export interface EarlierContent {
  readonly pages: ReadonlyMap<string, { readonly id: PageId; readonly page: PageRecord }>
  readonly files: ReadonlyMap<string, { readonly id: FileId; readonly record: FileRecord }>
  readonly includes: ReadonlyMap<
    string,
    { readonly id: ReusableContentId; readonly record: ReusableContentRecord }
  >
}

/** A plan, whose bodies and files are stored. */
export interface RepositoryPlan {
  readonly changes: ReadonlyArray<ImportChange>
  readonly outlines: ReadonlyMap<BlobHash, Outline>
  /** The nodes of the page tree, with the ids of their pages. */
  readonly nodes: ReadonlyArray<{ readonly node: RepositoryNode; readonly id: PageId }>
  /** The ids of the files and the reusable contents of the repository, also of unchanged ones. */
  readonly files: ReadonlySet<FileId>
  readonly includes: ReadonlySet<ReusableContentId>
  readonly skipped: ReadonlyArray<Skipped>
  /** The numbers of imported and of attempted resources: pages, files and includes. */
  readonly imported: number
  readonly total: number
}

/** The maximum number of pages that are parsed concurrently, and in memory. */
const parsedPages = 4

const encoder = new TextEncoder()

/** Plans the import of a repository. `from` identifies the source. */
export const planRepository = Effect.fnUntraced(function* (
  { ids, store, outlines, read, mark, journal }: PlanServices,
  repository: RepositoryContent,
  from: string,
  earlier: EarlierContent
): Effect.fn.Return<RepositoryPlan, FetchError | StorageUnavailable> {
  const { layout, files, summary, load } = repository
  const spend = makeArchiveAllowance(repository.transferSize)
  const skipped: Array<Skipped> = [...repository.skipped]
  const skip = (kind: Skipped["kind"], resource: string, reason: string): void => {
    skipped.push({ kind, resource, reason })
  }
  if (layout.isInvalid) skip("entry", configurationPath, "The configuration is not a mapping of YAML.")

  /** Returns an id for new content. Every attempt of a run uses the same. */
  const newId = (key: string): Effect.Effect<string> =>
    journal === undefined ? ids.next : Effect.sync(() => journal.idOf(key))

  const resolve = makeFileResolver(repository)
  const ofKind = (kind: string) => [...files.values()].filter((file) => file.kind === kind)
  const pageFiles = ofKind("page").filter(({ path, size }) => {
    if (size <= bounds.pageBytes) return true
    skip("page", path, `The page is larger than ${bounds.pageBytes >> 20} MiB.`)
    return false
  })

  // The title of a page in the table of contents is known; the others are loaded, and only their beginning is parsed.
  const untitled = pageFiles.map(({ path }): RepositoryPage => ({ path, title: "" }))
  const withoutTitle = new Set(
    buildRepositoryTree(summary, { layout, pages: untitled, resolve }).nodes.flatMap(({ path, title }) =>
      path !== undefined && title === "" ? [path] : []
    )
  )
  const pages: Array<RepositoryPage> = []
  for (const { path } of pageFiles) {
    const title = withoutTitle.has(path) ? ownTitleOf(path, yield* load(path)) : ""
    if (title === undefined) skip("page", path, "The page is not text.")
    else pages.push({ path, title })
  }
  if (pages.length === 0) {
    return yield* urlError(
      `points to an archive without a page that can be imported: ${skipped[0]?.resource} is too large or not text`
    )
  }
  const { nodes, problems } = buildRepositoryTree(summary, { layout, pages, resolve })
  for (const { resource, reason } of problems) skip("entry", resource, reason)

  const nodeKeys = keysOfNodes(nodes)
  const nodeIds: Array<PageId> = []
  const pageIds = new Map<string, PageId>()
  for (const [index, { path }] of nodes.entries()) {
    const id = earlier.pages.get(nodeKeys[index]!)?.id ?? PageId.make(yield* newId(nodeKeys[index]!))
    nodeIds.push(id)
    if (path !== undefined) pageIds.set(path, id)
  }
  const includeIds = new Map<string, ReusableContentId>()
  for (const { path } of ofKind("include")) {
    includeIds.set(path, earlier.includes.get(path)?.id ?? ReusableContentId.make(yield* newId(path)))
  }
  // Every file has an id, but those outside of the folder of assets are imported only if a page refers to them.
  const fileIds = new Map<string, FileId>()
  const importedFiles = new Set<string>()
  const rejectedFiles = new Set<string>()
  for (const { path, kind } of files.values()) {
    if (kind !== "asset" && kind !== "other") continue
    fileIds.set(path, earlier.files.get(path)?.id ?? FileId.make(yield* newId(path)))
    if (kind === "asset") importFile(path)
  }

  /** Imports a file, and returns its id; undefined for a file that exceeds a limit, and links to it stay unchanged. */
  function importFile(path: string): FileId | undefined {
    const id = fileIds.get(path)
    const file = files.get(path)
    if (id === undefined || file === undefined || importedFiles.has(path) || rejectedFiles.has(path)) {
      return rejectedFiles.has(path) ? undefined : id
    }
    const reason =
      file.size === 0
        ? "The file is empty."
        : file.size > bounds.fileBytes
          ? `The file is larger than ${bounds.fileBytes >> 20} MiB.`
          : importedFiles.size >= bounds.files
            ? `The repository has more than ${bounds.files} files.`
            : undefined
    if (reason === undefined) {
      importedFiles.add(path)
      return id
    }
    rejectedFiles.add(path)
    skip("file", path, reason)
    return undefined
  }

  const resourceOf = (url: string): string | undefined => resolve(url.split("#", 1)[0]!)
  const destinationOf: Destinations = ({ kind, url }) => {
    const path = resourceOf(url)
    if (path === undefined) return undefined
    if (kind === "include") {
      const include = includeIds.get(path)
      return include === undefined ? undefined : `/reusable-contents/${include}`
    }
    const page = pageIds.get(path)
    if (page !== undefined) return `/pages/${page}${escapeDestination(fragmentOf(url))}`
    const file = importFile(path)
    return file === undefined ? undefined : `/files/${file}`
  }
  const imageOf = (target: Target): NonNullable<PageCover["ref"]> | undefined => {
    const stored = destinationOf(target)
    if (stored?.startsWith("/files/") === true) return { kind: "file", file: stored.slice("/files/".length) }
    return /^https?:\/\//.test(target.url) ? { kind: "url", url: target.url } : undefined
  }

  const parsedOutlines = new Map<BlobHash, Outline>()
  /** Stores a body with its outline, and returns its hash; undefined for an empty body. */
  const storeBody = Effect.fnUntraced(function* (
    text: string,
    before: BlobHash | undefined
  ): Effect.fn.Return<BlobHash | undefined, StorageUnavailable> {
    if (text === "") return undefined
    const bytes = encoder.encode(text)
    const hash = hashOf(bytes)
    if (hash === before) return hash
    yield* store.blobs.put([bytes])
    parsedOutlines.set(hash, yield* outlines.parse(text))
    return hash
  })
  const storeSource = (bytes: Uint8Array): Effect.Effect<BlobHash, StorageUnavailable> =>
    Effect.gen(function* () {
      if (bytes.length <= chunkSize) return (yield* store.blobs.put([bytes]))[0]!
      const stored = yield* store.files.write(Stream.make(bytes))
      yield* store.files.link(stored)
      return stored.hash
    })

  const readPart = Effect.fnUntraced(function* (
    path: string,
    part: "page" | "include"
  ): Effect.fn.Return<
    { readonly page: ReadPage; readonly bytes: Uint8Array },
    FetchError | StorageUnavailable
  > {
    const bytes = yield* load(path)
    yield* spend(bytes)
    const page = yield* Effect.catchTag(
      read("markdown", { bytes, mark, base: path, part }),
      "NotReadable",
      (error) => {
        skip("page", path, `The page ${error.message}; it is imported without its text.`)
        return Effect.succeed<ReadPage>({
          title: undefined,
          description: undefined,
          markdown: "",
          targets: [],
          anchors: {}
        })
      }
    )
    for (const reason of conditionProblemsOf(page)) skip("entry", path, reason)
    return { page, bytes }
  })

  const targetOf = ({ target }: RepositoryNode): ContentRef | undefined => {
    if (target === undefined) return undefined
    if ("ref" in target) return target.ref
    if ("url" in target) return { kind: "url", url: target.url }
    const page = pageIds.get(target.path)
    if (page === undefined) {
      const file = importFile(target.path)
      return file === undefined ? { kind: "url", url: target.path } : { kind: "file", file }
    }
    return target.anchor === undefined
      ? { kind: "page", page }
      : { kind: "anchor", anchor: target.anchor, page }
  }

  const planNode = Effect.fnUntraced(function* (
    node: RepositoryNode,
    index: number
  ): Effect.fn.Return<ImportPage, FetchError> {
    const key = nodeKeys[index]!
    const known = earlier.pages.get(key)
    const planned = journal?.find(key)
    for (const path of planned?.files ?? []) importFile(path)
    if (planned !== undefined) return planned.change
    const target = targetOf(node)
    const common = {
      operation: "import_page",
      page: nodeIds[index]!,
      type: node.type,
      into: node.parent === undefined ? "" : nodeIds[node.parent]!,
      title: node.title,
      description: undefined,
      imported: { from, resource: key }
    } as const
    let change: ImportPage
    let used: ReadonlyArray<string> = []
    if (node.path === undefined) {
      change = {
        ...common,
        slug: node.slug ?? node.folder?.split("/").at(-1),
        body: known?.page.body,
        git: undefined,
        settings: {
          ...node.settings,
          ...(target === undefined ? {} : { target }),
          ...(node.computed === undefined ? {} : { computed: node.computed })
        }
      }
    } else {
      const { page, bytes } = yield* readPart(node.path, "page")
      const text = resolveMarks(page, mark, destinationOf)
      used = page.targets.flatMap(({ url }) => {
        const path = resourceOf(url)
        return path !== undefined && importedFiles.has(path) ? [path] : []
      })
      change = {
        ...common,
        slug: page.fields?.slug ?? slugOfFile(layout, node.path),
        body: yield* storeBody(text, known?.page.body),
        git: gitOf(node.path, bytes),
        settings: { ...settingsOfPage(page, imageOf), source: yield* storeSource(bytes) }
      }
    }
    if (node.path !== undefined)
      yield* journal?.add(key, { change, files: used }, nodes.length) ?? Effect.void
    return change
  })
  const planned = yield* Effect.forEach(nodes, planNode, { concurrency: parsedPages })
  const pageChanges = planned.filter((change, index) => {
    const known = earlier.pages.get(nodeKeys[index]!)
    return known === undefined || !isEqualRecord(withImported(known.page, change), known.page)
  })

  const changes: Array<ImportChange> = []
  for (const [path, id] of includeIds) {
    const { page, bytes } = yield* readPart(path, "include")
    const known = earlier.includes.get(path)
    const body = yield* storeBody(resolveMarks(page, mark, destinationOf), known?.record.body)
    const record: ReusableContentRecord = {
      title: page.title ?? titleOfName(stemOf(path)),
      ...(body === undefined ? {} : { body }),
      git: gitOf(path, bytes),
      imported: { from, resource: path },
      source: yield* storeSource(bytes)
    }
    if (!isEqualRecord(known?.record, record)) {
      changes.push({ operation: "import_reusable_content", reusableContent: id, record })
    }
  }
  for (const path of importedFiles) {
    const id = fileIds.get(path)!
    const bytes = yield* load(path)
    const dimensions = dimensionsOf(bytes)
    const contentType = mediaTypeOf(path)
    const record: FileRecord = {
      name: fileNameOf(path, contentType),
      contentType,
      size: bytes.length,
      hash: yield* storeSource(bytes),
      ...(dimensions === undefined ? {} : { dimensions }),
      git: gitOf(path, bytes),
      imported: { from, resource: path }
    }
    if (!isEqualRecord(earlier.files.get(path)?.record, record)) {
      changes.push({ operation: "import_file", file: id, record })
    }
  }
  for (const { path, size } of ofKind("source")) {
    if (size > bounds.pageBytes) continue
    const redirects: Record<string, PageId> = {}
    if (path === configurationPath) {
      for (const [redirected, target] of Object.entries(layout.redirects)) {
        const id = pageIds.get(resolve(target) ?? "")
        if (id === undefined)
          skip("entry", redirected, `The redirect leads to ${target}, which is not a page.`)
        else redirects[redirected] = id
      }
    }
    const record = {
      hash: yield* storeSource(yield* load(path)),
      ...(Object.keys(redirects).length === 0 ? {} : { redirects })
    }
    changes.push({ operation: "import_source", path, record })
  }

  const documents = nodes.filter(({ path }) => path !== undefined).length
  const imported = documents + includeIds.size + importedFiles.size
  return {
    changes: [...changes, ...pageChanges],
    outlines: parsedOutlines,
    nodes: nodes.map((node, index) => ({ node, id: nodeIds[index]! })),
    files: new Set([...importedFiles].map((path) => fileIds.get(path)!)),
    includes: new Set(includeIds.values()),
    skipped,
    imported,
    total:
      imported +
      skipped.filter(({ kind, reason }) => kind !== "entry" && !reason.endsWith("its text.")).length
  }
})
