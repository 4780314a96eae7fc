/** Hooks of the host around commands. */
import {
  type ExecutedCall,
  InvalidInput,
  isLecternError,
  rejectCommand,
  type WorkspaceOptions
} from "@lectern/core"
import { describe, expect, it } from "vitest"
import { caught, openWorkspace } from "./support/embedding.ts"

const open = (hooks: NonNullable<WorkspaceOptions["hooks"]>) => openWorkspace({ hooks })

describe("a hook before a command", () => {
  it("receives the decoded parameters and the caller, and can rejectCommand with a typed error", async () => {
    const calls: Array<unknown> = []
    const { ada, organization, user } = await open({
      before: {
        "Spaces.create": ({ parameters, user, operation }) => {
          calls.push([operation, user, parameters.input?.title])
          if (parameters.input?.title?.startsWith("Secret") === true)
            throw rejectCommand("Titles are public.")
        },
        "Spaces.update": ({ parameters }) => {
          if (parameters.input?.title === "Bad") throw InvalidInput.at("title", "must have a ticket")
        }
      }
    })
    const { id } = await ada.spaces.create({ organization, input: { title: "Open" } })
    const refused = await caught(ada.spaces.create({ organization, input: { title: "Secret" } }))
    expect(isLecternError(refused) && [refused._tag, refused.reason, refused.message]).toEqual([
      "Forbidden",
      "RejectedByHook",
      "Titles are public."
    ])
    const invalid = await caught(ada.spaces.update({ space: id, input: { title: "Bad" } }))
    expect(isLecternError(invalid) && invalid._tag).toBe("InvalidInput")
    expect((await ada.spaces.list({ organization })).items.map(({ title }) => title)).toEqual(["Open"])
    expect(calls).toEqual([
      ["Spaces.create", user, "Open"],
      ["Spaces.create", user, "Secret"]
    ])
  })

  it("does not run for a caller who is not permitted to run the command", async () => {
    let calls = 0
    const { workspace, organization } = await open({
      before: {
        "Spaces.create": () => {
          calls++
        }
      }
    })
    const stranger = await workspace.administration.createUser({ input: { email: "eve@example.com" } })
    const error = await caught(workspace.as(stranger).spaces.create({ organization }))
    expect(isLecternError(error) && error._tag).toBe("NotFound")
    expect(calls).toBe(0)
  })
})

describe("a hook after a command", () => {
  it("runs once for each command that has committed, as background work, and again if it fails", async () => {
    const calls: Array<ExecutedCall> = []
    let failures = 1
    const { ada, workspace, organization, user } = await open({
      after: {
        "Spaces.create": (call) => {
          calls.push(call)
          if (failures-- > 0) throw new Error("no")
        }
      }
    })
    const { id } = await ada.spaces.create({ organization, input: { title: "Handbook" } })
    await caught(ada.spaces.create({ organization: "missing" }))
    await caught(
      ada.transaction(async (tx) => {
        await tx.spaces.create({ organization })
        throw new Error("rolled back")
      })
    )
    expect(calls).toEqual([])
    await workspace.work.drain()
    await expect
      .poll(
        async () => {
          await workspace.work.drain()
          return calls.length
        },
        { timeout: 20_000 }
      )
      .toBe(2)
    expect(calls[0]).toMatchObject({
      operation: "Spaces.create",
      user,
      parameters: { organization },
      result: { id, title: "Handbook" }
    })
    expect(calls[0]).not.toHaveProperty("parameters.input")
    expect(calls[1]?.id).toBe(calls[0]?.id)
  })
})

describe("a hook of an operation that does not exist", () => {
  it("rejects every call, with its name", async () => {
    const before = { "Spaces.explode": () => {} } as NonNullable<WorkspaceOptions["hooks"]>["before"]
    const error = await caught(open({ ...(before === undefined ? {} : { before }) }))
    expect(String(error)).toContain("Spaces.explode")
  })

  it("rejects a query", async () => {
    const error = await caught(open({ before: { "Spaces.list": () => {} } }))
    expect(String(error)).toContain("Spaces.list")
  })
})
