/** Workspaces that are broken on purpose: each has to be found out, by a story of a few lines. */
import { CoreApi, MemoryStorage, play, story, type WorkspaceApi } from "@lectern/testkit"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

/** What the story that finds a broken workspace out says, made as small as it goes. */
const findOut = async (breakIt: (api: WorkspaceApi) => Partial<WorkspaceApi>): Promise<string> => {
  const property = fc.asyncProperty(story(10), async (steps) => {
    const api = CoreApi.make(MemoryStorage.layer())
    try {
      await play({ ...api, ...breakIt(api) }, "story", steps)
    } finally {
      await api.close()
    }
  })
  const { errorInstance } = await fc.check(property, { numRuns: 300, interruptAfterTimeLimit: 60_000 })
  return errorInstance instanceof Error ? errorInstance.message : "nothing was found"
}

describe("a story", () => {
  it("finds a workspace out that forgets a rename, in lines that a shell can run", async () => {
    const message = await findOut(({ call }) => ({
      call: (user, [service, method, args]) =>
        method === "update" && service === "spaces" && "title" in (args[1] as object)
          ? call(user, [service, "get", [args[0]]])
          : call(user, [service, method, args])
    }))
    const lines = message.trim().split("\n")
    expect(lines.filter((line) => line.includes("curl") && !/\/(invites|teams)"/.test(line))).toEqual([
      expect.stringMatching(
        /^SPACE_0=\$\(curl -sS -X POST .*"\$BASE\/v1\/orgs\/\$ORG_\d\/spaces" \| jq -r '\.id'\)$/
      ),
      expect.stringMatching(
        /^curl -sS -X PATCH .* -d '\{"title":".*"\}' "\$BASE\/v1\/spaces\/\$SPACE_0" # succeeds$/
      )
    ])
  })
})
