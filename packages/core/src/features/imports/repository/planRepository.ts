/**
 * Plans the import of a repository: parses its pages one at a time, stores their bodies and files, and returns the changes
 * that write them. Its memory use does not depend on the sizes of pages and files.
 */

import {
  catchUnreadable,
  configurationPath,
  keysOfNodes,
  makeFileResolver,
  mediaTypeOf,
  type ReadImport,
  type ReadPage,
  type RepositoryFiles,
  type RepositoryNode,
  type RepositoryPage,
  repositoryTreeInSteps,
  requestedSlug,
  type Skipped,
  stemOf,
  titleOfName
} from "@lectern/formats"
import type { BlobHash, Ids, StorageUnavailable } from "@lectern/kernel"
import type { FileRecord, PageRecord, ReusableContentRecord } from "@lectern/kernel/tables"
import { runInSteps } from "@lectern/markdown/merge"
import type { Outline } from "@lectern/markdown/outline"
import { FileId, PageId, ReusableContentId } from "@lectern/model/content"
import { bounds } from "@lectern/model/imports"
import { Effect } from "effect"
import type { ContentStore } from "../../content/ContentStore.ts"
import { type ImportChange, type ImportPage, withImported } from "../../content/edit/importChanges.ts"
import { dimensionsOf } from "../../content/edit/StoredFile.ts"
import type { Outlines } from "../../content/Outlines.ts"
import { makeArchiveAllowance } from "../archiveAllowance.ts"
import { type FetchError, urlError } from "../ImportContext.ts"
import { fileNameOf } from "../images.ts"
import type { PlanJournal } from "../RunContext.ts"
import {
  conditionProblemsOf,
  gitOf,
  isEqualRecord,
  ownTitleOf,
  resolveMarks,
  settingsOfPage
} from "./fileContent.ts"
import { makeImportedFiles } from "./importedFiles.ts"
import { makeLinkTargets } from "./linkTargets.ts"
import type { RepositoryContent } from "./RepositoryContent.ts"
import { specPartsOf } from "./specParts.ts"
import { makeStoredBytes } from "./storedBytes.ts"
import { hiddenReason, placeUnlisted, retainedReason, selectNodes, visibleReason } from "./unlistedPages.ts"

/** The services that planning uses. */
export interface PlanServices {
  readonly ids: Ids["Service"]
  readonly store: ContentStore["Service"]
  readonly outlines: Outlines["Service"]
  readonly read: ReadImport
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
  /** The hashes of the files that are not content, by their paths. */
  readonly sources: ReadonlyMap<string, BlobHash>
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

/** The number of nodes that are planned between two yields to the event loop. */
const nodesPerTurn = 100

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
  /** The number of resources that are not imported. */
  let omitted = skipped.length
  /** Reports a problem of a resource that is imported, or of an entry. */
  const report = (kind: Skipped["kind"], resource: string, reason: string): void => {
    skipped.push({ kind, resource, reason })
  }
  /** Reports a resource that is not imported. */
  const omit = (kind: "page" | "file", resource: string, reason: string): void => {
    omitted++
    report(kind, resource, reason)
  }
  if (layout.isInvalid) report("entry", configurationPath, "The configuration is not a mapping of YAML.")

  /** Returns an id for new content. Every attempt of a run uses the same. */
  const newId = (key: string): Effect.Effect<string> =>
    journal === undefined ? ids.next : Effect.sync(() => journal.idOf(key))

  const resolve = makeFileResolver(repository)
  /** Returns the pages that the table of contents of the earlier import lists. */
  const listedBefore = Effect.fnUntraced(function* (known: RepositoryFiles) {
    const hash = earlier.sources.get(layout.summaryPath)
    if (summary === undefined || hash === undefined) return new Set<string>()
    const bytes = yield* store.files.readWhole(hash)
    if (bytes === undefined) return new Set<string>()
    const before = yield* catchUnreadable(read("summary", { bytes }), () => Effect.succeed([]))
    return (yield* runInSteps(repositoryTreeInSteps(before, known))).listed
  })
  const ofKind = (kind: string) => [...files.values()].filter((file) => file.kind === kind)
  const pageFiles = ofKind("page").filter(({ path, size }) => {
    if (size <= bounds.pageBytes) return true
    omit("page", path, `The page is larger than ${bounds.pageBytes >> 20} MiB.`)
    return false
  })

