/** Imports of content from other sources (decision D12). */
import { Context, Effect, Layer, Semaphore } from "effect"
import type { Command } from "../../access/operations/Operation.ts"
import { Operations } from "../../access/operations/Operations.ts"
import { Conflict, type UpstreamFailed, type UpstreamTimeout } from "../../kernel/errors.ts"
import { TransactionEvents } from "../../kernel/events/TransactionEvents.ts"
import { Ids } from "../../kernel/ids/Ids.ts"
import { Fetcher } from "../../kernel/network/Fetcher.ts"
import { PublicUrl } from "../../kernel/network/PublicUrl.ts"
import type { BlobHash, StorageUnavailable } from "../../kernel/storage/index.ts"
import { EditableContent } from "../../model/content/ContentOf.ts"
import { ImportContent, type ImportedContent } from "../../model/imports/Import.ts"
import { ContentAccess, type ContentError, type ResolvedContent } from "../content/ContentAccess.ts"
import { ContentStore } from "../content/ContentStore.ts"
import { editabilityError, makeWrite } from "../content/edit/edit.ts"
import { FileUrls } from "../content/FileUrls.ts"
import type { Outline } from "../content/outline/Outline.ts"
import { Outlines } from "../content/outline/Outlines.ts"
import { ImportReader } from "../conversion/ImportReader.ts"
import { gatherArchive } from "./archive.ts"
import type { Gathered } from "./Gathered.ts"
import { planImport } from "./plan.ts"
import type { GatherFailure, Outside } from "./requests.ts"
import { gatherSingle } from "./single.ts"
import { gatherWebsite } from "./website.ts"

/** Operations that import content, on behalf of the `CurrentUser`. */
export interface ImportsOperations {
  /**
   * Imports the resource at a URL as one revision of the content. Pages and files of an earlier import from the same
   * URL are updated in place; those that the source no longer has are retained.
   *
   * The source is fetched and parsed before the transaction: a failure leaves the content unchanged. Fails with
   * `InvalidInput` if the resource cannot be read as the given `source`, with `UpstreamFailed` or `UpstreamTimeout` if
   * it cannot be fetched, and with `Conflict` if the space is locked or the change request is closed. At most 8
   * imports run at the same time; others wait.
   */
  readonly import: Command<
    { content: EditableContent; input: ImportContent },
    ImportedContent,
    ContentError | UpstreamFailed | UpstreamTimeout
  >
}

/** How many imports run concurrently: each holds its resources in memory. */
const maximumConcurrentImports = 8

/** The most bytes that one statement stores. */
const batchBytes = 1024 * 1024

/** The most blobs that one statement stores. */
const batchBlobs = 100

/** Divides blobs into batches, one for each statement, in order. */
const batchesOf = (blobs: ReadonlyArray<Uint8Array>): ReadonlyArray<ReadonlyArray<Uint8Array>> => {
  const batches: Array<Array<Uint8Array>> = []
  let remainingBytes = 0
  for (const bytes of blobs) {
    const last = batches.at(-1)
    remainingBytes -= bytes.length
    if (last === undefined || remainingBytes < 0 || last.length === batchBlobs) {
      batches.push([bytes])
      remainingBytes = batchBytes - bytes.length
    } else last.push(bytes)
  }
  return batches
}

const makeImports = Effect.gen(function* () {
  const { stagedCommand } = yield* Operations
  const access = yield* ContentAccess
  const store = yield* ContentStore
  const urls = yield* FileUrls
  const ids = yield* Ids
  const base = yield* PublicUrl
  const fetch = yield* Fetcher
  const read = yield* ImportReader
  const semaphore = yield* Semaphore.make(maximumConcurrentImports)
  const events = yield* TransactionEvents
  const outlines = yield* Outlines
  const write = makeWrite({ access, content: store, urls, ids, events, outlines, base })

  const gather = (
    outside: Outside,
    { source, url }: ImportContent
  ): Effect.Effect<Gathered, GatherFailure> => {
    switch (source) {
      case "website":
        return gatherWebsite(outside, url)
      case "zip":
      case "github-wiki":
        return gatherArchive(outside, source, url)
      default:
        return gatherSingle(outside, source, url)
    }
  }

  /** Fails with `Conflict` if the content cannot be edited in its current state. */
  const requireEditable = (resolved: ResolvedContent): Effect.Effect<void, Conflict> => {
    const why = editabilityError(resolved)
    return why === undefined ? Effect.void : Effect.fail(why)
  }

  const storeBlobs = (blobs: ReadonlyArray<Uint8Array>): Effect.Effect<void, StorageUnavailable> =>
    Effect.forEach(batchesOf(blobs), (batch) => Effect.andThen(Effect.yieldNow, store.blobs.put(batch)), {
      discard: true
    })

  /** Parses the outlines of texts before the transaction, in the threads of the import reader. */
  const outlinesOf = (
    texts: ReadonlyMap<BlobHash, Uint8Array>
  ): Effect.Effect<ReadonlyMap<BlobHash, Outline>> =>
    Effect.map(
      Effect.forEach(
        texts,
        ([hash, bytes]) => Effect.map(outlines.parseLongText(bytes), (outline) => [hash, outline] as const),
        { concurrency: 4 }
      ),
      (all) => new Map(all)
    )

  return {
    import: stagedCommand(
      "Imports.import",
      { parameters: { content: EditableContent, input: ImportContent }, authorize: access.allow("edit") },
      function* ({ content, input }, resolved, commit) {
        // Checked here as well as in the transaction, so that a conflict is reported without waiting.
        yield* requireEditable(resolved)
        if (read === undefined) {
          return yield* new Conflict({
            reason: "ConverterMissing",
            message: "This server cannot import content: the package @lectern/converters is not installed."
          })
        }
        return yield* semaphore.withPermit(
          Effect.gen(function* () {
            const outside: Outside = { fetch, read, mark: yield* ids.next }
            const gathered = yield* gather(outside, input)
            const origin = { from: new URL(input.url).href, mark: outside.mark }
            const earlyPlan = yield* planImport(resolved.tree, gathered, origin, ids)
            const parsed = yield* outlinesOf(earlyPlan.texts)
            return yield* commit(
              access.open(content, "edit"),
              Effect.fnUntraced(function* (current) {
                yield* requireEditable(current)
                const isUnchanged = current.revision.root === resolved.revision.root
                const plan = isUnchanged ? earlyPlan : yield* planImport(current.tree, gathered, origin, ids)
                yield* storeBlobs(plan.blobs)
                const { revision } = yield* write(current, {
                  changes: plan.changes,
                  outlines: parsed,
                  message: `Imported from ${origin.from}`.slice(0, 1000),
                  ...(gathered.git === undefined ? {} : { git: gathered.git })
                })
                return {
                  revision,
                  importedResources: gathered.pages.length + gathered.files.length,
                  totalResources: gathered.total,
                  urls: { location: `${base}/v1/spaces/${current.space.id}/revisions/${revision}` }
                } satisfies ImportedContent
              })
            )
          })
        )
      }
    )
  }
})

/** Operations that import content: see {@link ImportsOperations}. */
export class Imports extends Context.Service<Imports, ImportsOperations>()("@lectern/core/Imports") {
  static readonly layer: Layer.Layer<
    Imports,
    never,
    Operations | ContentAccess | ContentStore | FileUrls | Ids | TransactionEvents | Outlines
  > = Layer.effect(Imports, makeImports)
}
