/** The Promise facade: typed errors, transactions over several calls, the host's own authentication and log. */
import { Authenticator, type EmbeddedWorkspace, isLecternError, type LogEntry } from "@lectern/core"
import { Effect, Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { caught, openWorkspace } from "./support/embedding.ts"

describe("errors", () => {
  it("reject as typed errors with a reason, which programs narrow", async () => {
    const { ada } = await openWorkspace()
    const error = await caught(ada.spaces.get({ space: "missing" }))
    if (!isLecternError(error) || error._tag !== "NotFound") throw new Error(`not a NotFound: ${error}`)
    expect(error.reason).toBe("SpaceNotFound")
  })

  it("name every invalid field of the input", async () => {
    const { ada, organization } = await openWorkspace()
    const error = await caught(
      ada.spaces.create({ organization, input: { title: "x".repeat(51), emoji: "" } })
    )
    if (!isLecternError(error) || error._tag !== "InvalidInput") throw new Error(`not invalid: ${error}`)
    expect(error.details.map(({ path }) => path)).toEqual(["title", "emoji"])
  })

  it("reject null instead of an input", async () => {
    const { ada, organization } = await openWorkspace()
    const input = null as unknown as Record<string, never>
    const error = await caught(ada.spaces.create({ organization, input }))
    expect(isLecternError(error) && error._tag).toBe("InvalidInput")
    expect((await ada.spaces.list({ organization })).count).toBe(0)
  })

  it("do not include errors of other programs", () => {
    expect([new Error("no"), null, undefined, { _tag: "NotFound" }].some(isLecternError)).toBe(false)
  })

  it("of a misspelled method are a TypeError with its name", async () => {
    const { ada } = await openWorkspace()
    const mistyped = ada.spaces as unknown as { readonly creat: () => Promise<unknown> }
    await expect(mistyped.creat()).rejects.toThrow(new TypeError('spaces has no method "creat".'))
  })
})

describe("a transaction", () => {
  const titlesOf = async ({ as }: EmbeddedWorkspace, user: string, organization: string) =>
    (await as(user).spaces.list({ organization })).items.map(({ title }) => title)

  it("stores everything that its body does, or nothing", async () => {
    const { workspace, user, ada, organization } = await openWorkspace()
    const shelf = await ada.transaction(async (tx) => {
      const collection = await tx.collections.create({ organization, input: { title: "Guides" } })
      await tx.spaces.create({ organization, input: { title: "Start", parent: collection.id } })
      return collection.id
    })
    expect((await ada.collections.listSpaces({ collection: shelf })).count).toBe(1)

    const thrown = new Error("changed my mind")
    const error = await caught(
      ada.transaction(async (tx) => {
        await tx.spaces.create({ organization, input: { title: "Never" } })
        throw thrown
      })
    )
    expect(error).toBe(thrown)
    expect(await titlesOf(workspace, user, organization)).toEqual(["Start"])
  })

  it("is rolled back by an error of one of its operations, which it rejects with", async () => {
    const { workspace, user, ada, organization } = await openWorkspace()
    const error = await caught(
      ada.transaction(async (tx) => {
        await tx.spaces.create({ organization, input: { title: "Never" } })
        await tx.spaces.remove({ space: "missing" })
      })
    )
    expect(isLecternError(error) && error._tag).toBe("NotFound")
    expect(await titlesOf(workspace, user, organization)).toEqual([])
  })

  it("sees its own changes, which others see only afterwards", async () => {
    const { workspace, user, ada, organization } = await openWorkspace()
    await ada.transaction(async (tx) => {
      await tx.spaces.create({ organization, input: { title: "Draft" } })
      expect((await tx.spaces.list({ organization })).count).toBe(1)
    })
    expect(await titlesOf(workspace, user, organization)).toEqual(["Draft"])
  })

  it("cannot be used after its end", async () => {
    const { ada, organization } = await openWorkspace()
    const tx = await ada.transaction(async (tx) => ({ tx }))
    await expect(tx.tx.spaces.list({ organization })).rejects.toThrow("The transaction has ended")
  })
})

describe("a host", () => {
  const authenticateWith = (workspace: EmbeddedWorkspace, cookie: string, token?: string) =>
    workspace.runtime.runPromise(
      Effect.flatMap(Authenticator, (authenticator) =>
        authenticator.authenticate({
          token: token === undefined ? undefined : Redacted.make(token),
          header: (name) => (name.toLowerCase() === "cookie" ? cookie : undefined),
          method: "GET",
          url: "/v1/user"
        })
      )
    )

  it("authenticates requests by its cookies, and falls back to API tokens", async () => {
    const users = new Map<string, string>()
    const { workspace, user } = await openWorkspace({
      authenticate: async ({ header }) => {
        const found = users.get(header("Cookie") ?? "")
        return found === undefined ? undefined : { user: found }
      }
    })
    users.set("session=ada", user)
    expect((await authenticateWith(workspace, "session=ada")).id).toBe(user)
    const { secret } = await workspace.tokens.create({ input: { user, label: "script" } })
    expect((await authenticateWith(workspace, "session=else", secret)).id).toBe(user)
    const error = await caught(authenticateWith(workspace, "session=else"))
    expect(isLecternError(error) && error._tag === "Unauthenticated" && error.reason).toBe("TokenMissing")
  })

  it("authenticates requests by a function without a promise", async () => {
    const { workspace, user } = await openWorkspace({
      authenticate: ({ header }) => (header("Cookie") === "session=ada" ? { user: "ada" } : undefined)
    })
    expect((await authenticateWith(workspace, "session=ada")).id).toBe("ada")
    const { secret } = await workspace.tokens.create({ input: { user, label: "script" } })
    expect((await authenticateWith(workspace, "session=else", secret)).id).toBe(user)
  })

  it("receives an error if its function returns no user of the workspace", async () => {
    for (const user of ["ada lovelace", 42, undefined]) {
      const { workspace } = await openWorkspace({ authenticate: () => ({ user: user as string }) })
      await expect(authenticateWith(workspace, "session=ada")).rejects.toThrow("`authenticate` must return")
    }
  })

  it("receives the log of the workspace", async () => {
    const entries: Array<LogEntry> = []
    const { workspace } = await openWorkspace({ logger: (entry) => entries.push(entry) })
    await workspace.runtime.runPromise(Effect.logWarning("the disk is", "almost full"))
    expect(entries.map(({ level, message }) => [level, message])).toEqual([
      ["Warn", "the disk is almost full"]
    ])
  })

  it("stops background work by disposing of the workspace, without a rejection", async () => {
    const { workspace } = await openWorkspace()
    const working = workspace.work.run()
    await workspace.work.drain()
    await workspace.dispose()
    await expect(working).resolves.toBeUndefined()
  })
})
