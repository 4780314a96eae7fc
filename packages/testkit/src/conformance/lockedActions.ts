/** The actions of generated locked transactions: on the store, on a model, and with the locks that cover them. */
import { type Lock, lockName, Records, type Table, Where } from "@lectern/core"
import { Effect } from "effect"
import * as fc from "fast-check"
import { items, permits } from "./tables.ts"

type Item = Table.Row<typeof items>

const rooms = ["north", "south"] as const
type Room = (typeof rooms)[number]

/** The items that exist at the start, two in each room. */
export const initialItems: ReadonlyArray<Item> = rooms.flatMap((room) =>
  ["1", "2"].map((number) => ({ id: `${room} ${number}`, room, balance: 5 }))
)

/** The person whose permit the actions read and change. */
export const person = "ada"

/** An action of a transaction. */
export type LockedAction =
  /** Lists the items of a room. */
  | { readonly do: "list"; readonly room: Room }
  /** Adds to the balance of every item in a room. */
  | { readonly do: "add"; readonly room: Room; readonly value: number }
  /** Adds an item to a room. */
  | { readonly do: "create"; readonly room: Room; readonly value: number }
  /** Adds an item with a negative balance to a room if the total of both rooms suffices. */
  | { readonly do: "spend"; readonly room: Room; readonly value: number }
  /** Adds an item to a room unless it has three already. */
  | { readonly do: "fill"; readonly room: Room; readonly value: number }
  /** Moves the first item of a room to the other one. */
  | { readonly do: "move"; readonly room: Room }
  /** Adds to every item in the room of an item, which the lock finds by the item. */
  | { readonly do: "follow"; readonly item: string; readonly value: number }
  /** Adds an item to a room if the permit allows it. */
  | { readonly do: "write"; readonly room: Room; readonly value: number }
  /** Changes the permit. */
  | { readonly do: "permit"; readonly allowed: boolean }
  | { readonly do: "wait"; readonly length: number }

/** The state of the model. */
export interface Model {
  items: ReadonlyArray<Item>
  allowed: boolean
}

const otherRoom = (room: Room): Room => (room === "north" ? "south" : "north")

const lock = (mode: Lock["mode"], kind: string, id: string): Lock => ({ mode, kind, id })

/** Returns the locks that cover an action. */
export const locksOf = (action: LockedAction): ReadonlyArray<Lock> => {
  switch (action.do) {
    case "list":
      return [lock("shared", "room", action.room)]
    case "add":
    case "create":
    case "fill":
      return [lock("exclusive", "room", action.room)]
    case "spend":
      return [lock("exclusive", "room", action.room), lock("shared", "room", otherRoom(action.room))]
    case "move":
      return rooms.map((room) => lock("exclusive", "room", room))
    case "follow":
      return [
        {
          mode: "exclusive",
          kind: "room",
          row: { table: items, key: "id", id: action.item, column: "room" }
        }
      ]
    case "write":
      return [lock("exclusive", "room", action.room), lock("shared", "permit", person)]
    case "permit":
      return [lock("exclusive", "permit", person)]
    case "wait":
      return []
  }
}

const total = (all: ReadonlyArray<Item>): number => all.reduce((sum, { balance }) => sum + balance, 0)

const inRoom = (room: string) => Where.eq<Item, "room">("room", room)

/** Runs an action on the store, and returns its result. `name` is the id of an item that it creates. */
export const runAction = Effect.fnUntraced(function* (action: LockedAction, name: string) {
  const records = yield* Records
  const list = (room: Room) => records.find(items, { where: inRoom(room) })
  const create = (room: Room, balance: number) => records.insert(items, { id: name, room, balance })
  switch (action.do) {
    case "list":
      return (yield* list(action.room)).map(({ id, balance }) => [id, balance])
    case "add":
      return yield* records.update(items, inRoom(action.room), {}, { balance: action.value })
    case "create":
      return yield* create(action.room, action.value)
    case "spend": {
      const sum = total([...(yield* list("north")), ...(yield* list("south"))])
      if (sum >= action.value) yield* create(action.room, -action.value)
      return sum
    }
    case "fill": {
      const count = yield* records.count(items, inRoom(action.room))
      if (count < 3) yield* create(action.room, action.value)
      return count
    }
    case "move": {
      const [first] = yield* list(action.room)
      if (first !== undefined) {
        yield* records.update(items, Where.eq<Item, "id">("id", first.id), { room: otherRoom(action.room) })
      }
      return first?.id
    }
    case "follow": {
      const item = (yield* records.get(items, { id: action.item }))!
      yield* records.requireLocked(lockName("room", item.room))
      return yield* records.update(items, inRoom(item.room), {}, { balance: action.value })
    }
    case "write": {
      const { allowed } = (yield* records.get(permits, { person }))!
      if (allowed) yield* create(action.room, action.value)
      return allowed
    }
    case "permit":
      return yield* records.update(permits, Where.eq("person", person), { allowed: action.allowed })
    case "wait":
      return yield* action.length === 0 ? Effect.yieldNow : Effect.sleep(action.length)
  }
})

const sortItems = (all: ReadonlyArray<Item>): ReadonlyArray<Item> =>
  all.toSorted((one, other) => (one.id < other.id ? -1 : 1))

/** Applies an action to the model, and returns its result. */
export const applyAction = (model: Model, action: LockedAction, name: string): unknown => {
  const list = (room: string) => model.items.filter((item) => item.room === room)
  const create = (room: Room, balance: number): void => {
    model.items = sortItems([...model.items, { id: name, room, balance }])
  }
  const add = (room: string, value: number): number => {
    model.items = model.items.map((item) =>
      item.room === room ? { ...item, balance: item.balance + value } : item
    )
    return list(room).length
  }
  switch (action.do) {
    case "list":
      return list(action.room).map(({ id, balance }) => [id, balance])
    case "add":
      return add(action.room, action.value)
    case "create":
      return create(action.room, action.value)
    case "spend": {
      const sum = total(model.items)
      if (sum >= action.value) create(action.room, -action.value)
      return sum
    }
    case "fill": {
      const count = list(action.room).length
      if (count < 3) create(action.room, action.value)
      return count
    }
    case "move": {
      const [first] = list(action.room)
      const room = otherRoom(action.room)
      model.items = model.items.map((item) => (item.id === first?.id ? { ...item, room } : item))
      return first?.id
    }
    case "follow":
      return add(model.items.find(({ id }) => id === action.item)!.room, action.value)
    case "write": {
      if (model.allowed) create(action.room, action.value)
      return model.allowed
    }
    case "permit":
      model.allowed = action.allowed
      return 1
    case "wait":
      return undefined
  }
}

const room = fc.constantFrom(...rooms)
const value = fc.integer({ min: 1, max: 12 })

/** Generates an action. */
export const lockedActionArbitrary: fc.Arbitrary<LockedAction> = fc.oneof(
  fc.record({ do: fc.constant("list" as const), room }),
  fc.record({ do: fc.constantFrom("add" as const, "create", "spend", "fill", "write"), room, value }),
  fc.record({ do: fc.constant("move" as const), room }),
  fc.record({
    do: fc.constant("follow" as const),
    item: fc.constantFrom(...initialItems.map(({ id }) => id)),
    value
  }),
  fc.record({ do: fc.constant("permit" as const), allowed: fc.boolean() }),
  fc.record({ do: fc.constant("wait" as const), length: fc.nat(2) })
)
