/**
 * Tests the atomicity of an operation by fault injection: if any step of the store fails, the operation takes effect
 * entirely or not at all, ends with `StorageUnavailable`, and succeeds when it is retried.
 */
import { Fault, type FaultyStorage } from "@lectern/testkit"
import { Effect, Exit, Fiber } from "effect"
import { diffContents, type StoreContents, withoutAuditLog } from "./StoreContents.ts"

/** The result of an operation. */
export interface OperationResult {
  /**
   * `done`: success. `rejected`: an error of the caller. `unavailable`: a storage failure, reported as specified.
   * `interrupted`: the caller was interrupted. `broken`: anything else, such as a defect, which must never occur.
   */
  readonly outcome: "done" | "rejected" | "unavailable" | "interrupted" | "broken"
  /** The result as text, for comparison. */
  readonly text: string
}

/** The system under test: a faulty store, the services on top of it, and a way to rewind both. */
export interface World {
  /** The faulty store. */
  readonly storage: Pick<FaultyStorage, "inject" | "heal" | "takeSteps">
  /** Forks an effect that uses the store. */
  readonly run: <A>(effect: Effect.Effect<A>) => Fiber.Fiber<A, unknown>
  /** Reads the contents of the store, bypassing the faults. */
  readonly readContents: () => Promise<StoreContents>
  /** Saves the contents of the store and the state of the random generators. */
  readonly save: () => {
    readonly isCurrent: () => boolean
    readonly rewind: () => void
  }
}

/**
 * A kind of fault, named like the function of `Fault` that creates it; `interrupt` interrupts the caller at the step.
 */
export type FaultKind = "fail" | "conflict" | "disconnect" | "reset" | "interrupt"

/** All kinds of faults. */
export const faultKinds: ReadonlyArray<FaultKind> = ["fail", "conflict", "interrupt", "disconnect", "reset"]

/**
 * Returns the kinds of faults to try at a step: `rounds` of them, rotated by the count of faults so far, so that the steps
 * of a run cover all kinds. After the response, only `fail` and `interrupt` differ.
 */
export const rotatedKinds =
  (rounds: number, faultCount: () => number) =>
  ({ kind, number }: Fault.Step): ReadonlyArray<FaultKind> =>
    kind === "response"
      ? ["fail", "interrupt"]
      : Array.from(
          { length: rounds },
          (_, round) => faultKinds[(faultCount() + number + round) % faultKinds.length]!
        )

const faultConstructors = {
  fail: Fault.fail,
  conflict: Fault.conflict,
  disconnect: Fault.disconnect,
  reset: Fault.reset
}

/** Creates a fault that occurs once. For the kind `interrupt`, it calls `interrupt` at its step. */
export const makeFault = (kind: FaultKind, where: Fault.StepPredicate, interrupt: () => void): Fault.Fault =>
  kind === "interrupt" ? Fault.hang(where, interrupt) : faultConstructors[kind](where)

/** The result of `tryEachFault`. */
export interface AtomicityReport {
  /** The steps of the operation without faults. */
  readonly steps: ReadonlyArray<Fault.Step>
  /** The result of the operation without faults. */
  readonly result: OperationResult
  /** How many faults were faultCount. */
  readonly faultCount: number
  /** The violations, each with the fault, its step and the observed difference; empty if the operation is atomic. */
  readonly violations: ReadonlyArray<string>
  /**
   * The effect of a retry after the operation succeeded and its response was lost: `same` if it changes timestamps
   * only, `another` if it takes effect twice, or the text of its error. Undefined if the operation stores nothing.
   */
  readonly retryResult: string | undefined
}

/** How long an operation may take to end after an interruption. */
const interruptionTimeoutMs = 60_000

const interrupted: OperationResult = { outcome: "interrupted", text: "interrupted" }

/**
 * Runs an operation to its end. The outcome is `broken` if it fails, has a defect, or does not end within 60 s after an
 * interruption. `prepare` is called before the operation starts, with a function that interrupts it.
 */
export const runToEnd = async (
  world: Pick<World, "run">,
  operation: Effect.Effect<OperationResult>,
  prepare: (interrupt: () => void) => void = () => {}
): Promise<OperationResult> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  let fiber: Fiber.Fiber<OperationResult, unknown> | undefined
  const interruptionTimeout = new Promise<OperationResult>((resolve) => {
    prepare(() => {
      // Deferred, as `interrupt` may be called before `world.run` has returned the fiber.
      queueMicrotask(() => fiber?.interruptUnsafe())
      timer = setTimeout(
        () => resolve({ outcome: "broken", text: "did not end after it was interrupted" }),
        interruptionTimeoutMs
      )
    })
  })
  fiber = world.run(operation)
  const ended = Effect.runPromise(Fiber.await(fiber)).then((exit): OperationResult => {
    if (Exit.isSuccess(exit)) return exit.value
    return Exit.hasInterrupts(exit) ? interrupted : { outcome: "broken", text: String(exit.cause) }
  })
  const result = await Promise.race([ended, interruptionTimeout])
  clearTimeout(timer)
  return result
}

const timestampPattern = /"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"/g

/**
 * Runs an operation with each kind of fault at each of its steps, and retries it after each. Rewinds the world in
 * between, and leaves it as the operation without faults does.
 */
