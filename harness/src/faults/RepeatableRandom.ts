/** Deterministic ids and random bytes that can be rewound, so that two runs of an operation store the same rows. */
import { Ids, RecordsAdapter } from "@lectern/core"
import { Effect, Exit, Layer } from "effect"
import { WebCrypto } from "effect/crypto"

/** A deterministic source of ids and random bytes. Operations that use it must not run concurrently. */
export interface RepeatableRandom {
  /** Pass it to the `ManagedRuntime` of a workspace, to replace the layer of `Ids`. */
  readonly memoMap: Layer.MemoMap
  /** Provide it to the layers of a workspace, to replace `WebCrypto`. */
  readonly layer: Layer.Layer<never>
  /** Saves the position in the sequence. Returns a function that restores it. */
  readonly save: () => () => void
  /** Wraps a store, so that a transaction that is rolled back also rewinds the sequence. */
  readonly wrapStorage: (
    storage: Layer.Layer<RecordsAdapter, unknown>
  ) => Layer.Layer<RecordsAdapter, unknown>
}

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"

/** The length of ids in a workspace. */
const idLength = 30
const countLength = 13

/** Hashes a counter to a pseudorandom number: the finalizer of MurmurHash3. */
const hashCounter = (count: number): number => {
  let value = Math.imul(count ^ (count >>> 16), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return (value ^ (value >>> 16)) >>> 0
}

/** Creates a source at the start of the sequence. All sources have the same sequence. */
export const makeRepeatableRandom = (): RepeatableRandom => {
  let byteCount = 0
  let idCount = 0

  const nextId = (): string => {
    idCount++
    const count = idCount.toString(32).padStart(countLength, "0")
    let id = Array.from(count, (digit) => alphabet[Number.parseInt(digit, 32)]!).join("")
    for (let i = countLength; i < idLength; i++) id += alphabet[hashCounter(idCount * 31 + i) & 31]!
    return id
  }

  const getRandomValues = (bytes: Uint8Array): Uint8Array => {
    for (let i = 0; i < bytes.length; i++) bytes[i] = hashCounter(++byteCount) & 255
    return bytes
  }

  const save = () => {
    const [savedByteCount, savedIdCount] = [byteCount, idCount]
    return () => {
      byteCount = savedByteCount
      idCount = savedIdCount
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

  const rewindOnRollback = (adapter: RecordsAdapter["Service"]): RecordsAdapter["Service"] => {
    let depth = 0
    return {
      ...adapter,
      transaction: (self) =>
        Effect.suspend(() => {
          const restore = save()
          depth++
          return Effect.onExit(adapter.transaction(self), (exit) =>
            Effect.sync(() => {
              depth--
              if (depth === 0 && Exit.isFailure(exit)) restore()
            })
          )
        })
    }
  }

  return {
    memoMap,
    layer: WebCrypto.layer({ getRandomValues, subtle: globalThis.crypto.subtle } as Crypto),
    save,
    wrapStorage: (storage) =>
      Layer.effect(RecordsAdapter, Effect.map(RecordsAdapter, rewindOnRollback)).pipe(Layer.provide(storage))
  }
}
