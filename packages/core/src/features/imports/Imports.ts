/**
 * Brings content in from elsewhere (decision D12): one import is one revision. What is outside is asked for before the
 * transaction, and whatever goes wrong there leaves the content as it is.
 */
import { Context, Effect, Layer, Semaphore } from "effect"
import { Conflict } from "../../kernel/errors.ts"
import { TransactionEvents } from "../../kernel/events/TransactionEvents.ts"
import { Ids } from "../../kernel/ids/Ids.ts"
import { Fetcher } from "../../kernel/network/Fetcher.ts"
import { PublicUrl } from "../../kernel/network/PublicUrl.ts"
import { query } from "../../kernel/operation/Operation.ts"
import { type BlobHash, Records, type StorageUnavailable } from "../../kernel/storage/index.ts"
import { ImportContent, type ImportedContent } from "../../model/imports/Import.ts"
import { ContentAccess, type Located } from "../content/ContentAccess.ts"
import { ContentStore } from "../content/ContentStore.ts"
import { EditableContent, makeWrite, whyNotEditable } from "../content/edit/edit.ts"
import { FileUrls } from "../content/FileUrls.ts"
import type { Outline } from "../content/outline/Outline.ts"
import { Outlines } from "../content/outline/Outlines.ts"
import { ImportReader, type Read } from "../conversion/ImportReader.ts"
import { gatherArchive } from "./archive.ts"
import type { Gathered } from "./Gathered.ts"
import { planImport } from "./plan.ts"
import type { GatherFailure, Outside } from "./requests.ts"
import { gatherSingle } from "./single.ts"
import { gatherWebsite } from "./website.ts"

/** How many imports are made at a time, for each holds what it has gathered; others wait. */
const atATime = 8

/** How many bytes are stored in one statement. */
const statementBytes = 1024 * 1024

/** How many blobs are stored in one statement. */
const statementBlobs = 100

/** The same in portions, in its order. */
const portioned = (blobs: ReadonlyArray<Uint8Array>): ReadonlyArray<ReadonlyArray<Uint8Array>> => {
  const portions: Array<Array<Uint8Array>> = []
  let left = 0
  for (const bytes of blobs) {
    const last = portions.at(-1)
    left -= bytes.length
    if (last === undefined || left < 0 || last.length === statementBlobs) {
      portions.push([bytes])
      left = statementBytes - bytes.length
    } else last.push(bytes)
  }
  return portions
}

const makeImports = Effect.gen(function* () {
  const records = yield* Records
  const access = yield* ContentAccess
  const content = yield* ContentStore
  const urls = yield* FileUrls
  const ids = yield* Ids
  const base = yield* PublicUrl
  const fetch = yield* Fetcher
  const reader = yield* ImportReader
  const turns = yield* Semaphore.make(atATime)
  const events = yield* TransactionEvents
  const outlines = yield* Outlines
  const write = makeWrite({ records, access, content, urls, ids, events, outlines, base })

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

  /** The content, which the caller may edit as it stands. */
  const open = Effect.fnUntraced(function* (of: typeof EditableContent.Type) {
    const located = yield* access.open(of, "edit")
    const why = whyNotEditable(located)
    return why === undefined ? located : yield* why
  })

  const put = (blobs: ReadonlyArray<Uint8Array>): Effect.Effect<void, StorageUnavailable> =>
    Effect.forEach(
      portioned(blobs),
      (portion) => Effect.andThen(Effect.yieldNow, content.blobs.put(portion)),
      {
        discard: true
      }
    )

  /** What texts are made of, told before the transaction, by the threads that read. */
  const outlinesOf = (
    texts: ReadonlyMap<BlobHash, Uint8Array>
  ): Effect.Effect<ReadonlyMap<BlobHash, Outline>> =>
    Effect.map(
      Effect.forEach(
        texts,
        ([hash, bytes]) =>
          Effect.map(outlines.takeApartElsewhere(bytes), (outline) => [hash, outline] as const),
        { concurrency: 4 }
      ),
      (all) => new Map(all)
    )

  const bring = Effect.fnUntraced(function* (
    of: typeof EditableContent.Type,
    begun: Located,
    asked: ImportContent,
    read: Read
  ) {
    const outside: Outside = { fetch, read, mark: yield* ids.next }
    const gathered = yield* gather(outside, asked)
    const origin = { from: new URL(asked.url).href, mark: outside.mark }
    const early = yield* planImport(begun.tree, gathered, origin, ids)
    const known = yield* outlinesOf(early.texts)
    const { revision } = yield* records.transaction(
      Effect.gen(function* () {
        const located = yield* open(of)
        const isSame = located.revision.root === begun.revision.root
        const plan = isSame ? early : yield* planImport(located.tree, gathered, origin, ids)
        yield* put(plan.blobs)
        return yield* write(located, {
          changes: plan.changes,
          outlines: known,
          message: `Imported from ${origin.from}`.slice(0, 1000),
          ...(gathered.git === undefined ? {} : { git: gathered.git })
        })
      })
    )
    return {
      revision,
      importedResources: gathered.pages.length + gathered.files.length,
      totalResources: gathered.total,
      urls: { location: `${base}/v1/spaces/${begun.space.id}/revisions/${revision}` }
    } satisfies ImportedContent
  })

  return {
    /**
     * Imports what an address leads to, as one revision. Pages that the same address made before are brought up to
     * date, and stay where they are; those that are not there any more stay too.
     */
    import: query([EditableContent, ImportContent], function* (of, asked) {
      // Who may not do it is told at once, not when it is their turn.
      const begun = yield* open(of)
      if (reader === undefined) {
        return yield* new Conflict({
          reason: "ConverterMissing",
          message: "This server cannot import content: the package @lectern/converters is not installed."
        })
      }
      return yield* turns.withPermit(bring(of, begun, asked, reader))
    })
  }
})

/** See the module's comment. */
export class Imports extends Context.Service<Imports, Effect.Success<typeof makeImports>>()(
  "@lectern/core/Imports"
) {
  static readonly layer: Layer.Layer<
    Imports,
    never,
    Records | ContentAccess | ContentStore | FileUrls | Ids | TransactionEvents | Outlines
  > = Layer.effect(Imports, makeImports)
}
