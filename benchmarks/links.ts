/**
 * Measures the link report of a space of 10,000 pages in a workspace that has just started, and after an edit, compared
 * with parsing all pages. Only the ratios are comparable between machines. Run with `npm run bench:links`.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import {
  Administration,
  Content,
  CurrentUser,
  Links,
  outlineOf,
  Spaces,
  UserId,
  Workspace
} from "@lectern/core"
import { SqliteStorage } from "@lectern/storage-sqlite"
import { Effect, Layer } from "effect"
import { median } from "./processes.ts"

const pages = 10_000

const textOf = (index: number) =>
  [
    `Page ${index} is about **one** thing, in a few sentences, with \`code\`.`,
    ...[1, 7, 31].map((step) => `See [another](/page-${(index + step) % pages}) and [this](#part).`),
    "## Part",
    "| a | b |\n| --- | --- |\n| 1 | 2 |",
    "```js\nconst a = 1\n```"
  ].join("\n\n")

const folder = mkdtempSync(join(tmpdir(), "lectern-bench-"))
const workspaceLayer = () =>
  Workspace.layer.pipe(Layer.provide(SqliteStorage.layer({ filename: join(folder, "links.db") })))

const measureTime = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const started = performance.now()
    const value = yield* effect
    return { value, timeMs: performance.now() - started }
  })

try {
  const { space, user } = await Effect.runPromise(
    Effect.gen(function* () {
      const administration = yield* Administration
      const user = UserId.make(yield* administration.createUser({ input: { email: "bench@example.com" } }))
      const organization = yield* administration.createOrganization({
        administrator: user,
        input: { title: "Measured" }
      })
      const { id } = yield* (yield* Spaces)
        .create({ organization, input: {} })
        .pipe(CurrentUser.provide(user))
      const content = yield* Content
      for (let at = 0; at < pages; at += 50) {
        const changes = Array.from({ length: 50 }, (_, index) => ({
          operation: "insert_page" as const,
          title: `Page ${at + index}`,
          document: { markdown: textOf(at + index) }
        }))
        yield* content.edit({ content: { space: id }, input: { changes } }).pipe(CurrentUser.provide(user))
      }
      return { space: id, user }
    }).pipe(Effect.provide(workspaceLayer()))
  )
  await Effect.runPromise(
    Effect.gen(function* () {
      const links = yield* Links
      const content = yield* Content
      const report = Effect.map(
        links.list({ content: { space }, input: { limit: 50 } }),
        ({ stats }) => stats
      )
      const first = yield* measureTime(report)
      const { pages: all } = yield* content.listPages({ content: { space } })
      const times: Array<number> = []
      for (let round = 0; round < 9; round++) {
        const page = all[round * 100]!.id
        const document = { markdown: `${textOf(round)}\n\n[new](/page-${round})` }
        yield* content.edit({
          content: { space },
          input: { changes: [{ operation: "update_page", page, document }] }
        })
        times.push((yield* measureTime(report)).timeMs)
      }
      const parsing = yield* measureTime(
        Effect.sync(() => {
          for (let index = 0; index < pages; index++) outlineOf(textOf(index))
        })
      )
      console.log(`${pages} pages: ${first.value.total} links, ${first.value.broken.total} of them broken`)
      console.log(
        `First report: ${first.timeMs.toFixed(0)} ms; after an edit: ${median(times).toFixed(0)} ms; ` +
          `parsing all pages: ${parsing.timeMs.toFixed(0)} ms`
      )
      console.log(
        `Relative to parsing all pages: ${(first.timeMs / parsing.timeMs).toFixed(3)} for the first report, ` +
          `${(median(times) / parsing.timeMs).toFixed(3)} after an edit`
      )
    }).pipe(CurrentUser.provide(user), Effect.provide(workspaceLayer()))
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}
