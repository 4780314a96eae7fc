/**
 * Measures searches of a small organization without and with a large organization whose pages have the same words, on
 * every store: in the organization, in a site, and in a space. The large one must not be noticed: the time of a search is at
 * most 1.3 times the time without it. The shortest CPU time of many rounds is compared: of this process, and for PostgreSQL of
 * its processes, which Linux reports.
 *
 * Run with `npm run bench:tenants`. `-- --pages 100000` sets the number of pages of the large organization, and
 * `-- --store SQLite` measures one store.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
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
const [rounds, warmUpRounds, searchesPerRound] = [40, 5, 4]
const maximumRatio = 1.3

/** Returns the CPU time of this process. */
const ownCpuTimeMs = async (): Promise<number> => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

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
      effect: Effect.flatMap(search, (all): Effect.Effect<unknown, unknown, CurrentUser> => all[place]).pipe(
        CurrentUser.provide(user)
      )
    }))
  })

type Services = Administration | Content | RecordsAdapter | Search | SiteSearch | Spaces

/** A store with a new database. */
interface OpenedStore {
  readonly layer: Layer.Layer<RecordsAdapter, unknown>
  /** Returns the CPU time of the store so far, in milliseconds: of this process, or of the processes of the database. */
  readonly cpuTimeMs: () => Promise<number>
}

/** Opens two workspaces, the second of which has the large organization as well. */
const openBoth = async (open: () => Promise<OpenedStore>) => {
  const opened = []
  for (const hasForeign of [false, true]) {
    const { layer, cpuTimeMs } = await open()
    const runtime = ManagedRuntime.make(Workspace.layer.pipe(Layer.provideMerge(layer)))
    const run = <A, E>(effect: Effect.Effect<A, E, Services>) => runtime.runPromise(effect)
    const own = await run(createOwn)
    if (hasForeign) await run(addForeign)
    opened.push({ searches: searchesOf(own), run, cpuTimeMs, close: () => runtime.dispose() })
  }
  return opened
}

type Opened = Awaited<ReturnType<typeof openBoth>>

/** Returns the shortest CPU time of each search in both workspaces, which it executes alternately, in milliseconds. */
const measureTimes = async (opened: Opened): Promise<ReadonlyArray<ReadonlyArray<number>>> => {
  const shortest = opened[0]!.searches.map(() => [Infinity, Infinity])
  for (let round = -warmUpRounds; round < rounds; round++) {
    for (const index of shortest.keys()) {
      for (const [which, { run, searches, cpuTimeMs }] of opened.entries()) {
        const before = await cpuTimeMs()
        for (let count = 0; count < searchesPerRound; count++) await run(searches[index]!.effect)
        const timeMs = ((await cpuTimeMs()) - before) / searchesPerRound
        if (round >= 0) shortest[index]![which] = Math.min(shortest[index]![which]!, timeMs)
      }
    }
  }
  return shortest
}

/** Compares each search in both workspaces, and returns whether all ratios are small enough. */
const compare = async (store: string, open: () => Promise<OpenedStore>) => {
  const opened = await openBoth(open)
  const { searches } = opened[0]!
  const costs = await measureTimes(opened)
  for (const { close } of opened) await close()
  console.log(`| ${store} | CPU ms without others | CPU ms with ${foreignPages} pages of others | ratio |`)
  console.log("| --- | --- | --- | --- |")
  const ratios = costs.map(([alone, beside], index) => {
    const ratio = beside! / alone!
    const cells = [searches[index]!.name, alone!.toFixed(2), beside!.toFixed(2), ratio.toFixed(2)]
    console.log(`| ${cells.join(" | ")} |`)
    return ratio
  })
  const worst = Math.max(...ratios)
  console.log(
    `\n${store}: at most ${worst.toFixed(2)} times the cost without others; at most ${maximumRatio}\n`
  )
  return worst <= maximumRatio
}

const folder = mkdtempSync(join(tmpdir(), "lectern-bench-"))
const postgres = await startPostgres([])
const statistics = new pg.Client(postgres.url)
await statistics.connect()
try {
  let files = 0
  const stores: { readonly [name: string]: () => Promise<OpenedStore> } = {
    memory: async () => ({ layer: MemoryStorage.layer(), cpuTimeMs: ownCpuTimeMs }),
    SQLite: async () => ({
      layer: SqliteStorage.layer({ filename: join(folder, `tenants${files++}.db`) }),
      cpuTimeMs: ownCpuTimeMs
    }),
    PostgreSQL: async () => {
      const url = await createTestDatabase(postgres.url)
      return {
        layer: PgStorage.layer({ url: Redacted.make(url), maxConnections: 1 }),
        cpuTimeMs: async () => {
          const { rows } = await statistics.query<{ readonly pid: number }>(
            "SELECT pid FROM pg_stat_activity WHERE datname = $1",
            [new URL(url).pathname.slice(1)]
          )
          const times = rows.map(({ pid }) => readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[0])
          return times.reduce((sum, time) => sum + Number(time) / 1e6, 0)
        }
      }
    }
  }
  for (const [name, open] of Object.entries(stores)) {
    if (options.store !== undefined && options.store !== name) continue
    if (!(await compare(name, open))) process.exitCode = 1
  }
} finally {
  await statistics.end()
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
