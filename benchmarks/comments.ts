/**
 * Measures comments: reading page 500 of a list of 50,000 comments compared with the first page, and adding a comment
 * to 10,000 compared with adding one to 10. Only the ratios are comparable between machines. Run with
 * `npm run bench:comments`.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import {
  Administration,
  CommentId,
  Comments,
  CurrentUser,
  comments,
  Ids,
  type Records,
  type RecordsAdapter,
  Spaces,
  UserId,
  Workspace
} from "@lectern/core"
import { allRecords } from "@lectern/harness"
import { createTestDatabase, startPostgres } from "@lectern/harness/postgres"
import { PgStorage } from "@lectern/storage-pg"
import { SqliteStorage } from "@lectern/storage-sqlite"
import { Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { median } from "./processes.ts"

const measure = async (title: string, storage: Layer.Layer<RecordsAdapter, unknown>): Promise<void> => {
  const runtime = ManagedRuntime.make(Layer.merge(Workspace.layer, Ids.layer).pipe(Layer.provide(storage)))
  const setUp = await runtime.runPromise(
    Effect.gen(function* () {
      const administration = yield* Administration
      const user = UserId.make(yield* administration.createUser({ input: { email: "bench@example.com" } }))
      const organization = yield* administration.createOrganization({
        administrator: user,
        input: { title: "Measured" }
      })
      return { user, organization }
    })
  )
  const run = <A, E>(effect: Effect.Effect<A, E, CurrentUser | Comments | Spaces | Records | Ids>) =>
    runtime.runPromise(CurrentUser.provide(setUp.user)(effect))

  /** Creates a space with a number of comments. */
  const createSpace = (count: number) =>
    run(
      Effect.gen(function* () {
        const ids = yield* Ids
        const records = yield* allRecords
        const space = yield* (yield* Spaces).create({ organization: setUp.organization, input: {} })
        const first = yield* (yield* Comments).create({
          target: { space: space.id },
          input: { body: { markdown: "First" } }
        })
        const row = (yield* records.get(comments, { id: CommentId.make(first.id) }))!
        for (let from = 1; from < count; from += 1000) {
          const rows = []
          for (let i = from; i < Math.min(count, from + 1000); i++) {
            rows.push({ ...row, id: CommentId.make(yield* ids.next) })
          }
          yield* records.insertMany(comments, rows)
        }
        return space.id
      })
    )
  const listComments = (space: string, page: string | undefined) =>
    run(
      Effect.flatMap(Comments, (threads) =>
        threads.list({ target: { space }, input: { limit: 100, ...(page === undefined ? {} : { page }) } })
      )
    )
  const medianMs = async (rounds: number, round: () => Promise<unknown>) => {
    const millis: Array<number> = []
    for (let i = 0; i < rounds; i++) {
      const started = performance.now()
      await round()
      millis.push(performance.now() - started)
    }
    return median(millis)
  }

  const space = await createSpace(50_000)
  let page: string | undefined
  for (let i = 1; i < 500; i++) page = (await listComments(space, page)).next?.page
  await medianMs(20, () => listComments(space, page))
  const [first, deep] = [
    await medianMs(60, () => listComments(space, undefined)),
    await medianMs(60, () => listComments(space, page))
  ]
  console.log(
    `${title}, page 500 of 50,000 comments: ${(deep / first).toFixed(2)} times page 1 (${first.toFixed(2)} ms); at most 1.3`
  )
  const [few, many] = [await createSpace(10), await createSpace(10_000)]
  const postTo = (space: string) => () =>
    run(
      Effect.flatMap(Comments, (threads) =>
        threads.create({ target: { space }, input: { body: { markdown: "Measured" } } })
      )
    )
  await medianMs(50, postTo(many))
  const [small, large] = [await medianMs(100, postTo(few)), await medianMs(100, postTo(many))]
  console.log(
    `${title}, a new comment in a space of 10,000: ${(large / small).toFixed(2)} times one in a space of 10 (${small.toFixed(2)} ms)`
  )
  await runtime.dispose()
}

const folder = mkdtempSync(join(tmpdir(), "lectern-bench-"))
const postgres = await startPostgres([])
try {
  await measure("SQLite", SqliteStorage.layer({ filename: join(folder, "comments.db") }))
  await measure("PostgreSQL", PgStorage.layer({ url: Redacted.make(await createTestDatabase(postgres.url)) }))
} finally {
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
