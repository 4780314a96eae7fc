/** `lectern compact`: it deletes unreachable content, reports progress, and shrinks a SQLite file. */
import { randomBytes } from "node:crypto"
import { statSync } from "node:fs"
import { join } from "node:path"
import {
  Administration,
  BlobCompression,
  Blobs,
  blobs,
  Content,
  CurrentUser,
  type EditedPage,
  OnSweepProgress,
  PageId,
  Records,
  RecordsAdapter,
  type RevisionId,
  Spaces,
  type SweepProgress,
  UserId,
  Workspace
} from "@lectern/core"
import { SqliteStorage } from "@lectern/storage-sqlite"
import { makeMovableClock } from "@lectern/testkit/model"
import { Clock, Effect, Layer } from "effect"
import { expect, it } from "vitest"
import { runCommand } from "./processes.ts"
import { temporaryFolder } from "./stores.ts"

/** Stores blobs that no revision reaches, at a time in the past. */
const storeGarbage = (filename: string, count: number): Promise<void> =>
  Effect.runPromise(
    Effect.flatMap(Blobs, (store) =>
      store.put(Array.from({ length: count }, () => new Uint8Array(randomBytes(4096))))
    ).pipe(
      Effect.provideService(Clock.Clock, makeMovableClock().clock),
      Effect.provide(Blobs.layer.pipe(Layer.provide(Records.layer))),
      Effect.provide(SqliteStorage.layer(filename)),
      Effect.asVoid
    )
  )

const pageOf = (change: EditedPage | undefined): PageId => {
  if (change?.object !== "created_page") throw new Error("No page was created.")
  return PageId.make(change.page.id)
}

/** Removes the lines of progress, which a command that takes longer than a second writes to standard error. */
const withoutProgress = (errors: string): string =>
  errors.replace(/^(visited nodes|examined blobs|compared blobs): \d+\n/gm, "")

it("deletes unreachable blobs, and returns their space with --vacuum", async () => {
  const filename = join(temporaryFolder(), "lectern.db")
  await storeGarbage(filename, 300)
  const before = statSync(filename).size
  const { code, output, errors } = await runCommand([
    "compact",
    "--vacuum",
    "--database-url",
    `sqlite:${filename}`
  ])
  expect([code, withoutProgress(errors)]).toEqual([0, ""])
  expect(output).toContain("Deleted 300 unreachable blobs.")
  expect(statSync(filename).size).toBeLessThan(before / 2)
  const rows = await Effect.runPromise(
    Effect.provide(
      Effect.flatMap(RecordsAdapter, (adapter) => adapter.count(blobs, { op: "all" })),
      SqliteStorage.layer(filename)
    )
  )
  expect(rows).toBe(0)
})

it("reports the number of blobs that it examined and deleted", async () => {
  const filename = join(temporaryFolder(), "lectern.db")
  await storeGarbage(filename, 700)
  const reports: Array<SweepProgress> = []
  await Effect.runPromise(
    Effect.flatMap(Content, ({ sweep }) => sweep).pipe(
      Effect.provideService(OnSweepProgress, (progress) => Effect.sync(() => reports.push(progress))),
      Effect.provide(Workspace.layer.pipe(Layer.provide(SqliteStorage.layer(filename))))
    )
  )
  expect(reports).toEqual([
    { phase: "sweep", examined: 500, removed: 500 },
    { phase: "sweep", examined: 700, removed: 700 }
  ])
})

it("stores the versions of content again that were stored unchanged, once", async () => {
  const filename = join(temporaryFolder(), "lectern.db")
  const database = ["--database-url", `sqlite:${filename}`]
  const textOf = (edit: number) => `${"An unchanged sentence of the page. ".repeat(80)} Edit ${edit}.`
  const edits = 30
  const withWorkspace = <A, E>(
    use: Effect.Effect<A, E, Administration | Content | Spaces>,
    compresses: boolean
  ) =>
    Effect.runPromise(
      use.pipe(
        Effect.provide(Workspace.layer.pipe(Layer.provide(SqliteStorage.layer(filename)))),
        Effect.provideService(BlobCompression, compresses)
      )
    )
  const page = await withWorkspace(
    Effect.gen(function* () {
      const administration = yield* Administration
      const user = UserId.make(yield* administration.createUser({ input: { email: "ada@example.com" } }))
      const organization = yield* administration.createOrganization({
        administrator: user,
        input: { title: "Acme" }
      })
      const as = CurrentUser.provide(user)
      const { id: space } = yield* as((yield* Spaces).create({ organization, input: {} }))
      const content = yield* Content
      const { changes } = yield* as(
        content.edit({
          content: { space },
          input: {
            changes: [{ operation: "insert_page", title: "Page", document: { markdown: textOf(0) } }]
          }
        })
      )
      const id = pageOf(changes[0])
      const revisions: Array<RevisionId> = []
      for (let edit = 1; edit <= edits; edit++) {
        const { revision } = yield* as(
          content.edit({
            content: { space },
            input: { changes: [{ operation: "update_page", page: id, document: { markdown: textOf(edit) } }] }
          })
        )
        revisions.push(revision)
      }
      return { space, id, user, revisions }
    }),
    false
  )
  const unchanged = await runCommand(["compact", "--json", "--blob-compression", "off", ...database])
  expect(JSON.parse(unchanged.output)).toMatchObject({ reencodedBlobs: 0, savedBytes: 0 })
  const { code, output, errors } = await runCommand(["compact", "--json", ...database])
  expect([code, withoutProgress(errors)]).toEqual([0, ""])
  const { reencodedBlobs, savedBytes } = JSON.parse(output)
  expect(reencodedBlobs).toBeGreaterThan(2 * edits)
  expect(savedBytes).toBeGreaterThan(0.8 * edits * textOf(0).length)
  const repeated = await runCommand(["compact", "--json", ...database])
  expect(JSON.parse(repeated.output)).toMatchObject({ reencodedBlobs: 0, savedBytes: 0 })
  const read = await withWorkspace(
    Effect.gen(function* () {
      const content = yield* Content
      return yield* Effect.forEach(page.revisions, (revision) =>
        CurrentUser.provide(page.user)(
          content.getPage({
            content: { space: page.space, revision },
            page: page.id,
            input: { format: "markdown" }
          })
        )
      )
    }),
    true
  )
  expect(read.map((one) => (one as { markdown: string }).markdown.trim())).toEqual(
    Array.from({ length: edits }, (_, edit) => textOf(edit + 1))
  )
  const doctor = await runCommand(["doctor", ...database])
  expect([doctor.code, doctor.output]).toEqual([0, expect.any(String)])
})

it("rejects --vacuum for PostgreSQL", async () => {
  const { code, errors } = await runCommand([
    "compact",
    "--vacuum",
    "--database-url",
    "postgres://lectern@localhost/lectern"
  ])
  expect(code).toBe(1)
  expect(errors).toContain("--vacuum applies to SQLite only")
})
