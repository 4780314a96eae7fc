/** A space that is synchronized with a Git server in memory, by workers that a test stops at any step. */
import { BackgroundWork, Fetcher, type GitInfo, ImportWait, RecordsAdapter } from "@lectern/core"
import { type MemoryGit, makeMemoryGit } from "@lectern/harness/memory-git"
import { Clock, Context, Effect, Fiber, Layer } from "effect"
import { onTestFinished } from "vitest"
import { callForBody } from "../caller.ts"
import { startServer, type TestServer } from "../support.ts"
import type { Page } from "./imports.ts"

/** Longer than the lease of a job, so that another worker claims it. */
const leaseMillis = 60_000

/** Blocks the steps of workers: the beginnings and ends of transactions and of requests to the Git server. */
const makeGate = () => {
  let remaining = 0
  let blocked: (() => void) | undefined
  let resume: () => void = () => {}
  return {
    /** Passes a step, or blocks at it until `resume`. */
    pass: (): Promise<void> | undefined => {
      if (blocked === undefined || --remaining > 0) return undefined
      const block = blocked
      blocked = undefined
      return new Promise<void>((resolve) => {
        resume = resolve
        block()
      })
    },
    /** Blocks the step with this number, counted from now. Returns when it is reached. */
    blockAt: (step: number) =>
      new Promise<() => void>((resolve) => {
        remaining = step
        blocked = () => resolve(resume)
      }),
    disarm: () => {
      blocked = undefined
    }
  }
}

type Gate = ReturnType<typeof makeGate>

/** Whether the fiber is in a transaction, in which a step must not block others. */
const InTransaction = Context.Reference<boolean>("test/InTransaction", { defaultValue: () => false })

/** Makes each transaction two steps: before its beginning, and after its commit. */
const gateTransactions = (storage: Layer.Layer<RecordsAdapter, unknown>, { pass }: Gate) => {
  const step = Effect.suspend(() => {
    const waiting = pass()
    return waiting === undefined ? Effect.void : Effect.promise(() => waiting)
  })
  const inSteps = <A, E, R>(transaction: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(InTransaction, (isNested) =>
      isNested
        ? transaction
        : Effect.andThen(
            step,
            Effect.tap(Effect.provideService(transaction, InTransaction, true), () => step)
          )
    )
  return Layer.effect(
    RecordsAdapter,
    Effect.map(RecordsAdapter, (adapter) =>
      RecordsAdapter.of({
        ...adapter,
        transaction: (self) => inSteps(adapter.transaction(self)),
        ...(adapter.lockedTransaction === undefined
          ? {}
          : { lockedTransaction: (locks, self) => inSteps(adapter.lockedTransaction!(locks, self)) })
      })
    )
  ).pipe(Layer.provide(storage))
}

/** A worker that is blocked at a step. */
interface Blocked {
  readonly fiber: Fiber.Fiber<number, unknown>
  readonly resume: () => void
}

/** Starts servers on a store, which have workers, and a space. All of them use one Git server. */
export const openGitWorkers = async (
  storage: Layer.Layer<RecordsAdapter, unknown>,
  processes = 1,
  git: MemoryGit = makeMemoryGit()
) => {
  const gate = makeGate()
  git.hooks.around = async () => gate.pass()
  const servers: Array<TestServer> = []
  const blocked: Array<Blocked> = []
  for (let count = 0; count < processes; count++) {
    const services = Layer.mergeAll(Layer.succeed(Fetcher, git.fetch), Layer.succeed(ImportWait, 300_000))
    servers.push(await startServer(Layer.provideMerge(gateTransactions(storage, gate), services)))
  }
  const close = async () => {
    for (const { resume } of blocked.splice(0)) resume()
    for (const server of servers.splice(0)) await server.close()
  }
  onTestFinished(close)
  const [server] = servers as [TestServer]
  const admin = await server.core.createUser("admin@example.com")
  const organization = await server.core.createOrganization("Acme", admin)
  const token = await server.tokenOf(admin)
  const call = <A>(method: string, path: string, body?: unknown) =>
    callForBody<A>(server, token, method, path, body)
  const space = (await call<{ id: string }>("POST", `/orgs/${organization}/spaces`, {})).id
  const fork = (index: number): Fiber.Fiber<number, unknown> => {
    const { core } = servers[index % servers.length]!
    const drain = Effect.flatMap(BackgroundWork, (work) => work.drain)
    return core.runtime.runFork(Effect.provideService(drain, Clock.Clock, core.clock))
  }
  const join = (fiber: Fiber.Fiber<number, unknown>) => Effect.runPromise(Fiber.join(fiber))
  const advance = () => {
    for (const { core } of servers) void core.advance(leaseMillis)
  }

  /** Runs workers, one after the other or at the same time, until nothing is due. */
  const work = async (count = 1) => {
    await Promise.all(Array.from({ length: count }, (_, index) => join(fork(index))))
  }

  /** Runs a worker up to a step. It is interrupted there, as by a shutdown, or stops for longer than its lease. */
  const workUntil = async (step: number, how: "interrupt" | "pause", index = 0) => {
    const reached = gate.blockAt(step)
    const fiber = fork(index)
    const resume = await Promise.race([reached, join(fiber).then(() => undefined)])
    gate.disarm()
    if (resume === undefined) return false
    if (how === "interrupt") {
      const interrupting = Effect.runPromise(Fiber.interrupt(fiber))
      // A step that cannot be interrupted ends first.
      resume()
      await interrupting
    } else {
      blocked.push({ fiber, resume })
      advance()
    }
    return true
  }

  /** Lets the workers that were paused continue. */
  const resumeAll = async () => {
    for (const { fiber, resume } of blocked.splice(0)) {
      resume()
      await join(fiber)
    }
  }

  const start = (operation: "import" | "export", input: Readonly<Record<string, unknown>> = {}) =>
    call<void>("POST", `/spaces/${space}/git/${operation}`, {
      url: git.url,
      ref: "refs/heads/main",
      ...(operation === "export" ? { commitMessage: "Export" } : {}),
      ...input
    })
  const content = `/spaces/${space}/content`
  const pages = async (base = content): Promise<ReadonlyArray<Page>> => {
    const flat = (list: ReadonlyArray<Page>): ReadonlyArray<Page> =>
      list.flatMap((page) => [page, ...flat(page.pages ?? [])])
    return flat((await call<{ pages: ReadonlyArray<Page> }>("GET", `${base}/pages`)).pages)
  }
  const bodyOf = async (page: string, base = content) =>
    (await call<Page>("GET", `${base}/page/${page}?format=markdown`)).markdown ?? ""

  return {
    git,
    server,
    close,
    admin,
    organization,
    space,
    call,
    start,
    work,
    workUntil,
    resumeAll,
    advance,
    pages,
    bodyOf,
    info: () => call<GitInfo>("GET", `/spaces/${space}/git/info`),
    edit: (change: Readonly<Record<string, unknown>>, base = content) =>
      call<void>("POST", base, { changes: [change] })
  }
}

/** A space that is synchronized with a Git server in memory: see {@link openGitWorkers}. */
export type GitWorkers = Awaited<ReturnType<typeof openGitWorkers>>
