/** Backups retain a workspace: a copy of a workspace, and a restored backup of it, are equal to it for every operation. */
import { Doctor, OrganizationId, RecordsAdapter, tables, users } from "@lectern/core"
import { Atomicity, StoreContents } from "@lectern/harness"
import { buildScene, callOperationsIn, operations } from "@lectern/harness/operations"
import { MemoryStorage } from "@lectern/testkit"
import {
  makeCoreApi,
  makeMovableClock,
  runScenario,
  scenario,
  scenarioRuns,
  type WorkspaceApi,
  type WorkspaceModel
} from "@lectern/testkit/model"
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

/** A workspace that can move to another store. It moves automatically after `movesAt` calls. */
const makeMovingApi = (
  from: OpenStore,
  to: OpenStore,
  movesAt: number,
  move: (from: OpenStore, to: OpenStore) => Promise<void>
): {
  readonly api: WorkspaceApi
  readonly close: () => Promise<void>
  readonly hasMoved: () => boolean
  readonly moveNow: () => Promise<void>
} => {
  const clock = makeMovableClock()
  let core = makeCoreApi(from.layer, clock)
  let countdown = movesAt
  let hasMoved = false
  const moveNow = async (): Promise<void> => {
    hasMoved = true
    await move(from, to)
    await core.close()
    core = makeCoreApi(to.layer, clock)
    // Ids of one process are in the order of their creation also within a millisecond; this is another process.
    clock.advance(1)
    expect(await findingsOf(core)).toEqual([])
  }
  const current = async (): Promise<CoreApi> => {
    if (countdown-- === 0) await moveNow()
    return core
  }
  return {
    hasMoved: () => hasMoved,
    moveNow,
    close: () => core.close(),
    api: {
      call: async (...args) => (await current()).call(...args),
      createUser: (...args) => core.createUser(...args),
      createOrganization: (...args) => core.createOrganization(...args),
      setMember: (...args) => core.setMember(...args),
      createTeam: (...args) => core.createTeam(...args),
      send: (...args) => core.send(...args),
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

/**
 * The tables whose rows do not move with organizations: credentials, the logs of the workspace, temporary rows, and blobs to
 * which only these refer.
 */
const workspaceTables = new Set([
  ...["apiTokens", "auditRecords", "blobs", "events", "idempotencyKeys", "outboxEvents", "outlines", "pdfs"],
  ...["exportArchives", "rateLimits", "secrets", "stagedUploads", "tokenAddresses", "webhookDeliveries"]
])

const withoutWorkspaceRows = (contents: StoreContents.StoreContents): StoreContents.StoreContents =>
  new Map([...contents].filter(([table]) => !workspaceTables.has(table)))

/** Moves a workspace organization by organization, without API tokens. The accounts exist in the target before. */
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
    const before = await contentsOf(from)
    await Effect.runPromise(to.adapter.insert(users, await find(users.name)))
    for (const { id } of await find("organizations")) {
      const { omitted } = await transfer(from, to, OrganizationId.make(String(id)))
      expect(omitted).toEqual([])
    }
    expect(StoreContents.diffContents(withoutWorkspaceRows(before), await contentsOf(to))).toEqual([])
  }

/** The ways to another store, and whether they retain API tokens. */
const moves = [
  { way: "a copy", move: moveWorkspace(copyStore), hasTokens: true },
  { way: "a restored backup", move: moveWorkspace(copyByBackup), hasTokens: true },
  { way: "its copied organizations", move: moveOrganizations(copyStore), hasTokens: false },
  { way: "its imported organizations", move: moveOrganizations(copyByBackup), hasTokens: false }
] as const

/**
 * Runs a scenario on a workspace that moves to another store: within a step if its users do not notice it, or else before a
 * step, of which the model is informed. Returns whether it has moved.
 */
const runMovingScenario = async (
  [from, to]: readonly [StoreKind, StoreKind],
  { move, hasTokens }: (typeof moves)[number],
  steps: Parameters<typeof runScenario>[2],
  movesAt: number
): Promise<boolean> => {
  const [source, target] = [await openStore(await from.make()), await openStore(await to.make())]
  const movesBefore = movesAt % (steps.length + 1)
  const { api, close, hasMoved, moveNow } = makeMovingApi(
    source,
    target,
    hasTokens ? movesAt : Infinity,
    move
  )
  const beforeStep = async (model: WorkspaceModel, completed: number): Promise<void> => {
    if (hasTokens || completed !== movesBefore) return
    await moveNow()
    // The backup of an organization has no credentials: users create their tokens again.
    model.tokens.clear()
  }
  try {
    await runScenario(api, "moving", steps, { observers: 2, beforeStep })
  } finally {
    await close()
    await source.close()
    await target.close()
  }
  return hasMoved()
}

type StoreKind = (typeof everyStore)[number]

const [onMemory, onSqlite, onPostgres] = everyStore as [
  (typeof everyStore)[number],
  (typeof everyStore)[number],
  (typeof everyStore)[number]
]

describe("a workspace continues to conform to the model", () => {
  for (const one of moves) {
    it(`as ${one.way}, ${one.hasTokens ? "with" : "without"} API tokens`, async () => {
      const create = {
        do: "createToken",
        actor: "permitted" as const,
        user: 1,
        organization: 1,
        label: "deploy"
      }
      const steps = ["organization", "none"].map((limit) => ({ ...create, limit }))
      const rotate = { ...create, do: "rotateToken", token: 0 }
      expect(await runMovingScenario([onMemory, onSqlite], one, [...steps, rotate], 2)).toBe(true)
    })
  }

  const directions = [
    { from: onMemory, to: onSqlite, count: 3 },
    { from: onSqlite, to: onMemory, count: 3 },
    { from: onSqlite, to: onPostgres, count: 2 },
    { from: onPostgres, to: onSqlite, count: 2 }
  ]
  for (const { from, to, count } of directions) {
    for (const one of moves) {
      it(`as ${one.way}, from ${from.name} to ${to.name}`, async () => {
        let moved = 0
        await fc.assert(
          fc.asyncProperty(scenario(40), fc.nat({ max: 300 }), async (steps, movesAt) => {
            if (await runMovingScenario([from, to], one, steps, movesAt)) moved++
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
