/** Operations that import content from websites, archives and documents. */
import { Context, Effect, Layer, Semaphore } from "effect"
import { Locks } from "../../access/operations/Locks.ts"
import type { Command } from "../../access/operations/Operation.ts"
import { Operations } from "../../access/operations/Operations.ts"
import { Conflict, type UpstreamFailed, type UpstreamTimeout } from "../../kernel/errors.ts"
import { TransactionEvents } from "../../kernel/events/TransactionEvents.ts"
import { Ids } from "../../kernel/ids/Ids.ts"
import { Fetcher } from "../../kernel/network/Fetcher.ts"
import { makeLinkBase } from "../../kernel/network/PublicUrl.ts"
import { EditableContent } from "../../model/content/ContentOf.ts"
import { ImportContent, type ImportedContent } from "../../model/imports/Import.ts"
import { ContentAccess, type ContentError, type ResolvedContent } from "../content/ContentAccess.ts"
import { ContentStore } from "../content/ContentStore.ts"
import { editabilityError, makeWrite } from "../content/edit/edit.ts"
import { FileUrls } from "../content/FileUrls.ts"
import { Outlines } from "../content/outline/Outlines.ts"
import { ImportReader } from "../conversion/ImportReader.ts"
import type { ImportContext } from "./ImportContext.ts"
import { fetchSource, prepareImport } from "./prepareImport.ts"

/** Operations that import content, on behalf of the `CurrentUser`. */
export interface ImportsOperations {
  /**
   * Imports the resource at a URL as one revision of the content, and returns the revision with the numbers of imported
   * and attempted resources. Pages and files of an earlier import from the same URL are updated in place; pages and files
   * that no longer exist in the source are retained. Requires the permission to edit the content.
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

/** The maximum number of concurrent imports. Each holds its resources in memory. */
const maximumConcurrentImports = 8

const makeImports = Effect.gen(function* () {
  const { stagedCommand } = yield* Operations
  const access = yield* ContentAccess
  const store = yield* ContentStore
  const urls = yield* FileUrls
  const ids = yield* Ids
  const linkBase = yield* makeLinkBase
  const fetch = yield* Fetcher
  const read = yield* ImportReader
  const semaphore = yield* Semaphore.make(maximumConcurrentImports)
  const events = yield* TransactionEvents
  const outlines = yield* Outlines
  const write = makeWrite({ access, content: store, urls, ids, events, outlines, linkBase, read })

  const services = { ids, store, outlines }

  /** Fails with `Conflict` if the content cannot be edited in its current state. */
  const requireEditable = (resolved: ResolvedContent): Effect.Effect<void, Conflict> => {
    const why = editabilityError(resolved)
    return why === undefined ? Effect.void : Effect.fail(why)
  }

  return {
    import: stagedCommand(
      "Imports.import",
      {
        parameters: { content: EditableContent, input: ImportContent },
        authorize: access.allow("edit"),
        locks: ({ content }) => Locks.space(content)
      },
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
            const context: ImportContext = { fetch, read, mark: yield* ids.next }
            const source = yield* fetchSource(context, input)
            const from = new URL(input.url).href
            const prepared = yield* prepareImport(services, context, source, from, resolved.tree)
            return yield* commit(
              access.open(content, "edit"),
              Effect.fnUntraced(function* (current) {
                yield* requireEditable(current)
                const isUnchanged = current.revision.root === resolved.revision.root
                const plan = isUnchanged
                  ? prepared
                  : yield* prepareImport(services, context, source, from, current.tree)
                const { revision } = yield* write(current, {
                  changes: plan.changes,
                  outlines: new Map([...prepared.outlines, ...plan.outlines]),
                  message: `Imported from ${from}`.slice(0, 1000),
                  ...(plan.git === undefined ? {} : { git: plan.git })
                })
                return {
                  revision,
                  importedResources: plan.imported,
                  totalResources: plan.total,
                  urls: { location: `${yield* linkBase}/v1/spaces/${current.space.id}/revisions/${revision}` }
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
