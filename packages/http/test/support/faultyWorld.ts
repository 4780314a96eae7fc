/** A workspace on a store with injected faults, called through the dispatcher: the API without sockets. */
import { converters } from "@lectern/converters"
import {
  Administration,
  ApiTokens,
  BackgroundWork,
  EventLog,
  GitPacks,
  ImportReader,
  JobReleaseTimeout,
  MarkdownEngine,
  PdfMaker,
  type RecordsAdapter,
  SigningSecret,
  UserId,
  Workspace
} from "@lectern/core"
import { Atomicity, makeRepeatableRandom, StoreContents } from "@lectern/harness"
import type { RewindableHost } from "@lectern/harness/operations"
import type { ApiRequest, ApiResponse } from "@lectern/http"
import { isStreamedBody, makeDispatcher } from "@lectern/http"
import { Fault, FaultyStorage, MemoryStorage } from "@lectern/testkit"
import { makeMovableClock } from "@lectern/testkit/model"
import { Clock, Effect, Layer, ManagedRuntime, Redacted, References, Stream } from "effect"
import { authorizeProgram } from "./authorizeProgram.ts"
import { findings } from "./doctorFindings.ts"
import { fakeFetcher } from "./fakeFetcher.ts"
import { stageFont } from "./stageFont.ts"
import { startSession } from "./startSession.ts"

/** A request to the API. */
export interface ApiCall {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  /** The token of the caller; that of the administrator by default. */
  readonly token?: string
  /** Additional headers, by name in lower case. */
  readonly headers?: Readonly<Record<string, string>>
}

/** A workspace with an administrator of two organizations, on a store into which faults can be injected. */
export interface FaultyWorld extends Atomicity.World {
  /** The id of a session of the user. */
  readonly session: string
  /** The id of an authorization of a program of the user. */
  readonly program: string
  /** The key of a font that the user has uploaded. */
  readonly font: string
  readonly storage: FaultyStorage
  readonly user: string
  readonly organization: string
  readonly elsewhere: string
  /** Sends a request; returns its result. */
  readonly send: (call: ApiCall) => Effect.Effect<Atomicity.OperationResult>
  /** Runs all jobs that are due; returns the result. */
  readonly runJobs: Effect.Effect<Atomicity.OperationResult>
  /** Numbers the committed events. Writes that do so first draw their ids in a transaction of its own. */
  readonly numberEvents: () => Promise<unknown>
  /** Creates a token of a user. */
  readonly tokenOf: (user: string) => Promise<string>
  /** The findings of the doctor, one line each. */
  readonly findings: () => Promise<ReadonlyArray<string>>
  /** Advances the clock by a number of milliseconds. */
  readonly advance: (millis: number) => void
  readonly close: () => Promise<void>
}

const responseText = ({ status, headers, body }: ApiResponse): string => {
  const { "x-request-id": _, ...others } = headers
  if (isStreamedBody(body)) throw new Error("Operations do not stream their responses.")
  const text = typeof body === "string" ? body : Buffer.from(body ?? "").toString("latin1")
  return `${status} ${JSON.stringify(others)} ${text}`
}

const unavailable = {
  error: { code: 503, reason: "Unreachable", message: "The database does not respond. Try again later." }
}

const toOperationResult = (response: ApiResponse): Atomicity.OperationResult => {
  const { status, headers, body } = response
  const text = responseText(response)
  if (status < 300) return { outcome: "done", text }
  if (status === 503) {
    const isDocumented = headers["retry-after"] === "1" && body === JSON.stringify(unavailable)
    return { outcome: isDocumented ? "unavailable" : "broken", text }
  }
  return { outcome: status < 500 ? "rejected" : "broken", text }
}

/** Converts a request to one of the dispatcher, with a token. */
export const requestOf = ({ method, path, body, headers: more }: ApiCall, token: string): ApiRequest => {
  const headers: Record<string, string> = {
    authorization: `Bearer ${token}`,
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...more
  }
  const bytes = new TextEncoder().encode(body === undefined ? "" : JSON.stringify(body))
  return {
    id: "test",
    method,
    url: path,
    header: (name) => headers[name],
    body: Effect.succeed(bytes),
    streamBody: () => Stream.make(bytes),
    remoteAddress: undefined
  }
}