export const tryEachFault = async (
  world: World,
  operation: Effect.Effect<OperationResult>,
  /** The kinds of faults to try at a step; all kinds by default. */
  kindsAt: (step: Fault.Step) => ReadonlyArray<FaultKind> = () => faultKinds
): Promise<AtomicityReport> => {
  const { storage } = world
  const before = world.save()
  const contentsBefore = await world.readContents()
  storage.heal()
  const result = await runToEnd(world, operation)
  const after = world.save()
  const isWrite = !before.isCurrent()
  const contentsAfter = isWrite ? await world.readContents() : contentsBefore
  const violations: Array<string> = []
  // The first run fills caches, which rewinding does not clear. Later runs thus have the steps of the second one.
  before.rewind()
  storage.takeSteps()
  const repeatedResult = await runToEnd(world, operation)
  const steps = storage.takeSteps()
  if (repeatedResult.text !== result.text) {
    violations.push(
      `ended with "${repeatedResult.outcome}: ${repeatedResult.text}", when its reads were cached`
    )
  }
  let faultCount = 0
  let retryResult: string | undefined

  /** Whether the store has all effects of the operation, none, or differences from both, which are returned. */
  const compareStore = async (): Promise<"none" | "whole" | ReadonlyArray<string>> => {
    if (before.isCurrent()) return isWrite ? "none" : "whole"
    const now = await world.readContents()
    if (isWrite && diffContents(contentsAfter, now).length === 0) return "whole"
    const changed = diffContents(contentsBefore, now)
    return changed.length === 0 ? "none" : changed
  }

  for (const step of steps) {
    for (const kind of kindsAt(step)) {
      if (kind === "conflict" && !Fault.canConflict(step)) continue
      const report = (what: string, more: ReadonlyArray<string> = []) =>
        violations.push([`${kind} at ${describeStep(step)} ${what}`, ...more].join("\n  "))

      before.rewind()
      storage.heal()
      storage.takeSteps()
      const where = Fault.at.step(step.number)
      const actual = await runToEnd(world, operation, (interrupt) =>
        storage.inject(makeFault(kind, where, interrupt))
      )
      const reached = storage.takeSteps()[step.number - 1]
      if (reached === undefined || describeStep(reached) !== describeStep(step)) {
        report(
          reached === undefined
            ? `did not reach the step, and ended with "${actual.outcome}: ${actual.text}"`
            : `occurred at ${describeStep(reached)}`
        )
        continue
      }
      const found = await compareStore()
      if (typeof found !== "string") {
        report("left a partial effect", found)
        continue
      }
      faultCount++
      // After a lost response the effect remains, and `Records` retries a conflict, which must succeed.
      const expectsWhole = step.kind === "response" || kind === "conflict"
      // An operation can number events in a transaction before its own: the effect is whole after the last response.
      const isEarlierResponse =
        step.kind === "response" &&
        steps.some((later) => later.kind === "response" && later.number > step.number)
      const expected =
        kind === "conflict"
          ? result
          : kind === "interrupt"
            ? interrupted
            : { outcome: "unavailable" as const }
      if (isWrite && !isEarlierResponse && found !== (expectsWhole ? "whole" : "none"))
        report(
          found === "whole" ? "took effect, expected no effect" : "had no effect, expected the whole effect"
        )
      if (actual.outcome !== expected.outcome || ("text" in expected && actual.text !== expected.text)) {
        report(`ended with "${actual.outcome}: ${actual.text}"`)
      }

      if (kind === "disconnect") {
        const meanwhile = await runToEnd(world, operation)
        if (meanwhile.outcome !== "unavailable") {
          report(
            `ended with "${meanwhile.outcome}: ${meanwhile.text}", when it was retried while disconnected`
          )
        }
        if (isWrite && (await compareStore()) !== found)
          report("changed the store, when it was retried while disconnected")
      }
      storage.heal()
      if (found === "none" || !isWrite) {
        // The store is unchanged. Rewinding also resets the random generators, so that results are comparable.
        before.rewind()
        const retried = await runToEnd(world, operation)
        if (retried.text !== result.text) {
          report(`ended with "${retried.outcome}: ${retried.text}", when it was retried`)
        }
        if (isWrite) {
          const missing = diffContents(contentsAfter, await world.readContents())
          if (missing.length > 0) report("stored something else, when it was retried", missing)
        }
      } else if (step.kind === "response" && kind === "fail") {
        const repeated = await runToEnd(world, operation)
        const changed = diffContents(
          withoutAuditLog(contentsAfter),
          withoutAuditLog(await world.readContents())
        )
        const withoutTimestamps = (lines: ReadonlyArray<string>) =>
          lines.join().replace(timestampPattern, "").replaceAll(/[-+] /g, "")
        if (repeated.outcome !== "done") retryResult = repeated.text
        else {
          const [removed, added] = ["-", "+"].map((sign) => changed.filter((line) => line.startsWith(sign)))
          retryResult = withoutTimestamps(removed!) === withoutTimestamps(added!) ? "same" : "another"
        }
        if (repeated.outcome === "broken")
          report(`ended with "${repeated.text}", when it was retried after a lost response`)
      }
    }
  }
  storage.heal()
  after.rewind()
  return { steps, result, faultCount, violations, retryResult }
}

/** Returns a step as text, such as `step 3 (verb insert spaces)`, without the word `verb`. */
export const describeStep = ({ number, kind, verb, table }: Fault.Step): string =>
  `step ${number} (${[kind, verb, table].filter((word) => word !== undefined && word !== "verb").join(" ")})`
