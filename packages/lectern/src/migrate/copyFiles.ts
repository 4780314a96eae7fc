/** Copies the files of a space. */
import { Effect } from "effect"
import type { Item, RequestFailed } from "./ApiClient.ts"
import { describeFailure, type Findings, type MigrationContext, textOf } from "./Context.ts"
import { editPath } from "./SourceContent.ts"

/** The maximum number of files of a request, and the size after which a request is sent, in bytes. */
const maximumFiles = 20
const maximumBatchBytes = 16 * 1024 * 1024

/** How often files are read whose download was interrupted. */
const maximumAttempts = 2

interface Downloaded {
  readonly file: Item
  readonly body: Uint8Array
}

const nameOf = (file: Item): string =>
  textOf(file.name)
    .replace(/[/\\\p{Cc}]/gu, "_")
    .slice(0, 256) || "file"

const Files = (value: unknown): ReadonlyArray<Item> =>
  (Array.isArray(value) ? value : []).filter(
    (file): file is Item => typeof file === "object" && file !== null && typeof (file as Item).id === "string"
  )

/** Copies files into the content at a path of the target. */
export const copyFiles = Effect.fnUntraced(function* (
  context: MigrationContext,
  space: string,
  files: ReadonlyArray<Item>,
  targetPath: string,
  findings: Findings
): Effect.fn.Return<void, RequestFailed> {
  const { source, target, journal } = context
  const keyOf = ({ id }: Item) => `file/${space}/${id}`
  const pending = () => files.filter((file) => journal.idOf(keyOf(file)) === undefined)

  /** Notes files that a run has added before it was interrupted. Their order is that of the source. */
  const adopt = Effect.fnUntraced(function* () {
    if (!pending().some((file) => journal.isStarted(keyOf(file)))) return
    const known = new Set(journal.entries(`file/${space}/`).map(([, id]) => id))
    const unknown = (yield* target.list(`${targetPath}/files`))
      .filter(({ id }) => !known.has(id))
      .toReversed()
    for (const copy of unknown) {
      const file = pending().find(
        (one) =>
          journal.isStarted(keyOf(one)) &&
          nameOf(one) === copy.name &&
          (one.size === undefined || one.size === copy.size)
      )
      if (file !== undefined) yield* journal.finish(keyOf(file), copy.id)
    }
  })

  const upload = Effect.fnUntraced(function* (batch: ReadonlyArray<Downloaded>) {
    if (batch.length === 0) return
    const form = new FormData()
    for (const { file, body } of batch) {
      form.append("files", new Blob([body as BlobPart], { type: textOf(file.contentType) }), nameOf(file))
    }
    for (const { file } of batch) yield* journal.start(keyOf(file))
    const idempotencyKey = journal.keyOf(batch.map(({ file }) => keyOf(file)).join())
    const result = yield* Effect.result(
      target.send({ method: "POST", path: editPath(targetPath), body: form, idempotencyKey })
    )
    if (result._tag === "Failure") {
      const { status, reason } = result.failure
      // A repetition is rejected with 409, because the response has signed URLs.
      return status === 0 || status >= 500 || reason === "AlreadyDone"
        ? yield* adopt()
        : yield* result.failure
    }
    const inserted = Files(result.success.insertedFiles)
    for (const [index, { file }] of batch.entries()) {
      const copy = inserted[index]
      if (copy !== undefined) yield* journal.finish(keyOf(file), copy.id)
    }
  })

  const failures = new Map<string, RequestFailed>()
  yield* adopt()
  for (let attempt = 0; attempt < maximumAttempts && pending().length > 0; attempt++) {
    let batch: Array<Downloaded> = []
    let bytes = 0
    for (const file of pending()) {
      const read = yield* Effect.result(source.download(textOf(file.downloadURL)))
      if (read._tag === "Failure") {
        failures.set(file.id, read.failure)
        continue
      }
      batch.push({ file, body: read.success.body })
      bytes += read.success.body.length
      if (batch.length < maximumFiles && bytes < maximumBatchBytes) continue
      yield* upload(batch)
      batch = []
      bytes = 0
    }
    yield* upload(batch)
    const isFinal = ({ id }: Item) => {
      const failure = failures.get(id)
      return failure !== undefined && (failure.status !== 0 || failure.isPermanent === true)
    }
    if (pending().every(isFinal)) break
    yield* Effect.sleep(context.retryMillis * 2 ** attempt)
  }
  for (const file of pending()) {
    const failure = failures.get(file.id)
    const reason = failure === undefined ? "It could not be written." : describeFailure(failure)
    findings.missing(`The file ${nameOf(file)}: ${reason}`)
  }
})