/** Creates a workspace on a rewindable store (by default), or on a store that is used once. */
export const createFaultyWorld = async (
  store: {
    readonly layer: Layer.Layer<RecordsAdapter, unknown>
    readonly save?: ReturnType<typeof MemoryStorage.rewindable>["save"]
  } = MemoryStorage.rewindable(),
  {
    wrapStorage = (storage: Layer.Layer<RecordsAdapter, unknown>) => storage,
    /** Whether the workspace creates its secret. It caches the secret in memory, so the store must not be rewound then. */
    createsSecret = false
  } = {}
): Promise<FaultyWorld> => {
  const random = makeRepeatableRandom()
  const storeRuntime = ManagedRuntime.make(store.layer)
  const shared = Layer.effectContext(storeRuntime.contextEffect)
  const storage = FaultyStorage.make(random.wrapStorage(shared))
  const runtime = ManagedRuntime.make(
    Workspace.layer.pipe(
      Layer.provide(wrapStorage(storage.layer)),
      Layer.provideMerge(
        Layer.mergeAll(
          random.layer,
          fakeFetcher,
          // A claim that hangs is interrupted without delay.
          Layer.succeed(JobReleaseTimeout, 20),
          Layer.succeed(MarkdownEngine, converters().markdownEngine),
          Layer.succeed(ImportReader, converters().importReader),
          Layer.succeed(GitPacks, converters().gitPacks),
          Layer.succeed(PdfMaker, converters().pdfMaker),
          createsSecret ? Layer.empty : Layer.succeed(SigningSecret, Redacted.make("a secret for tests"))
        )
      )
    ),
    { memoMap: random.memoMap }
  )
  const time = makeMovableClock()
  const withClock = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    effect.pipe(
      Effect.provideService(Clock.Clock, time.clock),
      Effect.provideService(References.MinimumLogLevel, "None")
    )
  const context = await runtime.context()
  const dispatch = await runtime.runPromise(makeDispatcher({}))
  const created = await runtime.runPromise(
    withClock(
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
        const session = yield* startSession("ada@example.com")
        const program = yield* authorizeProgram(user)
        // A signed URL of an upload would create the secret.
        const font = createsSecret ? "none" : yield* stageFont(user, organization)
        return { user, organization, elsewhere, token: Redacted.value(secret), session, program, font }
      })
    )
  )
  const world: FaultyWorld = {
    ...created,
    storage,
    run: (effect) => runtime.runFork(withClock(effect)),
    readContents: () => storeRuntime.runPromise(StoreContents.readContents()),
    save: () => {
      const saved = store.save?.()
      const rewindRandom = random.save()
      return {
        isCurrent: () => saved?.isCurrent() ?? false,
        rewind: () => {
          saved?.rewind()
          rewindRandom()
        }
      }
    },
    send: (call) => Effect.map(dispatch(requestOf(call, call.token ?? created.token)), toOperationResult),
    numberEvents: () => runtime.runPromise(withClock(Effect.flatMap(EventLog, ({ number }) => number))),
    runJobs: Effect.flatMap(BackgroundWork, ({ drain }) => drain).pipe(
      Effect.map((done): Atomicity.OperationResult => ({ outcome: "done", text: String(done) })),
      Effect.catchTag("StorageUnavailable", () =>
        Effect.succeed<Atomicity.OperationResult>({ outcome: "unavailable", text: "unavailable" })
      ),
      Effect.provideContext(context)
    ),
    tokenOf: (user) =>
      runtime.runPromise(
        withClock(
          Effect.gen(function* () {
            const input = { user: UserId.make(user), label: "Test" }
            return Redacted.value((yield* (yield* ApiTokens).create({ input })).secret)
          })
        )
      ),
    findings: () => runtime.runPromise(withClock(findings)),
    advance: time.advance,
    close: async () => {
      await runtime.dispose()
      await storeRuntime.dispose()
    }
  }
  // The first use of the token is stored here, so that no operation under test stores it.
  await Atomicity.runToEnd(world, world.send({ method: "GET", path: "/v1/user" }))
  return world
}

