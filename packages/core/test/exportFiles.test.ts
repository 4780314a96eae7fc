/** Files of an export to Git are read from the store, and never replaced by other bytes. */
import { BlobHash, Blobs, ChunkedBlobs, Ids, Records } from "@lectern/core"
import { ContentStore } from "@lectern/core/content"
import { MemoryStorage } from "@lectern/testkit"
import { Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { readExportedFile } from "../src/features/git/exportFiles.ts"

const services = Layer.mergeAll(ContentStore.layer, ChunkedBlobs.layer).pipe(
  Layer.provide(Layer.mergeAll(Blobs.layer, Ids.layer)),
  Layer.provide(Records.layer),
  Layer.provide(MemoryStorage.layer())
)

const readError = (content: Uint8Array | { readonly hash: BlobHash; readonly size: number }) =>
  Effect.runPromise(
    Effect.flip(
      Effect.flatMap(ContentStore, (store) => readExportedFile(store, { path: "assets/logo.png", content }))
    ).pipe(Effect.provide(services))
  )

describe("a file of an export to Git", () => {
  it("fails with its path if its bytes are missing, instead of being exported as zeros", async () => {
    const error = await readError({ hash: BlobHash.make("missing"), size: 3 })
    expect(error).toMatchObject({ _tag: "GitFailed", message: expect.stringContaining('"assets/logo.png"') })
  })
})
