/**
 * The store in memory: the reference that every other store is compared with, and what unit tests of a host use.
 *
 * The state is a value. A transaction works on its own copy and puts it in the place of the old one when it
 * commits, so there is nothing to undo; one transaction runs at a time, and whoever reads outside of it sees what
 * was committed last, without waiting.
 */
import { RecordsAdapter, type Table, type WriteError, tables as workspaceTables } from "@lectern/core"
import { Context, Effect, Exit, Layer, Semaphore } from "effect"
import * as State from "./MemoryState.ts"

/** Where fibers write to: what is committed, or the copy of a transaction. */
interface Place {
  state: State.State
  /** Held by what writes here, and by a transaction for as long as it runs: it would not see what others write. */
  readonly turn: Semaphore.Semaphore
  isOpen: boolean
}

const place = (state: State.State): Place => ({ state, turn: Semaphore.makeUnsafe(1), isOpen: true })

/** The place that a fiber writes to, where it is in a transaction. */
class Working extends Context.Service<Working, Place>()("@lectern/testkit/MemoryStorage/Working") {}

const stateNames = new WeakMap<State.State, string>()
let last = 0

/** Names a state, by a number. */
const nameOf = (state: State.State): string => {
  const name = stateNames.get(state) ?? String(++last)
  stateNames.set(state, name)
  return name
}

const makeAdapter = (
  tables: ReadonlyArray<Table.AnyTable>,
  committed: Place = place(State.empty)
): RecordsAdapter["Service"] => {
  const here = <A, E, R>(use: (place: Place) => Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.withFiber((fiber) => {
      const current = Context.getOrUndefined(fiber.context, Working) ?? committed
      // A fiber that outlives its transaction would write to where nobody looks any more.
      return current.isOpen ? use(current) : Effect.die(new Error("The transaction has ended."))
    })

  const read = <A>(ask: (state: State.State) => A): Effect.Effect<A> =>
    here((place) => Effect.sync(() => ask(place.state)))

  const write = <A>(change: (state: State.State) => State.Written<A>): Effect.Effect<A, WriteError> =>
    here((place) =>
      place.turn.withPermit(
        Effect.suspend((): Effect.Effect<A, WriteError> => {
          const written = change(place.state)
          if (written._tag === "Refused") return Effect.fail(written.error)
          place.state = written.state
          return Effect.succeed(written.value)
        })
      )
    )

  const transaction = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    here((outer) =>
      outer.turn.withPermit(
        Effect.uninterruptibleMask((restore) =>
          Effect.suspend(() => {
            const inner = place(outer.state)
            return Effect.onExit(restore(Effect.provideService(self, Working, inner)), (exit) =>
              Effect.sync(() => {
                inner.isOpen = false
                if (Exit.isSuccess(exit)) outer.state = inner.state
              })
            )
          })
        )
      )
    ) as Effect.Effect<A, E, R>

  return RecordsAdapter.of({
    concurrency: 1,
    find: (table, find) => read((state) => State.find(state, table, find)),
    count: (table, where) => read((state) => State.filter(state, table, where).length),
    countBy: (table, column, where) => read((state) => State.countBy(state, table, column, where)),
    search: (table, search) => read((state) => State.search(state, table, search)),
    snapshot: read(nameOf),
    insert: (table, rows) => write((state) => State.insert(state, table, rows)),
    insertMissing: (table, rows) => write((state) => State.insertMissing(state, table, rows)),
    update: (table, where, change) => write((state) => State.update(state, table, where, change)),
    remove: (table, where) => write((state) => State.remove(state, tables, table, where)),
    next: (table, key, column) => write((state) => State.next(state, table, key, column)),
    transaction
  })
}

/** A store in memory that can be put back to how it was. */
export interface RewindableStorage {
  readonly layer: Layer.Layer<RecordsAdapter>
  readonly save: () => {
    /** Whether nothing was committed since, but for what changes nothing. */
    readonly isCurrent: () => boolean
    /** Puts it back, as often as it is called. No transaction may be open then. */
    readonly rewind: () => void
  }
}

/** The layers of the store in memory. */
export const MemoryStorage = {
  /**
   * A new and empty store each time it is built. It has the tables of the workspace, or those that are given. Rows
   * that it gives cannot be changed, and what a column cannot hold is a defect.
   */
  layer: (tables: ReadonlyArray<Table.AnyTable> = workspaceTables): Layer.Layer<RecordsAdapter> =>
    Layer.sync(RecordsAdapter, () => makeAdapter(tables)),

  /**
   * A store that can be put back to how it was, at no cost: for tests that try many things from where one story led.
   * It is one store, however often its layer is built.
   */
  rewindable: (tables: ReadonlyArray<Table.AnyTable> = workspaceTables): RewindableStorage => {
    const committed = place(State.empty)
    return {
      layer: Layer.sync(RecordsAdapter, () => makeAdapter(tables, committed)),
      save: () => {
        const { state } = committed
        return {
          isCurrent: () => committed.state === state,
          rewind: () => {
            committed.state = state
          }
        }
      }
    }
  }
}
