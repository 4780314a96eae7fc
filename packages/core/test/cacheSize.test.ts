/** The setting of the size of all caches of content. */
import { Blobs, CacheSize, cacheShare, Records } from "@lectern/core"
import { MemoryStorage } from "@lectern/testkit"
import { Effect, Layer } from "effect"
import { expect, it } from "vitest"
import { ContentStore } from "../src/features/content/ContentStore.ts"

const services = ContentStore.layer.pipe(
  Layer.provide(Blobs.layer),
  Layer.provide(Records.layer),
  Layer.provide(MemoryStorage.layer())
)

/** The number of 100 strings of 5 kB that remain in the cache. */
const countCached = Effect.gen(function* () {
  const { putText, texts } = yield* ContentStore
  const hashes = yield* Effect.forEach(Array.from({ length: 100 }), (_, index) =>
    putText(`Text ${index} `.repeat(500))
  )
  for (const hash of hashes) yield* texts.get(hash!)
  return hashes.filter((hash) => texts.peek(hash!) !== undefined).length
}).pipe(Effect.provide(services, { local: true }))

it("limits the cache of Markdown to its share of the setting", async () => {
  expect(await Effect.runPromise(countCached)).toBe(100)
  const bytes = 2 * 1024 * 1024
  const cached = await Effect.runPromise(Effect.provideService(countCached, CacheSize, bytes))
  const share = await Effect.runPromise(Effect.provideService(cacheShare(32 * 1024 * 1024), CacheSize, bytes))
  expect(share).toBeLessThan(bytes / 10)
  expect(cached).toBe(Math.floor(share / (`Text 50 `.length * 500 + 1)))
})