/** Longer than the lease of a job, in milliseconds. */
const leaseMillis = 2 * 60_000

/** The ids of a workspace with repeatable ids. */
const idPattern = /0[0-9a-z]{29}/g

/** Returns the function that replaces times, and the ids that are not in the contents `before`: a repeated job draws others. */
const makeNormalize = (before: StoreContents.StoreContents) => {
  const known = new Set([...before.values()].flatMap((rows) => rows.join(" ").match(idPattern) ?? []))
  return (contents: StoreContents.StoreContents): StoreContents.StoreContents =>
    new Map(
      [...contents].map(([table, rows]) => [
        table,
        rows.map((row) =>
          row
            .replaceAll(/"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"/g, "time")
            .replaceAll(idPattern, (id) => (known.has(id) ? id : "new"))
        )
      ])
    )
}

/**
 * Runs the jobs that are due once without faults, and then with a fault at each step. Reports a violation unless the
 * jobs are completed after the fault with the same stored result, except for times and new ids. All jobs are completed afterwards.
 */
export const tryFaultsInJobs = async (
  world: FaultyWorld,
  kindAt: (step: Fault.Step) => Atomicity.FaultKind
): Promise<{ readonly stepCount: number; readonly violations: ReadonlyArray<string> }> => {
  const { storage } = world
  const violations: Array<string> = []
  const runJobs = () => Atomicity.runToEnd(world, world.runJobs)
  const before = world.save()
  const normalize = makeNormalize(await world.readContents())
  storage.takeSteps()
  const reference = await runJobs()
  const steps = storage.takeSteps()
  const expected = normalize(await world.readContents())
  for (const step of steps) {
    const kind = kindAt(step)
    if (kind === "conflict" && !Fault.canConflict(step)) continue
    const description = `jobs: ${kind} at ${Atomicity.describeStep(step)}`
    before.rewind()
    storage.heal()
    storage.takeSteps()
    const stepPredicate = Fault.at.step(step.number)
    const result = await Atomicity.runToEnd(world, world.runJobs, (interrupt) =>
      storage.inject(Atomicity.makeFault(kind, stepPredicate, interrupt))
    )
    if (result.outcome === "broken") violations.push(`${description} failed: ${result.text}`)
    storage.heal()
    world.advance(leaseMillis)
    const retried = await runJobs()
    if (retried.outcome !== "done")
      violations.push(`${description}: the retry returned "${retried.outcome}: ${retried.text}"`)
    const missing = StoreContents.diffContents(expected, normalize(await world.readContents()))
    if (missing.length > 0) violations.push([`${description} stored another result`, ...missing].join("\n  "))
  }
  // Time has passed, so the next use of the token is stored again.
  await Atomicity.runToEnd(world, world.send({ method: "GET", path: "/v1/user" }))
  if (reference.outcome !== "done") violations.push(`jobs: ${reference.text}`)
  return { stepCount: steps.length, violations }
}

/** The body of a successful response; throws if the request failed. */
export const bodyOf = <A>({ outcome, text }: Atomicity.OperationResult): A => {
  if (outcome !== "done") throw new Error(text)
  const body = text.slice(text.indexOf("} ") + 2)
  return (body === "" ? undefined : JSON.parse(body)) as A
}

/** The workspace as a host of the scene in which every operation is called. */
export const sceneHostOf = (world: FaultyWorld): RewindableHost => ({
  owner: { id: world.user, email: "ada@example.com" },
  organization: world.organization,
  elsewhere: world.elsewhere,
  call: async <A>(method: string, path: string, body?: unknown): Promise<A> => {
    const result = await Atomicity.runToEnd(world, world.send({ method, path, body }))
    if (result.outcome !== "done") throw new Error(`${method} ${path} returns ${result.text}`)
    return bodyOf<A>(result)
  },
  signIn: async () => world.session,
  authorizeProgram: async () => world.program,
  uploadFont: async () => world.font,
  work: () => Atomicity.runToEnd(world, world.runJobs),
  save: world.save
})
