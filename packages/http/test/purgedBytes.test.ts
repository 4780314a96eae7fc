/** The file of a SQLite database after the removal of an organization: a rewritten file has no words of it. */

import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Administration, Content, CurrentUser, OrganizationPurge, UserId } from "@lectern/core"
import { rewriteFile, SqliteStorage } from "@lectern/storage-sqlite"
import { makeCoreApi } from "@lectern/testkit/model"
import { Clock, Effect } from "effect"
import { expect, it, onTestFinished } from "vitest"
import { createSampleOrganizations } from "./support/sampleWorkspace.ts"

/** Words that only one organization has. The index stores the first character of a term with its neighbor. */
const [removed, remaining] = ["xylophone", "marmalade"] as const

const day = 24 * 60 * 60 * 1000

it("has no words of a removed organization after `lectern compact --vacuum`", async () => {
  const folder = mkdtempSync(join(tmpdir(), "lectern-purged-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const filename = join(folder, "lectern.db")
  const core = makeCoreApi(SqliteStorage.layer({ filename }))
  const run = <A, E, R>(effect: Effect.Effect<A, E, R>): Promise<A> =>
    core.runtime.runPromise(
      Effect.provideService(effect, Clock.Clock, core.clock) as Effect.Effect<A, E, never>
    )
  const sampleOf = (name: string) =>
    run(
      createSampleOrganizations({
        ada: `${name}@example.com`,
        bob: `${name}.reader@example.com`,
        integration: name
      })
    )
  const insert = ({ ada, space }: Awaited<ReturnType<typeof sampleOf>>, word: string) =>
    run(
      Effect.flatMap(Content, (content) =>
        content.edit({
          content: { space },
          input: {
            changes: [{ operation: "insert_page", title: word, document: { markdown: `The ${word}s.` } }]
          } as never
        })
      ).pipe(CurrentUser.provide(UserId.make(ada)))
    )
  const one = await sampleOf("one")
  const other = await sampleOf("other")
  await insert(one, removed)
  await insert(other, remaining)
  const administration = await run(Effect.flatMap(Administration, Effect.succeed))
  await run(administration.removeOrganization({ organization: one.organization as never }))
  await core.advance(30 * day)
  await run(Effect.flatMap(OrganizationPurge, ({ purge }) => purge))
  await core.advance(40 * day)
  await run(Effect.flatMap(Content, ({ sweep }) => sweep))
  await core.close()
  const wordsIn = () => {
    const bytes = readFileSync(filename)
    return [removed, remaining].filter((word) => bytes.includes(word.slice(1)))
  }
  expect(wordsIn()).toEqual([removed, remaining])
  await Effect.runPromise(rewriteFile(filename))
  expect(wordsIn()).toEqual([remaining])
})
