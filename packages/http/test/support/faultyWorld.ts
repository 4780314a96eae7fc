/** A workspace on a store with faults, called through the dispatcher: the API without sockets. */
import { converters } from "@lectern/converters"
import {
  Administration,
  ApiTokens,
  BackgroundWork,
  ImportReader,
  PdfMaker,
  type RecordsAdapter,
  SigningSecret,
  UserId,
  Workspace
} from "@lectern/core"
import { Atomicity, makeMovableClock, makeRepeatableRandom, StoreContents } from "@lectern/harness"
import type { RewindableHost } from "@lectern/harness/operations"
import type { ApiRequest, ApiResponse } from "@lectern/http"
import { makeDispatcher } from "@lectern/http"
import { Fault, FaultyStorage, MemoryStorage } from "@lectern/testkit"
import { Clock, Effect, Layer, ManagedRuntime, Redacted, References } from "effect"
import { findings } from "./doctorFindings.ts"
import { fakeFetcher } from "./fakeFetcher.ts"

/** A request to the API. */
export interface Asked {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  /** The token of the caller, if it is not that of the administrator. */
  readonly token?: string
}

/** The world, with an administrator of two organizations in it. */
export interface FaultyWorld extends Atomicity.World {
  readonly storage: FaultyStorage
  readonly user: string
  readonly organization: string
  readonly elsewhere: string
  /** What a request comes to. */
  readonly ask: (asked: Asked) => Effect.Effect<Atomicity.OperationResult>
  /** Does all jobs that are due, and says how it went. */
  readonly work: Effect.Effect<Atomicity.OperationResult>
  /** What the doctor finds, each in a few words. */
  readonly findings: () => Promise<ReadonlyArray<string>>
  /** Lets time pass, in milliseconds. */
  readonly advance: (millis: number) => void
  readonly close: () => Promise<void>
}

const textOf = ({ status, headers, body }: ApiResponse): string => {
  const { "x-request-id": _, ...others } = headers
  const text = typeof body === "string" ? body : Buffer.from(body ?? "").toString("latin1")
  return `${status} ${JSON.stringify(others)} ${text}`
}

const unavailable = {
  error: { code: 503, reason: "Unreachable", message: "The database does not respond. Try again later." }
}

const answerOf = (response: ApiResponse): Atomicity.OperationResult => {
  const { status, headers, body } = response
  const text = textOf(response)
  if (status < 300) return { outcome: "done", text }
  if (status === 503) {
    const isAgreed = headers["retry-after"] === "1" && body === JSON.stringify(unavailable)
    return { outcome: isAgreed ? "unavailable" : "broken", text }
  }
  return { outcome: status < 500 ? "rejected" : "broken", text }
}

/** Runs a request as whoever has the token. */
export const requestOf = ({ method, path, body }: Asked, token: string): ApiRequest => {
  const headers: Record<string, string> = {
    authorization: `Bearer ${token}`,
    ...(body === undefined ? {} : { "content-type": "application/json" })
  }
  const bytes = new TextEncoder().encode(body === undefined ? "" : JSON.stringify(body))
  return { method, url: path, header: (name) => headers[name], body: Effect.succeed(bytes) }
}

/** Makes a world: over a store that can be put back, or over one that cannot and is to be used up. */
export const makeWorld = async (
  store: {
    readonly layer: Layer.Layer<RecordsAdapter, unknown>
    readonly save?: ReturnType<typeof MemoryStorage.rewindable>["save"]
  } = MemoryStorage.rewindable(),
  {
    breakIt = (same: Layer.Layer<RecordsAdapter, unknown>) => same,
    /** One that the workspace makes itself is kept in memory: a store that is put back behind its back would lack it. */
    makesItsSecret = false
  } = {}
): Promise<FaultyWorld> => {
  const chance = makeRepeatableRandom()
  const behind = ManagedRuntime.make(store.layer)
  const shared = Layer.effectContext(behind.contextEffect)
  const storage = FaultyStorage.make(chance.wrapStorage(shared))
  const runtime = ManagedRuntime.make(
    Workspace.layer.pipe(
      Layer.provide(breakIt(storage.layer)),
      Layer.provideMerge(
        Layer.mergeAll(
          chance.layer,
          fakeFetcher,
          Layer.succeed(ImportReader, converters().importReader),
          Layer.succeed(PdfMaker, converters().pdfMaker),
          makesItsSecret ? Layer.empty : Layer.succeed(SigningSecret, Redacted.make("a secret for tests"))
        )
      )
    ),
    { memoMap: chance.memoMap }
  )
  const time = makeMovableClock()
  const inTime = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    effect.pipe(
      Effect.provideService(Clock.Clock, time.clock),
      Effect.provideService(References.MinimumLogLevel, "None")
    )
  const context = await runtime.context()
  const dispatch = await runtime.runPromise(makeDispatcher({}))
  const made = await runtime.runPromise(
    inTime(
      Effect.gen(function* () {
        const administration = yield* Administration
        const user = yield* administration.createUser({ input: { email: "ada@example.com" } })
        const organization = yield* administration.createOrganization({
          administrator: user,
          input: { title: "Acme" }
        })
        const elsewhere = yield* administration.createOrganization({
          administrator: user,
          input: { title: "Elsewhere" }
        })
        const { secret } = yield* (yield* ApiTokens).create({
          input: { user: UserId.make(user), label: "Test" }
        })
        return { user, organization, elsewhere, token: Redacted.value(secret) }
      })
    )
  )
  const world: FaultyWorld = {
    ...made,
    storage,
    run: (effect) => runtime.runFork(inTime(effect)),
    readContents: () => behind.runPromise(StoreContents.readContents()),
    save: () => {
      const saved = store.save?.()
      const again = chance.save()
      return {
        isCurrent: () => saved?.isCurrent() ?? false,
        rewind: () => {
          saved?.rewind()
          again()
        }
      }
    },
    ask: (asked) => Effect.map(dispatch(requestOf(asked, asked.token ?? made.token)), answerOf),
    work: Effect.flatMap(BackgroundWork, ({ drain }) => drain).pipe(
      Effect.map((done): Atomicity.OperationResult => ({ outcome: "done", text: String(done) })),
      Effect.catchTag("StorageUnavailable", () =>
        Effect.succeed<Atomicity.OperationResult>({ outcome: "unavailable", text: "unavailable" })
      ),
      Effect.provideContext(context)
    ),
    findings: () => runtime.runPromise(inTime(findings)),
    advance: time.advance,
    close: async () => {
      await runtime.dispose()
      await behind.dispose()
    }
  }
  // The token is used for the first time: that is noted, and not by each operation.
  await Atomicity.runToEnd(world, world.ask({ method: "GET", path: "/v1/user" }))
  return world
}

