/**
 * The store in memory: the reference that every other store is compared with, and what unit tests of a host use.
 *
 * The state is a value. A transaction works on its own copy and puts it in the place of the old one when it
 * commits, so there is nothing to undo; one transaction runs at a time, and whoever reads outside of it sees what
 * was committed last.
 */
import { RecordsAdapter, type Table, type WriteError, tables as workspaceTables } from "@lectern/core"
import { Context, Effect, Exit, Layer, Ref, Semaphore } from "effect"
import * as State from "./MemoryState.ts"

/** The transaction that a fiber is in: the state that it works on. */
class Working extends Context.Service<Working, { state: State.State }>()(
  "@lectern/testkit/MemoryStorage/Working"
) {}

const make = (tables: ReadonlyArray<Table.AnyTable>) =>
  Effect.gen(function* () {
    const committed = yield* Ref.make(State.empty)
    const writer = yield* Semaphore.make(1)

    const read = <A>(ask: (state: State.State) => A): Effect.Effect<A> =>
      Effect.withFiber((fiber) => {
        const working = Context.getOrUndefined(fiber.context, Working)
        return working === undefined
          ? Effect.map(Ref.get(committed), ask)
          : Effect.sync(() => ask(working.state))
      })

    const transaction = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      Effect.withFiber((fiber) => {
        const outer = Context.getOrUndefined(fiber.context, Working)
        const attempt = Effect.uninterruptibleMask((restore) =>
          Effect.gen(function* () {
            const working = { state: outer === undefined ? yield* Ref.get(committed) : outer.state }
            const exit = yield* Effect.exit(restore(Effect.provideService(self, Working, working)))
            if (Exit.isSuccess(exit)) {
              if (outer === undefined) yield* Ref.set(committed, working.state)
              else outer.state = working.state
            }
            return yield* exit
          })
        )
        return outer === undefined ? writer.withPermit(attempt) : attempt
      }) as Effect.Effect<A, E, R>

    const write = <A>(change: (state: State.State) => State.Written<A>): Effect.Effect<A, WriteError> =>
      transaction(
        Effect.gen(function* () {
          const working = yield* Working
          const written = change(working.state)
          if (written._tag === "Refused") return yield* Effect.fail(written.error)
          working.state = written.state
          return written.value
        })
      ) as Effect.Effect<A, WriteError>

    return RecordsAdapter.of({
      concurrency: 1,
      find: (table, find) => read((state) => State.find(state, table, find)),
      count: (table, where) => read((state) => State.filter(state, table, where).length),
      countBy: (table, column, where) => read((state) => State.countBy(state, table, column, where)),
      insert: (table, rows) => write((state) => State.insert(state, table, rows)),
      update: (table, where, change) => write((state) => State.update(state, table, where, change)),
      remove: (table, where) => write((state) => State.remove(state, tables, table, where)),
      next: (table, key, column) => write((state) => State.next(state, table, key, column)),
      transaction
    })
  })

/** The layers of the store in memory. */
export const MemoryStorage = {
  /** A new and empty store. It has the tables of the workspace, or those that are given. */
  layer: (tables: ReadonlyArray<Table.AnyTable> = workspaceTables): Layer.Layer<RecordsAdapter> =>
    Layer.effect(RecordsAdapter, make(tables))
}