  // The title of a page in the table of contents is known; the others are loaded, and only their beginning is parsed.
  const untitled = pageFiles.map(({ path }): RepositoryPage => ({ path, title: "" }))
  const listedOnly = yield* runInSteps(repositoryTreeInSteps(summary, { layout, pages: untitled, resolve }))
  const withoutTitle = new Set(
    listedOnly.nodes.flatMap(({ path, title }) => (path !== undefined && title === "" ? [path] : []))
  )
  const pages: Array<RepositoryPage> = []
  for (const { path } of pageFiles) {
    const title = withoutTitle.has(path) ? ownTitleOf(path, yield* load(path)) : ""
    if (title === undefined) omit("page", path, "The page is not text.")
    else pages.push({ path, title })
  }
  if (pages.length === 0) {
    return yield* urlError(
      `points to an archive without a page that can be imported: ${skipped[0]?.resource} is too large or not text`
    )
  }
  // The tree with all pages. Pages without a reference are removed when all links are known.
  const whole = yield* runInSteps(repositoryTreeInSteps(summary, { layout, pages, resolve }))
  for (const { resource, reason } of whole.problems) report("entry", resource, reason)
  const formerlyListed = yield* listedBefore({ layout, pages, resolve })

  yield* Effect.yieldNow
  const keys = keysOfNodes(whole.nodes)
  const nodeIds: Array<PageId> = []
  const indexOfPath = new Map<string, number>()
  for (const [index, key] of keys.entries()) {
    nodeIds.push(earlier.pages.get(key)?.id ?? PageId.make(yield* newId(key)))
    const { path } = whole.nodes[index]!
    if (path !== undefined) indexOfPath.set(path, index)
  }
  const isUnlisted = ({ path }: RepositoryNode): boolean => path !== undefined && !whole.listed.has(path)
  /** The indexes of the imported nodes: all except the unlisted pages, which are added when a link to them is found. */
  const included = new Set(
    whole.nodes.flatMap((node, index) =>
      isUnlisted(node) && !earlier.pages.has(keys[index]!) ? [] : [index]
    )
  )
  let found: Array<number> = [...included]
  /** Includes a page that the content links to, and returns its id. */
  const linkPage = (path: string): PageId | undefined => {
    const index = indexOfPath.get(path)
    if (index === undefined) return undefined
    if (!included.has(index)) {
      included.add(index)
      found.push(index)
    }
    return nodeIds[index]
  }
  const includeIds = new Map<string, ReusableContentId>()
  for (const { path } of ofKind("include")) {
    includeIds.set(path, earlier.includes.get(path)?.id ?? ReusableContentId.make(yield* newId(path)))
  }
  // Every file has an id, but those outside of the folder of assets are imported only if a page refers to them.
  const fileIds = new Map<string, FileId>()
  for (const { path, kind } of files.values()) {
    if (kind !== "asset" && kind !== "other") continue
    fileIds.set(path, earlier.files.get(path)?.id ?? FileId.make(yield* newId(path)))
  }
  const importedFiles = makeImportedFiles(files, fileIds, (path, reason) => omit("file", path, reason))
  for (const { path } of ofKind("asset")) importedFiles.add(path)

  const { resourceOf, destinationOf, imageOf, targetOf } = makeLinkTargets({
    resolve,
    page: linkPage,
    file: importedFiles.add,
    include: (path) => includeIds.get(path)
  })

  const { outlines: parsedOutlines, storeBody, storeSource } = makeStoredBytes({ store, outlines })

  const readPart = Effect.fnUntraced(function* (
    path: string,
    part: "page" | "include"
  ): Effect.fn.Return<
    { readonly page: ReadPage; readonly bytes: Uint8Array },
    FetchError | StorageUnavailable
  > {
    const bytes = yield* load(path)
    yield* spend(bytes)
    const page = yield* catchUnreadable(read("markdown", { bytes, mark, base: path, part }), (error) => {
      report("page", path, `The page ${error.message}; it is imported without its text.`)
      return Effect.succeed<ReadPage>({
        title: undefined,
        description: undefined,
        markdown: "",
        targets: [],
        anchors: {}
      })
    })
    for (const reason of conditionProblemsOf(page)) report("entry", path, reason)
    return { page, bytes }
  })

