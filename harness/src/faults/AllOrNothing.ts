/**
 * Atomicity under faults: whatever fails, at any step of the store, an operation takes effect entirely or not at all,
 * reports `StorageUnavailable` as agreed, and succeeds when it is retried.
 */
import { Fault, type FaultyStorage } from "@lectern/testkit"
import { Effect, Exit, Fiber } from "effect"
import { differences, type StoreContents } from "./StoreContents.ts"

/** The result of an operation. */
export interface OperationResult {
  /**
   * `unavailable`: the agreed report of a storage failure. `interrupted`: the caller was interrupted. `broken`: a defect
   * or a violated agreement, which must never occur.
   */
  readonly outcome: "done" | "refused" | "unavailable" | "interrupted" | "broken"
  /** The result as text, for comparison. */
  readonly text: string
}

/** The world under test: a store with faults, what is built on it, and a way to rewind it. */
export interface World {
  readonly storage: Pick<FaultyStorage, "inject" | "heal" | "takeSteps" | "countPendingFaults">
  /** Runs an effect that uses the store. */
  readonly run: <A>(effect: Effect.Effect<A>) => Fiber.Fiber<A, unknown>
  /** Reads the contents of the store, bypassing the faults. */
  readonly contents: () => Promise<StoreContents>
  /** Saves the contents of the store and the state of the random generators. */
  readonly save: () => {
    readonly isCurrent: () => boolean
    readonly rewind: () => void
  }
}

/** Kinds of faults: see the functions of the same names in `Fault`. `interrupt`: the caller goes away. */
export type Kind = "fail" | "conflict" | "disconnect" | "reset" | "interrupt"

/** All kinds of faults. */
export const faultKinds: ReadonlyArray<Kind> = ["fail", "conflict", "interrupt", "disconnect", "reset"]

const faultConstructors = {
  fail: Fault.fail,
  conflict: Fault.conflict,
  disconnect: Fault.disconnect,
  reset: Fault.reset
}

/** Makes a fault that occurs once. For the kind `interrupt` it calls `interrupt` at its step. */
export const faultOf = (kind: Kind, where: Fault.StepPredicate, interrupt: () => void): Fault.Fault =>
  kind === "interrupt" ? Fault.hang(where, interrupt) : faultConstructors[kind](where)

/** The result of trying an operation with faults. */
export interface Trials {
  /** The steps that it takes where nothing fails. */
  readonly steps: ReadonlyArray<Fault.Step>
  /** What came of it where nothing failed. */
  readonly answer: OperationResult
  /** How many faults were tried. */
  readonly tried: number
  /** The violations, a few lines each; empty if the operation is atomic. */
  readonly violations: ReadonlyArray<string>
  /**
   * What becomes of it where it is done, its answer is lost, and the client asks again: `same` where nothing changes
   * but times, `another` where it is done twice, or the refusal. Undefined where it stores nothing.
   */
  readonly again: string | undefined
}

/** The timeout for an operation to end after an interruption. */
const interruptionTimeoutMs = 60_000

const interrupted: OperationResult = { outcome: "interrupted", text: "interrupted" }

/**
 * Runs an operation to its end. One that dies, fails, or does not end when it is interrupted is broken. `prepare` is
 * called before, with the way to interrupt it.
 */
export const perform = async (
  world: Pick<World, "run">,
  operation: Effect.Effect<OperationResult>,
  prepare: (interrupt: () => void) => void = () => {}
): Promise<OperationResult> => {
  let late: ReturnType<typeof setTimeout> | undefined
  let fiber: Fiber.Fiber<OperationResult, unknown> | undefined
  const never = new Promise<OperationResult>((resolve) => {
    prepare(() => {
      // Not at once: it may be that the fiber is just being made.
      queueMicrotask(() => fiber?.interruptUnsafe())
      late = setTimeout(() => resolve({ outcome: "broken", text: "does not end" }), interruptionTimeoutMs)
    })
  })
  fiber = world.run(operation)
  const ended = Effect.runPromise(Fiber.await(fiber)).then((exit): OperationResult => {
    if (Exit.isSuccess(exit)) return exit.value
    return Exit.hasInterrupts(exit) ? interrupted : { outcome: "broken", text: String(exit.cause) }
  })
  const answer = await Promise.race([ended, never])
  clearTimeout(late)
  return answer
}

const isTime = /"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"/g

