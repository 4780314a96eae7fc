/** Operations that import content from websites, archives and documents. */

import { type Command, Locks, Operations, SystemGrant } from "@lectern/access"
import { GitPacks, ImportLimits, ImportReader, MarkdownEngine } from "@lectern/formats"
import { Fetcher, Ids, Jobs, makeLinkBase, Records, TransactionEvents, Where } from "@lectern/kernel"
import { type ImportRunRow, importRuns } from "@lectern/kernel/tables"
import { EditableContent } from "@lectern/model/content"
import { Conflict, type UpstreamFailed, UpstreamTimeout } from "@lectern/model/errors"
import { ImportContent, type ImportedContent } from "@lectern/model/imports"
import { Context, Effect, Layer, Option, Semaphore } from "effect"
import { ContentAccess, type ContentError } from "../../content/ContentAccess.ts"
import { ContentStore } from "../../content/ContentStore.ts"
import { makeWrite, requireEditable } from "../../content/edit/edit.ts"
import { FileUrls } from "../../content/FileUrls.ts"
import { Outlines } from "../../content/Outlines.ts"
import { type ImportContext, urlError } from "../ImportContext.ts"
import { CurrentRun } from "../RunContext.ts"
import { activeStatuses, findAwaitedRun, insertRun } from "./importRunRows.ts"
import { missingSpecs } from "./missingSpecs.ts"
import { fetchSource, prepareImport } from "./prepareImport.ts"
import { readUploads } from "./uploadedFiles.ts"

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

/**
 * How long a request waits for its import, in milliseconds; 5 minutes by default. After that, the import continues as a run
 * in the background.
 */
export const ImportWait = Context.Reference<number>("@lectern/core/ImportWait", {
  defaultValue: () => 300_000
})

/** The interval at which a request looks whether its run has ended, in milliseconds. */
const pollMillis = 250

const makeImports = Effect.gen(function* () {
  const waitMillis = yield* ImportWait
  const jobs = yield* Jobs
  const { lockedTransaction } = yield* Records
  const system = yield* SystemGrant.make("Waits for import runs that the caller has started.")
  const { stagedCommand } = yield* Operations
  const access = yield* ContentAccess
  const store = yield* ContentStore
  const urls = yield* FileUrls
  const ids = yield* Ids
  const linkBase = yield* makeLinkBase
  const fetch = yield* Fetcher
  const limits = yield* ImportLimits
  const read = yield* ImportReader
  const processPack = yield* GitPacks
  const convert = yield* MarkdownEngine
  const semaphore = yield* Semaphore.make(maximumConcurrentImports)
  const events = yield* TransactionEvents
  const outlines = yield* Outlines
  const write = makeWrite({ access, content: store, urls, ids, events, outlines, linkBase, convert })

  const services = { ids, store, outlines }

  /** Fails with the run that a request cannot wait for any longer. */
  const stillRunning = Effect.fnUntraced(function* ({ id, organization }: ImportRunRow) {
    const location = `${yield* linkBase}/v1/org/${organization}/imports/${id}`
    return yield* new UpstreamTimeout({
      reason: "ImportStillRunning",
      message: `The import takes longer than ${waitMillis / 1000} s. It continues in the background; repeat the request to wait for it.`,
      run: { id, location }
    })
  })

  /** Waits for a run. Fails with the message of a run that failed. */
  const joinRun = Effect.fnUntraced(function* (awaited: ImportRunRow) {
    const waiting = Effect.gen(function* () {
      for (;;) {
        const row = yield* system.records.get(importRuns, { id: awaited.id })
        if (row === undefined || !activeStatuses.includes(row.status)) return row
        yield* Effect.sleep(pollMillis)
      }
    })
    const ended = yield* Effect.timeoutOption(waiting, waitMillis)
    if (Option.isNone(ended)) return yield* stillRunning(awaited)
    // The next request starts another import.
    yield* lockedTransaction(
      [],
      system.records.update(importRuns, Where.eq<ImportRunRow, "id">("id", awaited.id), { isAwaited: false })
    )
    const { value: row } = ended
    if (row?.revision == null) {
      return yield* urlError(`cannot be imported: ${row?.error ?? "the import was cancelled"}`)
    }
    return {
      revision: row.revision,
      importedResources: row.imported,
      totalResources: row.total,
      urls: { location: `${yield* linkBase}/v1/spaces/${row.space}/revisions/${row.revision}` }
    } satisfies ImportedContent
  })

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
        const run = yield* CurrentRun
        const perform = semaphore.withPermit(
          Effect.gen(function* () {
            const context: ImportContext = { fetch, read, processPack, limits, mark: yield* ids.next, run }
            const uploads = run?.uploads
            const source =
              run === undefined || uploads === undefined
                ? yield* fetchSource(context, input)
                : yield* readUploads(context, uploads, run.loadUpload, input.source)
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
                yield* plan.store
                const { revision } = yield* write(current, {
                  changes: plan.changes,
                  outlines: new Map([...prepared.outlines, ...plan.outlines]),
                  message: `Imported from ${uploads?.map(({ name }) => name).join(", ") ?? from}`.slice(
                    0,
                    1000
                  ),
                  ...(plan.git === undefined ? {} : { git: plan.git })
                })
                const result = {
                  revision,
                  importedResources: plan.imported,
                  totalResources: plan.total,
                  urls: { location: `${yield* linkBase}/v1/spaces/${current.space.id}/revisions/${revision}` }
                } satisfies ImportedContent
                if (run !== undefined) {
                  const missing = yield* missingSpecs(
                    current.records,
                    services.store.texts,
                    current.space.organization,
                    {
                      changes: plan.changes,
                      outlines: new Map([...prepared.outlines, ...plan.outlines])
                    }
                  )
                  const skipped = [...plan.skipped, ...missing]
                  yield* run.complete(current.records, { ...plan, skipped }, result)
                }
                return result
              })
            )
          })
        )
        if (run !== undefined) return yield* perform
        const awaited = yield* findAwaitedRun(resolved.records, resolved, input)
        if (awaited !== undefined) return yield* joinRun(awaited)
        const result = yield* Effect.timeoutOption(perform, waitMillis)
        if (Option.isSome(result)) return result.value
        const started = yield* commit(
          access.open(content, "edit"),
          Effect.fnUntraced(function* (current) {
            const other = yield* findAwaitedRun(current.records, current, input)
            return (
              other ?? (yield* insertRun(current.records, { ids, jobs }, current, input, { isAwaited: true }))
            )
          })
        )
        return yield* stillRunning(started)
      }
    )
  }
})

/** Operations that import content: see {@link ImportsOperations}. */
export class Imports extends Context.Service<Imports, ImportsOperations>()("@lectern/core/Imports") {
  static readonly layer: Layer.Layer<
    Imports,
    never,
    Operations | ContentAccess | ContentStore | FileUrls | Ids | TransactionEvents | Outlines | Jobs | Records
  > = Layer.effect(Imports, makeImports)
}
