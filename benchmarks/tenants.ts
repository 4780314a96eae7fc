/**
 * Measures searches of a small organization alone, and beside a large organization whose pages have the same words, on
 * every store: in the organization, in a site, and in a space. The large one must not be noticed: the time of a search is at
 * most 1.3 times the time without it. The shortest time of many rounds is compared, as other programs only lengthen it. For
 * PostgreSQL, the number of pages of the database that a search reads is compared.
 *
 * Run with `npm run bench:tenants`. `-- --pages 100000` sets the number of pages of the large organization, and
 * `-- --store SQLite` measures one store.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { parseArgs } from "node:util"
import {
  Administration,
  Content,
  CurrentUser,
  type OrganizationId,
  RecordsAdapter,
  Search,
  SiteId,
  SiteSearch,
  type SpaceId,
  Spaces,
  searchParts,
  type Table,
  UserId,
  Workspace
} from "@lectern/core"
import { createTestDatabase, startPostgres } from "@lectern/harness/postgres"
import { PgStorage } from "@lectern/storage-pg"
import { SqliteStorage } from "@lectern/storage-sqlite"
import { MemoryStorage } from "@lectern/testkit"
import { Effect, Layer, ManagedRuntime, Redacted } from "effect"
import pg from "pg"

const { values: options } = parseArgs({
  options: { pages: { type: "string", default: "30000" }, store: { type: "string" } }
})

const foreignPages = Number(options.pages)
const [foreignSpaces, insertedRows, wordsPerPage] = [20, 500, 60]
const [ownSpaces, pagesPerSpace] = [3, 31]
const [rounds, warmUpRounds, countedRounds] = [60, 20, 10]
const maximumRatio = 1.3

/** Returns numbers that look random, and are the same in every run. */
const makeRandom = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

/** A common word is on every fifth page, a medium one on every fiftieth. Many words have the beginning of a prefix. */
const textOf = (page: number, random: () => number): ReadonlyArray<string> => [
  ...(page % 5 === 0 ? ["quartz"] : []),
  ...(page % 50 === 0 ? ["feldspar"] : []),
  `gran${String.fromCharCode(97 + (page % 26), 97 + ((page * 7) % 26))}`,
  ...Array.from({ length: wordsPerPage }, () => `word${Math.floor(3_000 * random() ** 3)}`)
]

const queries = {
  "common word": "quartz",
  "medium word": "feldspar",
  prefix: "gra",
  "two words": "quartz word1"
}

/** Creates the small organization by its operations. */
const createOwn = Effect.gen(function* () {
  const administration = yield* Administration
  const user = UserId.make(yield* administration.createUser({ input: { email: "tenant@example.com" } }))
  const organization = yield* administration.createOrganization({
    administrator: user,
    input: { title: "Small" }
  })
  const random = makeRandom(1)
  const spaces: Array<SpaceId> = []
  for (let space = 0; space < ownSpaces; space++) {
    const { id } = yield* (yield* Spaces).create({ organization, input: {} }).pipe(CurrentUser.provide(user))
    const changes = Array.from({ length: pagesPerSpace }, (_, page) => ({
      operation: "insert_page" as const,
      title: `Page ${page}`,
      document: { markdown: textOf(page, random).join(" ") }
    }))
    yield* (yield* Content)
      .edit({ content: { space: id }, input: { changes } })
      .pipe(CurrentUser.provide(user))
    spaces.push(id)
  }
  return { user, organization, spaces }
})

/** Adds the large organization. The rows of its pages are inserted directly, since only the index matters here. */
const addForeign = Effect.gen(function* () {
  const administration = yield* Administration
  const { insert } = yield* RecordsAdapter
  const user = UserId.make(yield* administration.createUser({ input: { email: "foreign@example.com" } }))
  const organization = yield* administration.createOrganization({
    administrator: user,
    input: { title: "Large" }
  })
  const random = makeRandom(2)
  const perSpace = Math.ceil(foreignPages / foreignSpaces)
  for (let number = 0; number < foreignSpaces; number++) {
    const { id: space } = yield* (yield* Spaces)
      .create({ organization, input: {} })
      .pipe(CurrentUser.provide(user))
    for (let at = 0; at < perSpace; at += insertedRows) {
      const rows = Array.from({ length: Math.min(insertedRows, perSpace - at) }, (_, index) => {
        const name = `Page ${at + index}`
        const words = textOf(at + index, random).join(" ")
        return {
          ...{ space, organization, page: `foreign${at + index}`, part: 0, audience: "", source: "", name },
          ...{ nameWords: name.toLowerCase(), path: `page-${at + index}`, presentation: { breadcrumbs: [] } },
          ...{ title: name.toLowerCase(), headings: "\n", body: words, kinds: "t", forms: "" },
          passages: [{ title: "", anchor: "", text: words }]
        }
      })
      yield* insert(searchParts as Table.AnyTable, rows)
    }
  }
})

interface Own {
  readonly user: UserId
  readonly organization: OrganizationId
  readonly spaces: ReadonlyArray<SpaceId>
}

