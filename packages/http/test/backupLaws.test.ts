/** Backups retain a workspace: a copy of a workspace, and a restored backup of it, are equal to it for every operation. */
import { Doctor, OrganizationId, RecordsAdapter, tables, users } from "@lectern/core"
import {
  Atomicity,
  makeCoreApi,
  makeMovableClock,
  runScenario,
  StoreContents,
  scenario,
  scenarioRuns,
  type WorkspaceApi
} from "@lectern/harness"
import { buildScene, callOperationsIn, operations } from "@lectern/harness/operations"
import { MemoryStorage } from "@lectern/testkit"
import { Effect, Stream } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { temporaryFolder } from "./stores.ts"
import {
  backUp,
  contentsOf,
  copyByBackup,
  copyStore,
  everyStore,
  type OpenStore,
  openStore,
  restoreFrom,
  type Transfer
} from "./support/backups.ts"
import { createFaultyWorld, sceneHostOf } from "./support/faultyWorld.ts"

type CoreApi = ReturnType<typeof makeCoreApi>

/** The findings of the doctor. */
const findingsOf = (core: CoreApi): Promise<ReadonlyArray<string>> =>
  core.runtime.runPromise(
    Effect.map(
      Effect.flatMap(Doctor, ({ findings }) => Stream.runCollect(findings)),
      (all) => all.map(({ check, table, row, message }) => `${check}: ${table} ${row} ${message}`)
    )
  )

/** A workspace that moves to another store after a number of calls, which its users do not notice. */
const makeMovingApi = async (
  from: OpenStore,
  to: OpenStore,
  movesAt: number,
  move: (from: OpenStore, to: OpenStore, core: CoreApi) => Promise<void>
): Promise<{
  readonly api: WorkspaceApi
  readonly close: () => Promise<void>
  readonly hasMoved: () => boolean
}> => {
  const clock = makeMovableClock()
  let core = makeCoreApi(from.layer, clock)
  let countdown = movesAt
  let hasMoved = false
  const current = async (): Promise<CoreApi> => {
    if (countdown-- === 0) {
      await move(from, to, core)
      await core.close()
      core = makeCoreApi(to.layer, clock)
      // Ids of one process are in the order of their creation also within a millisecond; this is another process.
      clock.advance(1)
      expect(await findingsOf(core)).toEqual([])
      hasMoved = true
    }
    return core
  }
  return {
    hasMoved: () => hasMoved,
    close: () => core.close(),
    api: {
      call: async (...args) => (await current()).call(...args),
      createUser: (...args) => core.createUser(...args),
      createOrganization: (...args) => core.createOrganization(...args),
      setMember: (...args) => core.setMember(...args),
      createTeam: (...args) => core.createTeam(...args),
      grant: (...args) => core.grant(...args),
      advance: (...args) => core.advance(...args),
      now: () => clock.now(),
      purge: () => core.purge(),
      work: () => core.work()
    }
  }
}

/** Moves a workspace by a transfer. Its rows are equal afterwards. */
const moveWorkspace =
  (transfer: Transfer) =>
  async (from: OpenStore, to: OpenStore): Promise<void> => {
    const before = await contentsOf(from)
    await transfer(from, to)
    expect(StoreContents.diffContents(before, await contentsOf(to))).toEqual([])
    expect(StoreContents.diffContents(before, await contentsOf(from))).toEqual([])
  }

/** Moves a workspace organization by organization. The accounts exist in the target before. */
const moveOrganizations =
  (transfer: Transfer) =>
  async (from: OpenStore, to: OpenStore): Promise<void> => {
    const find = (name: string) =>
      Effect.runPromise(
        from.adapter.find(tables.find((table) => table.name === name)!, {
          where: { op: "all" },
          orderBy: [],
          direction: "asc"
        })
      )
    await Effect.runPromise(to.adapter.insert(users, await find(users.name)))
    for (const { id } of await find("organizations")) {
      const { omitted } = await transfer(from, to, OrganizationId.make(String(id)))
      expect(omitted).toEqual([])
    }
  }

const moves = [
  { way: "a copy", move: moveWorkspace(copyStore) },
  { way: "a restored backup", move: moveWorkspace(copyByBackup) },
  { way: "its copied organizations", move: moveOrganizations(copyStore) },
  { way: "its imported organizations", move: moveOrganizations(copyByBackup) }
] as const

const [onMemory, onSqlite, onPostgres] = everyStore as [
  (typeof everyStore)[number],
  (typeof everyStore)[number],
  (typeof everyStore)[number]
]

describe("a workspace continues to conform to the model", () => {
  const directions = [
    { from: onMemory, to: onSqlite, count: 3 },
    { from: onSqlite, to: onMemory, count: 3 },
    { from: onSqlite, to: onPostgres, count: 2 },
    { from: onPostgres, to: onSqlite, count: 2 }
  ]
  for (const { from, to, count } of directions) {
    for (const { way, move } of moves) {
      it(`as ${way}, from ${from.name} to ${to.name}`, async () => {
        let moved = 0
        await fc.assert(
          fc.asyncProperty(scenario(40), fc.nat({ max: 300 }), async (steps, movesAt) => {
            const [source, target] = [await openStore(await from.make()), await openStore(await to.make())]
            const { api, close, hasMoved } = await makeMovingApi(source, target, movesAt, move)
            try {
              await runScenario(api, "moving", steps, { observers: 2 })
              if (hasMoved()) moved++
            } finally {
              await close()
              await source.close()
              await target.close()
            }
          }),
          scenarioRuns(count)
        )
        expect(moved).toBeGreaterThan(0)
      })
    }
  }
})

it("every operation has the same response and effect in a restored backup as in the workspace", async () => {
  const storage = MemoryStorage.rewindable()
  const empty = storage.save()
  const world = await createFaultyWorld(storage)
  const folder = temporaryFolder()
  try {
    const host = sceneHostOf(world)
    const scene = await buildScene(host)
    const store = {
      layer: storage.layer,
      adapter: await Effect.runPromise(Effect.provide(RecordsAdapter, storage.layer)),
      close: async () => {}
    }
    const callAll = async () => {
      const results = new Map<
        string,
        { readonly result: unknown; readonly contents: StoreContents.StoreContents }
      >()
      await callOperationsIn(scene, host, async ({ id }, { method, address: path, body }) => {
        const result = await Atomicity.runToEnd(world, world.send({ method, path, body }))
        results.set(id, { result, contents: await contentsOf(store) })
      })
      return results
    }
    const expected = await callAll()
    await backUp(store, folder)
    const before = await contentsOf(store)
    empty.rewind()
    await restoreFrom(folder, store)
    expect(StoreContents.diffContents(before, await contentsOf(store))).toEqual([])
    const actual = await callAll()
    expect([...actual.keys()]).toEqual(operations.map(({ id }) => id))
    for (const [id, { result, contents }] of expected) {
      const restored = actual.get(id)!
      expect([id, restored.result]).toEqual([id, result])
      expect([id, StoreContents.diffContents(contents, restored.contents)]).toEqual([id, []])
    }
    expect(await world.findings()).toEqual([])
  } finally {
    await world.close()
  }
})
