/** Ids and random bytes that can come once more: so what two runs of the same operation store can be compared. */
import { Ids, RecordsAdapter } from "@lectern/core"
import { Effect, Exit, Layer } from "effect"
import { WebCrypto } from "effect/crypto"

/** Where ids and random bytes come from. For one operation after the other, not for several at once. */
export interface RepeatableRandom {
  /** For the `ManagedRuntime` of a workspace: in it, `Ids` are these. */
  readonly memoMap: Layer.MemoMap
  /** For the layers of a workspace: what they draw is drawn here. */
  readonly layer: Layer.Layer<never>
  /** Remembers how much was drawn; the answer has the same drawn again. */
  readonly save: () => () => void
  /** A store in which what an undone transaction had drawn is drawn again when it is tried again. */
  readonly over: (storage: Layer.Layer<RecordsAdapter, unknown>) => Layer.Layer<RecordsAdapter, unknown>
}

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"

/** So long as the ids of a workspace are. */
const idLength = 30
const countLength = 13

/** A number that looks like chance, from one that counts: the finalizer of MurmurHash3. */
const mixed = (count: number): number => {
  let value = Math.imul(count ^ (count >>> 16), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return (value ^ (value >>> 16)) >>> 0
}

/** Chance from its beginning: two that are made, and asked for the same, give the same. */
export const makeRepeatableRandom = (): RepeatableRandom => {
  let drawn = 0
  let made = 0

  const nextId = (): string => {
    made++
    const count = made.toString(32).padStart(countLength, "0")
    let id = Array.from(count, (digit) => alphabet[Number.parseInt(digit, 32)]!).join("")
    for (let i = countLength; i < idLength; i++) id += alphabet[mixed(made * 31 + i) & 31]!
    return id
  }

  const getRandomValues = (bytes: Uint8Array): Uint8Array => {
    for (let i = 0; i < bytes.length; i++) bytes[i] = mixed(++drawn) & 255
    return bytes
  }

  const save = () => {
    const [drawnThen, madeThen] = [drawn, made]
    return () => {
      drawn = drawnThen
      made = madeThen
    }
  }

  const memoMap = Layer.makeMemoMapUnsafe()
  const ids = Layer.succeed(Ids, { next: Effect.sync(nextId) })
  const memoize = memoMap.getOrElseMemoize.bind(memoMap)
  Object.assign(memoMap, {
    getOrElseMemoize: ((layer, scope, build) =>
      layer === (Ids.layer as unknown)
        ? Layer.buildWithMemoMap(ids, memoMap, scope)
        : memoize(layer, scope, build)) as Layer.MemoMap["getOrElseMemoize"]
  })

  const undoing = (adapter: RecordsAdapter["Service"]): RecordsAdapter["Service"] => {
    let depth = 0
    return {
      ...adapter,
      transaction: (self) =>
        Effect.suspend(() => {
          const again = save()
          depth++
          return Effect.onExit(adapter.transaction(self), (exit) =>
            Effect.sync(() => {
              depth--
              if (depth === 0 && Exit.isFailure(exit)) again()
            })
          )
        })
    }
  }

  return {
    memoMap,
    layer: WebCrypto.layer({ getRandomValues, subtle: globalThis.crypto.subtle } as Crypto),
    save,
    over: (storage) =>
      Layer.effect(RecordsAdapter, Effect.map(RecordsAdapter, undoing)).pipe(Layer.provide(storage))
  }
}