  const planNode = Effect.fnUntraced(function* (index: number): Effect.fn.Return<ImportPage, FetchError> {
    if (index % nodesPerTurn === 0) yield* Effect.yieldNow
    const node = whole.nodes[index]!
    const key = keys[index]!
    const known = earlier.pages.get(key)?.page
    const earlierPlan = journal?.find(key)
    for (const path of earlierPlan?.files ?? []) importedFiles.add(path)
    for (const path of earlierPlan?.links ?? []) linkPage(path)
    if (earlierPlan !== undefined) return earlierPlan.change
    const target = targetOf(node)
    const common = {
      operation: "import_page",
      page: nodeIds[index]!,
      type: node.type,
      // The parent is set when the tree is complete.
      into: "",
      title: node.title,
      description: undefined
    } as const
    if (node.path === undefined) {
      return {
        ...common,
        imported: { from, resource: key },
        slug: requestedSlug(layout, whole.nodes, index, undefined, known),
        body: known?.body,
        git: undefined,
        settings: {
          ...node.settings,
          ...(target === undefined ? {} : { target }),
          ...(node.computed === undefined ? {} : { computed: node.computed })
        }
      }
    }
    const { page, bytes } = yield* readPart(node.path, "page")
    const text = resolveMarks(page, mark, destinationOf)
    const settings = settingsOfPage(page, imageOf)
    const placement = isUnlisted(node)
      ? placeUnlisted(settings, known, formerlyListed.has(node.path))
      : { settings }
    const resources = page.targets.flatMap(({ url }) => resourceOf(url) ?? [])
    const change: ImportPage = {
      ...common,
      imported: { from, resource: key, ...(placement.isUnlisted === true ? { isUnlisted: true } : {}) },
      slug: requestedSlug(layout, whole.nodes, index, page.fields?.slug, known),
      body: yield* storeBody(text, known?.body),
      git: gitOf(node.path, bytes),
      changedAt: repository.changedAt?.(node.path),
      settings: { ...placement.settings, source: yield* storeSource(bytes) }
    }
    yield* journal?.add(
      key,
      {
        change,
        files: resources.filter((path) => importedFiles.paths.has(path)),
        links: resources.filter((path) => indexOfPath.has(path))
      },
      whole.nodes.length
    ) ?? Effect.void
    return change
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
  for (const target of Object.values(layout.redirects)) linkPage(resolve(target) ?? "")

  const planned = new Map<number, ImportPage>()
  while (found.length > 0) {
    const next = found
    found = []
    const changesOfNext = yield* Effect.forEach(next, planNode, { concurrency: parsedPages })
    for (const [at, index] of next.entries()) planned.set(index, changesOfNext[at]!)
  }
  yield* Effect.yieldNow
  const selected = selectNodes(whole.nodes, included)
  const nodes = selected.map(({ node, index }) => ({ node, id: nodeIds[index]! }))
  const pageChanges = selected.flatMap(({ node, index }): Array<ImportPage> => {
    const into = node.parent === undefined ? "" : nodes[node.parent]!.id
    const change: ImportPage = { ...planned.get(index)!, into }
    const known = earlier.pages.get(keys[index]!)?.page
    return known === undefined || !isEqualRecord(withImported(known, change), known) ? [change] : []
  })
  const retained: Array<string> = []
  for (const [index, node] of whole.nodes.entries()) {
    if (node.path === undefined || !isUnlisted(node)) continue
    if (included.has(index)) {
      const isHidden = planned.get(index)?.settings?.hidden === true
      report("page", node.path, isHidden ? hiddenReason : visibleReason)
    } else {
      retained.push(node.path)
      omit("page", node.path, retainedReason)
    }
  }

  for (const path of importedFiles.paths) {
    const id = fileIds.get(path)!
    const bytes = yield* load(path)
    // The set grows while it is iterated: a specification consists of the files that it refers to.
    for (const part of specPartsOf(path, bytes)) importedFiles.add(resolve(part) ?? part)
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
  // A file that an earlier import has retained, and that is a page now.
  for (const path of earlier.sources.keys()) {
    if (included.has(indexOfPath.get(path) ?? -1)) {
      changes.push({ operation: "import_source", path, record: undefined })
    }
  }
  const sources = ofKind("source").filter(({ size }) => size <= bounds.pageBytes)
  for (const path of [...sources.map((file) => file.path), ...retained]) {
    const redirects: Record<string, PageId> = {}
    if (path === configurationPath) {
      for (const [redirected, target] of Object.entries(layout.redirects)) {
        const id = linkPage(resolve(target) ?? "")
        if (id === undefined)
          report("entry", redirected, `The redirect leads to ${target}, which is not a page.`)
        else redirects[redirected] = id
      }
    }
    const record = {
      hash: yield* storeSource(yield* load(path)),
      ...(Object.keys(redirects).length === 0 ? {} : { redirects })
    }
    changes.push({ operation: "import_source", path, record })
  }

  const documents = nodes.filter(({ node }) => node.path !== undefined).length
  const imported = documents + includeIds.size + importedFiles.paths.size
  return {
    changes: [...changes, ...pageChanges],
    outlines: parsedOutlines,
    nodes,
    files: new Set([...importedFiles.paths].map((path) => fileIds.get(path)!)),
    includes: new Set(includeIds.values()),
    skipped,
    imported,
    total: imported + omitted
  }
})
