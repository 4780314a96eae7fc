import { CoreApi, MemoryStorage, play, story, tellings } from "@lectern/testkit"
import * as fc from "fast-check"
import { describe, it } from "vitest"

describe("a workspace in memory", () => {
  it("is what the model says, whatever its users do", async () => {
    await fc.assert(
      fc.asyncProperty(story(40), async (steps) => {
        const api = CoreApi.make(MemoryStorage.layer())
        try {
          await play(api, "story", steps)
        } finally {
          await api.close()
        }
      }),
      tellings(120)
    )
  })
})