/** Tries an operation with a fault at each of its steps; leaves the world as the operation without a fault does. */
export const tryEachFault = async (
  world: World,
  operation: Effect.Effect<OperationResult>,
  /** What to try at a step: all kinds by default. */
  kindsAt: (step: Fault.Step) => ReadonlyArray<Kind> = () => faultKinds
): Promise<Trials> => {
  const { storage } = world
  const before = world.save()
  const contentsBefore = await world.contents()
  storage.heal()
  storage.takeSteps()
  const answer = await perform(world, operation)
  const steps = storage.takeSteps()
  const after = world.save()
  const stores = !before.isCurrent()
  const contentsAfter = stores ? await world.contents() : contentsBefore
  const violations: Array<string> = []
  let tried = 0
  let again: string | undefined

  /** How much of it is stored. */
  const stored = async (): Promise<"none" | "whole" | ReadonlyArray<string>> => {
    if (before.isCurrent()) return stores ? "none" : "whole"
    const now = await world.contents()
    if (stores && differences(contentsAfter, now).length === 0) return "whole"
    const changed = differences(contentsBefore, now)
    return changed.length === 0 ? "none" : changed
  }

  for (const step of steps) {
    for (const kind of kindsAt(step)) {
      if (kind === "conflict" && !Fault.canConflict(step)) continue
      const against = (what: string, more: ReadonlyArray<string> = []) =>
        violations.push([`${kind} at ${describe(step)} ${what}`, ...more].join("\n  "))

      before.rewind()
      storage.heal()
      storage.takeSteps()
      const where = Fault.at.step(step.number)
      const got = await perform(world, operation, (interrupt) =>
        storage.inject(faultOf(kind, where, interrupt))
      )
      const found = await stored()
      if (typeof found !== "string") {
        against("left it half done", found)
        continue
      }
      if (storage.countPendingFaults() > 0) {
        // What it has read before it may keep in memory, so that it does not come to this step again.
        if (got.text !== answer.text)
          against(`never came there, and was answered "${got.outcome}: ${got.text}"`)
        continue
      }
      tried++
      // What is stored is stored, and what was in another's way is tried again: nobody need notice.
      const wantsWhole = step.kind === "response" || kind === "conflict"
      const wanted =
        kind === "conflict"
          ? answer
          : kind === "interrupt"
            ? interrupted
            : { outcome: "unavailable" as const }
      if (stores && found !== (wantsWhole ? "whole" : "none")) against(`left ${found} of it`)
      if (got.outcome !== wanted.outcome || ("text" in wanted && got.text !== wanted.text)) {
        against(`was answered "${got.outcome}: ${got.text}"`)
      }

      if (kind === "disconnect") {
        const meanwhile = await perform(world, operation)
        if (meanwhile.outcome !== "unavailable") {
          against(`was answered "${meanwhile.outcome}: ${meanwhile.text}", when it was tried meanwhile`)
        }
        if (stores && (await stored()) !== found) against("changed something when it was tried meanwhile")
      }
      storage.heal()
      if (found === "none" || !stores) {
        // What is stored is as before; what was drawn by chance outside of transactions is drawn again.
        before.rewind()
        const retried = await perform(world, operation)
        if (retried.text !== answer.text) {
          against(`was answered "${retried.outcome}: ${retried.text}", when it was tried again`)
        }
        if (stores) {
          const missing = differences(contentsAfter, await world.contents())
          if (missing.length > 0) against("came to something else when it was tried again", missing)
        }
      } else if (step.kind === "response" && kind === "fail") {
        const repeated = await perform(world, operation)
        const changed = differences(contentsAfter, await world.contents())
        const timeless = (lines: ReadonlyArray<string>) =>
          lines.join().replace(isTime, "").replaceAll(/[-+] /g, "")
        if (repeated.outcome !== "done") again = repeated.text
        else {
          const [gone, come] = ["-", "+"].map((sign) => changed.filter((line) => line.startsWith(sign)))
          again = timeless(gone!) === timeless(come!) ? "same" : "another"
        }
        if (repeated.outcome === "broken") against(`was answered "${repeated.text}", when it was repeated`)
      }
    }
  }
  storage.heal()
  after.rewind()
  return { steps, answer, tried, violations, again }
}

/** A step in words. */
export const describe = ({ number, kind, verb, table }: Fault.Step): string =>
  `step ${number} (${[kind, verb, table].filter((word) => word !== undefined && word !== "verb").join(" ")})`
