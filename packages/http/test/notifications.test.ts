/** Notifications of people, in the list and by e-mail. The scenario of the contract suite has the operations. */
import { Jobs, type Mail, Mailer, type Notification } from "@lectern/core"
import { Clock, Effect, Layer } from "effect"
import { describe, expect, it, onTestFinished } from "vitest"
import { callForBody } from "./caller.ts"
import { memory, ruleStores, type stores } from "./stores.ts"
import { startServer } from "./support.ts"

const minute = 60_000

/** Starts a server with the administrator `ada` and the member `bob` of an organization with one space. */
const start = async (store: (typeof stores)[number], mails: Array<Mail> = []) => {
  const server = await startServer(
    Layer.merge(
      await store.make(),
      Layer.succeed(Mailer, (mail: Mail) => Effect.sync(() => void mails.push(mail)))
    )
  )
  onTestFinished(() => server.close())
  const { core } = server
  // The recurring job is due once its row exists.
  const recurring = {
    kind: "notifications.assign",
    everyMillis: minute,
    run: () => Effect.succeed(Effect.void)
  }
  await core.runtime.runPromise(
    Effect.provideService(
      Effect.flatMap(Jobs, (jobs) => jobs.schedule([recurring])),
      Clock.Clock,
      core.clock
    )
  )
  const ada = await core.createUser("ada@example.com")
  const bob = await core.createUser("bob@example.com")
  const acme = await core.createOrganization("Acme", ada)
  const cy = await core.createUser("cy@example.org")
  for (const user of [bob, cy]) await core.setMember(acme, user, "review")
  const tokens = {
    ada: await server.tokenOf(ada),
    bob: await server.tokenOf(bob),
    cy: await server.tokenOf(cy)
  }
  const call = <A>(person: keyof typeof tokens, method: string, path: string, body?: unknown) =>
    callForBody<A>(server, tokens[person], method, path, body)
  const send = (person: keyof typeof tokens, method: string, path: string, body?: unknown) =>
    server.fetch(`/v1${path}`, {
      method,
      token: tokens[person],
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
  const { id: space } = await call<{ id: string }>("ada", "POST", `/orgs/${acme}/spaces`, { title: "Manual" })
  const list = async (person: keyof typeof tokens, query = "") =>
    (await call<{ items: ReadonlyArray<Notification> }>(person, "GET", `/orgs/${acme}/notifications${query}`))
      .items
  const kinds = async (person: keyof typeof tokens, query = "") => {
    await core.work()
    return (await list(person, query)).map(({ kind }) => kind)
  }
  const comment = (person: keyof typeof tokens, markdown: string, subject = "") =>
    call<{ id: string }>(person, "POST", `/spaces/${space}${subject}/comments`, { body: { markdown } })
  const propose = (person: keyof typeof tokens, subject: string) =>
    call<{ id: string }>(person, "POST", `/spaces/${space}/change-requests`, { subject })
  return { server, core, ada, bob, cy, acme, space, call, send, list, kinds, comment, propose, mails }
}

describe.each(ruleStores)("notifications on $name", (store) => {
  it("report each kind once to the members whom it concerns, and nothing to who caused it", async () => {
    const { call, kinds, comment, propose, space, ada, bob, acme } = await start(store)
    expect(await kinds("ada")).toEqual([])
    const { id } = await propose("bob", "Words")
    const path = `/spaces/${space}/change-requests/${id}`
    await call("bob", "POST", `${path}/requested-reviewers`, { users: [ada] })
    expect(await kinds("ada")).toEqual(["reviewRequested"])
    const { id: first } = await comment(
      "ada",
      "Good, @bob@example.com and @ada@example.com.",
      `/change-requests/${id}`
    )
    await comment("ada", "One more.", `/change-requests/${id}`)
    await call("ada", "POST", `${path}/comments/${first}/replies`, { body: { markdown: "And this." } })
    await kinds("bob")
    await call("bob", "POST", `${path}/comments/${first}/replies`, { body: { markdown: "Thanks." } })
    await call("ada", "POST", `${path}/reviews`, { status: "approved" })
    await call("ada", "POST", `${path}/merge`)
    expect((await kinds("bob")).toSorted()).toEqual(["comment", "mention", "merged", "review"])
    expect((await kinds("ada")).toSorted()).toEqual(["reply", "reviewRequested"])
    // A member who is added by another one.
    expect(bob).not.toBe(ada)
    await call("ada", "POST", `/orgs/${acme}/invites`, { emails: ["cy@example.com"], role: "read" })
    expect((await kinds("ada")).toSorted()).toEqual(["reply", "reviewRequested"])
  })

  it("report a change request that conflicts after a merge, once per update of it", async () => {
    const { call, kinds, list, propose, space, ada } = await start(store)
    const edit = (person: "ada" | "bob", subject: string, changes: ReadonlyArray<unknown>) =>
      call<{ changes: ReadonlyArray<{ page: { id: string } }> }>(
        person,
        "POST",
        `/spaces/${space}${subject}/content`,
        { changes }
      )
    const inserted = await edit("ada", "", [
      { operation: "insert_page", title: "Words", document: { markdown: "One.\n" } }
    ])
    const page = inserted.changes[0]!.page.id
    const write = (person: "ada" | "bob", id: string, markdown: string) =>
      edit(person, `/change-requests/${id}`, [{ operation: "update_page", page, document: { markdown } }])
    const proposed = async (person: "ada" | "bob", markdown: string) => {
      const { id } = await propose(person, markdown)
      await write(person, id, markdown)
      return id
    }
    const merge = (id: string) => call("ada", "POST", `/spaces/${space}/change-requests/${id}/merge`)
    const stale = await proposed("bob", "Two.\n")
    const { id: compatible } = await propose("bob", "Empty")
    await call("bob", "POST", `/spaces/${space}/change-requests/${stale}/requested-reviewers`, {
      users: [ada]
    })
    const [first, second, third] = [
      await proposed("ada", "Three.\n"),
      await propose("ada", "Nothing"),
      await proposed("ada", "Four.\n")
    ]
    await merge(first)
    expect((await kinds("bob")).filter((kind) => kind === "conflict")).toEqual(["conflict"])
    const [conflict] = await list("bob")
    expect(conflict).toMatchObject({ kind: "conflict", changeRequest: { id: stale, subject: "Two." } })
    expect(conflict!.changeRequest!.id).not.toBe(compatible)
    // The reviewer is notified as well, although they have merged, and of their own change request that conflicts.
    const mine = (await kinds("ada")).filter((kind) => kind === "conflict")
    expect(mine).toEqual(["conflict", "conflict"])
    expect((await list("ada")).some(({ changeRequest }) => changeRequest?.id === third)).toBe(true)
    await merge(second.id)
    expect((await kinds("bob")).filter((kind) => kind === "conflict")).toHaveLength(1)
    // Another version of the change request that conflicts as well.
    await write("bob", stale, "Five.\n")
    await merge((await propose("ada", "Again")).id)
    expect((await kinds("bob")).filter((kind) => kind === "conflict")).toHaveLength(2)
  })

  it("are sent in the language of the recipient", async () => {
    const { call, core, comment, kinds, acme, mails, send } = await start(store)
    const settings = `/orgs/${acme}/notification-settings`
    const set = async (body: object) => (await send("bob", "PUT", settings, body)).status
    expect(await set({ delivery: "immediate", language: "de" })).toBe(204)
    expect(await set({ delivery: "immediate", language: "xx" })).toBe(400)
    // Another setting keeps the language.
    expect(await set({ delivery: "daily" })).toBe(204)
    expect(await call("bob", "GET", settings)).toMatchObject({ delivery: "daily", language: "de" })
    await set({ delivery: "immediate" })
    const mailed = async () => {
      await comment("ada", "Look, @bob@example.com")
      await kinds("bob")
      core.advance(6 * minute)
      await kinds("bob")
      await kinds("bob")
      return mails.at(-1)!
    }
    const german = await mailed()
    expect([german.subject, german.text]).toEqual([
      "Neues aus Acme",
      expect.stringContaining("hat dich erwähnt")
    ])
    expect(german.html).toContain('<html lang="de">')
    expect(await set({ delivery: "immediate", language: null })).toBe(204)
    expect((await mailed()).subject).toBe("News from Acme")
  })

  it("are sent in one e-mail after five minutes, unless they were read before", async () => {
    const { call, core, comment, kinds, acme, mails, list, send, server } = await start(store)
    await comment("ada", "First @bob@example.com <b>\r\nBcc: x")
    await comment("ada", "Second @bob@example.com")
    await kinds("bob")
    expect(mails).toEqual([])
    core.advance(3 * minute)
    await comment("ada", "Third @bob@example.com")
    await kinds("bob")
    const [last] = await list("bob")
    await call("bob", "POST", `/orgs/${acme}/notifications/read`, { notifications: [last!.id] })
    core.advance(3 * minute)
    await kinds("bob")
    await kinds("bob")
    expect(mails.map(({ to, subject }) => [to, subject])).toEqual([["bob@example.com", "News from Acme"]])
    expect(mails[0]!.text.match(/mentioned you/g)?.length).toBe(2)

    // One click, without a session.
    const { pathname } = new URL(mails[0]!.unsubscribeUrl!)
    expect((await server.fetch(pathname)).status).toBe(200)
    expect(
      (await call<{ delivery: string }>("bob", "GET", `/orgs/${acme}/notification-settings`)).delivery
    ).toBe("immediate")
    const unsubscribed = await server.fetch(pathname, {
      method: "POST",
      body: "List-Unsubscribe=One-Click",
      headers: { "content-type": "application/x-www-form-urlencoded" }
    })
    expect(unsubscribed.status).toBe(200)
    expect(
      (await call<{ delivery: string }>("bob", "GET", `/orgs/${acme}/notification-settings`)).delivery
    ).toBe("list")
    expect((await server.fetch(`${pathname}x`, { method: "POST" })).status).toBe(404)
    await comment("ada", "Fourth @bob@example.com")
    await kinds("bob")
    core.advance(10 * minute)
    await kinds("bob")
    expect(mails.length).toBe(1)
    expect((await send("bob", "GET", `/orgs/${acme}/notifications?unread=true`)).status).toBe(200)
  })

  it("report nothing about what the recipient cannot see when they are listed or sent", async () => {
    const { call, core, comment, kinds, mails, space } = await start(store)
    await comment("ada", "Secret @bob@example.com")
    expect(await kinds("bob")).toEqual(["mention"])
    await call("ada", "PATCH", `/spaces/${space}`, { defaultLevel: null })
    expect(await kinds("bob")).toEqual([])
    core.advance(10 * minute)
    await kinds("bob")
    expect(mails).toEqual([])
  })
})

describe("the members of a discussion", () => {
  it("are notified of replies after theirs, and of an edit only if it mentions them for the first time", async () => {
    const { call, comment, kinds, space, acme } = await start(memory)
    const { id } = await comment("ada", "Look, @bob@example.com.")
    const path = `/spaces/${space}/comments/${id}`
    await call("cy", "POST", `${path}/replies`, { body: { markdown: "I think so." } })
    expect(await kinds("ada")).toEqual(["reply"])
    await call("bob", "POST", `${path}/replies`, { body: { markdown: "Me too." } })
    expect(await kinds("cy")).toEqual(["reply"])
    expect(await kinds("bob")).toEqual(["mention"])
    await call("bob", "POST", `/orgs/${acme}/notifications/read`, {})
    await call("ada", "PUT", path, { body: { markdown: "Look, @bob@example.com and @cy@example.org." } })
    expect(await kinds("bob", "?unread=true")).toEqual([])
    expect(await kinds("cy")).toEqual(["mention", "reply"])
  })

  it("are notified of the merge that they have reviewed, or should have", async () => {
    const { call, kinds, propose, space, cy } = await start(memory)
    const { id } = await propose("ada", "Words")
    const path = `/spaces/${space}/change-requests/${id}`
    await call("ada", "POST", `${path}/requested-reviewers`, { users: [cy] })
    await call("bob", "POST", `${path}/reviews`, { status: "approved" })
    await call("ada", "POST", `${path}/merge`)
    expect(await kinds("bob")).toEqual(["merged"])
    expect((await kinds("cy")).toSorted()).toEqual(["merged", "reviewRequested"])
  })
})

describe("the e-mail of a day", () => {
  it("is sent once, at six o'clock UTC", async () => {
    const { call, core, comment, kinds, acme, mails } = await start(memory)
    await call("bob", "PUT", `/orgs/${acme}/notification-settings`, { delivery: "daily" })
    await comment("ada", "First @bob@example.com")
    await kinds("bob")
    core.advance(10 * minute)
    await comment("ada", "Second @bob@example.com")
    await kinds("bob")
    expect(mails).toEqual([])
    core.advance(24 * 60 * minute)
    await kinds("bob")
    expect(mails.length).toBe(1)
    expect(mails[0]!.text.match(/mentioned you/g)?.length).toBe(2)
    core.advance(24 * 60 * minute)
    await kinds("bob")
    expect(mails.length).toBe(1)
  })
})

describe("a setting of a space", () => {
  it("precedes that of the organization, and ends the notifications about the space", async () => {
    const { call, comment, kinds, space } = await start(memory)
    await call("bob", "PUT", `/spaces/${space}/notification-settings`, { delivery: "none" })
    await comment("ada", "First @bob@example.com")
    expect(await kinds("bob")).toEqual([])
    await call("bob", "PUT", `/spaces/${space}/notification-settings`, { delivery: null })
    await comment("ada", "Second @bob@example.com")
    expect(await kinds("bob")).toEqual(["mention"])
  })
})

describe("the end of e-mails", () => {
  it.each(["immediate", "daily"])("also ends the ones that wait, with %s e-mails", async (delivery) => {
    const { call, core, comment, kinds, acme, mails } = await start(memory)
    await call("bob", "PUT", `/orgs/${acme}/notification-settings`, { delivery })
    await comment("ada", "First @bob@example.com")
    await kinds("bob")
    await call("bob", "PUT", `/orgs/${acme}/notification-settings`, { delivery: "list" })
    core.advance(25 * 60 * minute)
    expect(await kinds("bob")).toEqual(["mention"])
    await kinds("bob")
    expect(mails).toEqual([])
  })

  it("by the link in an e-mail includes the spaces with a setting of their own", async () => {
    const { call, core, comment, kinds, mails, server, space } = await start(memory)
    await call("bob", "PUT", `/spaces/${space}/notification-settings`, { delivery: "immediate" })
    await comment("ada", "First @bob@example.com")
    await kinds("bob")
    core.advance(10 * minute)
    await kinds("bob")
    await kinds("bob")
    expect(mails.length).toBe(1)
    const { pathname } = new URL(mails[0]!.unsubscribeUrl!)
    expect((await server.fetch(pathname, { method: "POST" })).status).toBe(200)
    await comment("ada", "Second @bob@example.com")
    await kinds("bob")
    core.advance(10 * minute)
    await kinds("bob")
    await kinds("bob")
    expect(mails.length).toBe(1)
  })
})
