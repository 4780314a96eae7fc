/**
 * Measures the published structure of a site with 50 sections of 10 spaces each, compared with a static server that
 * sends the same bytes from memory. Only the ratios are comparable between machines. Run with `npm run bench:sites`.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import {
  Administration,
  ApiTokens,
  CurrentUser,
  type RecordsAdapter,
  SiteSections,
  SiteSpaces,
  Sites,
  Spaces,
  UserId,
  Workspace
} from "@lectern/core"
import { createTestDatabase, startPostgres } from "@lectern/harness/postgres"
import { PgStorage } from "@lectern/storage-pg"
import { SqliteStorage } from "@lectern/storage-sqlite"
import { Effect, Layer, Redacted } from "effect"
import { compareWithStaticServer, stopAll } from "./processes.ts"

const seconds = 4

/** Publishes a site. Returns its path and a token of an administrator. */
const publishSite = Effect.gen(function* () {
  const administration = yield* Administration
  const user = UserId.make(yield* administration.createUser({ input: { email: "bench@example.com" } }))
  const organization = yield* administration.createOrganization({
    administrator: user,
    input: { title: "Measured" }
  })
  const { secret } = yield* (yield* ApiTokens).create({ input: { user, label: "Bench" } })
  const [spaces, sites, sections, siteSpaces] = [
    yield* Spaces,
    yield* Sites,
    yield* SiteSections,
    yield* SiteSpaces
  ]
  const path = yield* Effect.gen(function* () {
    const site = yield* sites.create({ organization, input: { title: "Docs" } })
    for (let i = 0; i < 50; i++) {
      const first = yield* spaces.create({ organization, input: { title: `Section ${i}` } })
      const section = yield* sections.add({ organization, site: site.id, input: { spaceId: first.id } })
      for (let j = 1; j < 10; j++) {
        const space = yield* spaces.create({ organization, input: { title: `Section ${i}, space ${j}` } })
        yield* siteSpaces.add({
          organization,
          site: site.id,
          input: { spaceId: space.id, sectionId: section.id }
        })
      }
    }
    yield* sites.publish({ organization, site: site.id })
    return `/v1/orgs/${organization}/sites/${site.id}/published`
  }).pipe(CurrentUser.provide(user))
  return { path, token: Redacted.value(secret) }
})

const measure = async (title: string, database: string, storage: Layer.Layer<RecordsAdapter, unknown>) => {
  const { path, token } = await Effect.runPromise(
    Effect.provide(publishSite, Workspace.layer.pipe(Layer.provide(storage)))
  )
  const { ratio, size } = await compareWithStaticServer(
    database,
    path,
    token,
    join(folder, `${title}.json`),
    seconds
  )
  console.log(
    `${title}, a published site (${(size / 1e3).toFixed(0)} kB): ${ratio.toFixed(2)} of the throughput of a static server; at least 0.5`
  )
}

const folder = mkdtempSync(join(tmpdir(), "lectern-bench-"))
const postgres = await startPostgres([])
try {
  const file = join(folder, "sites.db")
  await measure("SQLite", `sqlite:${file}`, SqliteStorage.layer({ filename: file }))
  const url = await createTestDatabase(postgres.url)
  await measure("PostgreSQL", url, PgStorage.layer({ url: Redacted.make(url) }))
} finally {
  stopAll()
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