/** The searches to measure, by name. */
const searchesOf = ({ user, organization, spaces }: Own) =>
  Object.entries(queries).flatMap(([kind, query]) => {
    const input = { query, limit: 10 }
    const search = Effect.gen(function* () {
      const inOrganization = (yield* Search).searchOrganization({ organization, input })
      const inSpace = (yield* Search).searchSpace({ space: spaces[0]!, input })
      const inSite = (yield* SiteSearch).search({
        organization,
        site: SiteId.make("site"),
        spaces: spaces.slice(0, 2),
        claims: {},
        input
      })
      const suggested = (yield* Search).searchSpace({ space: spaces[0]!, input: { ...input, prefix: true } })
      return { organization: inOrganization, site: inSite, space: inSpace, "space, suggestions": suggested }
    })
    return (["organization", "site", "space", "space, suggestions"] as const).map((place) => ({
      name: `${place}: ${kind}`,
      effect: Effect.flatMap(search, (all): Effect.Effect<unknown, unknown> => all[place]).pipe(
        CurrentUser.provide(user)
      )
    }))
  })

type Services = Administration | Content | RecordsAdapter | Search | SiteSearch | Spaces

/** A store with a new database, and the function that returns how many pages it has read, if it counts them. */
interface OpenedStore {
  readonly layer: Layer.Layer<RecordsAdapter, unknown>
  readonly countReads?: () => Promise<number>
}

/** Opens two workspaces, the second of which has the large organization as well. */
const openBoth = async (open: () => Promise<OpenedStore>) => {
  const opened = []
  for (const hasForeign of [false, true]) {
    const { layer, countReads } = await open()
    const runtime = ManagedRuntime.make(Workspace.layer.pipe(Layer.provideMerge(layer)))
    const run = <A, E>(effect: Effect.Effect<A, E, Services>) => runtime.runPromise(effect)
    const own = await run(createOwn)
    if (hasForeign) await run(addForeign)
    opened.push({ searches: searchesOf(own), run, countReads, close: () => runtime.dispose() })
  }
  return opened
}

type Opened = Awaited<ReturnType<typeof openBoth>>

/** Returns the shortest time of each search in both workspaces, which it executes alternately, in milliseconds. */
const measureTimes = async (opened: Opened): Promise<ReadonlyArray<ReadonlyArray<number>>> => {
  const shortest = opened[0]!.searches.map(() => [Infinity, Infinity])
  for (let round = -warmUpRounds; round < rounds; round++) {
    for (const index of shortest.keys()) {
      for (const [which, { run, searches }] of opened.entries()) {
        const started = performance.now()
        await run(searches[index]!.effect)
        const timeMs = performance.now() - started
        if (round >= 0) shortest[index]![which] = Math.min(shortest[index]![which]!, timeMs)
      }
    }
  }
  return shortest
}

/** Returns the number of pages of the database that each search reads. */
const countPages = async (opened: Opened): Promise<ReadonlyArray<ReadonlyArray<number>>> => {
  const counts = opened[0]!.searches.map(() => [0, 0])
  for (const [which, { run, searches, countReads }] of opened.entries()) {
    for (let round = 0; round < warmUpRounds; round++) for (const { effect } of searches) await run(effect)
    for (const [index, { effect }] of searches.entries()) {
      const before = await readAfterFlush(() => run(effect), countReads!)
      for (let round = 0; round < countedRounds; round++) await run(effect)
      const after = await readAfterFlush(() => run(effect), countReads!)
      counts[index]![which] = (after - before) / (countedRounds + 1)
    }
  }
  return counts
}

/** Reads a counter after the connection has reported it, which it does with its first transaction after a second. */
const readAfterFlush = async (search: () => Promise<unknown>, countReads: () => Promise<number>) => {
  await sleep(1_100)
  await search()
  return await countReads()
}

/** Compares each search in both workspaces, and returns whether all ratios are small enough. */
const compare = async (store: string, open: () => Promise<OpenedStore>) => {
  const opened = await openBoth(open)
  const { searches, countReads } = opened[0]!
  const costs = await (countReads === undefined ? measureTimes : countPages)(opened)
  for (const { close } of opened) await close()
  const unit = countReads === undefined ? "ms" : "pages read"
  console.log(`| ${store} | ${unit} alone | ${unit} beside ${foreignPages} pages | ratio |`)
  console.log("| --- | --- | --- | --- |")
  const ratios = costs.map(([alone, beside], index) => {
    const ratio = beside! / alone!
    const cells = [searches[index]!.name, alone!.toFixed(2), beside!.toFixed(2), ratio.toFixed(2)]
    console.log(`| ${cells.join(" | ")} |`)
    return ratio
  })
  const worst = Math.max(...ratios)
  console.log(`\n${store}: at most ${worst.toFixed(2)} times the cost alone; at most ${maximumRatio}\n`)
  return worst <= maximumRatio
}

const folder = mkdtempSync(join(tmpdir(), "lectern-bench-"))
const postgres = await startPostgres([])
try {
  let files = 0
  const statistics = new pg.Client(postgres.url)
  const stores: { readonly [name: string]: () => Promise<OpenedStore> } = {
    memory: async () => ({ layer: MemoryStorage.layer() }),
    SQLite: async () => ({ layer: SqliteStorage.layer({ filename: join(folder, `tenants${files++}.db`) }) }),
    PostgreSQL: async () => {
      const url = await createTestDatabase(postgres.url)
      return {
        layer: PgStorage.layer({ url: Redacted.make(url), maxConnections: 1 }),
        countReads: async () => {
          const { rows } = await statistics.query(
            "SELECT blks_hit + blks_read AS pages FROM pg_stat_database WHERE datname = $1",
            [new URL(url).pathname.slice(1)]
          )
          return Number(rows[0].pages)
        }
      }
    }
  }
  await statistics.connect()
  for (const [name, open] of Object.entries(stores)) {
    if (options.store !== undefined && options.store !== name) continue
    if (!(await compare(name, open))) process.exitCode = 1
  }
  await statistics.end()
} finally {
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