/** Longer than what is left undone by one worker waits for another. */
const leaseMillis = 2 * 60_000

const timeless = (contents: StoreContents.StoreContents): StoreContents.StoreContents =>
  new Map(
    [...contents].map(([table, rows]) => [
      table,
      rows.map((row) => row.replaceAll(/"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"/g, "time"))
    ])
  )

/**
 * The law of what is done in the background: whatever fails, at whichever step, the jobs that are left are done later,
 * and all comes to the same, but for times. Leaves the world with all of them done.
 */
export const tryWork = async (
  world: FaultyWorld,
  kindAt: (step: Fault.Step) => Atomicity.FaultKind
): Promise<{ readonly tried: number; readonly violations: ReadonlyArray<string> }> => {
  const { storage } = world
  const violations: Array<string> = []
  const work = () => Atomicity.runToEnd(world, world.work)
  const before = world.save()
  storage.takeSteps()
  const reference = await work()
  const steps = storage.takeSteps()
  const whole = timeless(await world.readContents())
  for (const step of steps) {
    const kind = kindAt(step)
    if (kind === "conflict" && !Fault.canConflict(step)) continue
    const at = `work: ${kind} at ${Atomicity.describeStep(step)}`
    before.rewind()
    storage.heal()
    storage.takeSteps()
    const where = Fault.at.step(step.number)
    const got = await Atomicity.runToEnd(world, world.work, (interrupt) =>
      storage.inject(Atomicity.makeFault(kind, where, interrupt))
    )
    if (got.outcome === "broken") violations.push(`${at} broke it: ${got.text}`)
    storage.heal()
    world.advance(leaseMillis)
    const later = await work()
    if (later.outcome !== "done") violations.push(`${at}: later it was "${later.outcome}: ${later.text}"`)
    const missing = StoreContents.diffContents(whole, timeless(await world.readContents()))
    if (missing.length > 0) violations.push([`${at} came to something else`, ...missing].join("\n  "))
  }
  // Time has passed, so that the use of the token is noted once more.
  await Atomicity.runToEnd(world, world.ask({ method: "GET", path: "/v1/user" }))
  if (reference.outcome !== "done") violations.push(`work: ${reference.text}`)
  return { tried: steps.length, violations }
}

/** The body of an answer that was a success. */
export const bodyOf = <A>({ outcome, text }: Atomicity.OperationResult): A => {
  if (outcome !== "done") throw new Error(text)
  const body = text.slice(text.indexOf("} ") + 2)
  return (body === "" ? undefined : JSON.parse(body)) as A
}

/** The world as a host of the scene in which every operation is called. */
export const sceneHostOf = (world: FaultyWorld): RewindableHost => ({
  owner: { id: world.user, email: "ada@example.com" },
  organization: world.organization,
  elsewhere: world.elsewhere,
  call: async <A>(method: string, path: string, body?: unknown): Promise<A> => {
    const result = await Atomicity.runToEnd(world, world.ask({ method, path, body }))
    if (result.outcome !== "done") throw new Error(`${method} ${path} returns ${result.text}`)
    return bodyOf<A>(result)
  },
  work: () => Atomicity.runToEnd(world, world.work),
  save: world.save
})
