/**
 * Comments on spaces and change requests: queries, concurrent reactions, and a thread through the official client. The
 * contract scenarios of the testkit test them for users of every role.
 */
import { GitBookAPI } from "@gitbook/api"
import { type Comment, comments, type EditedContent, type Role, type Space } from "@lectern/core"
import { allRecords, countRoundTrips } from "@lectern/harness"
import { MemoryStorage } from "@lectern/testkit"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { validatePublicResponse } from "./contract.ts"
import { ruleDatabases, ruleStores } from "./stores.ts"
import { startServer, startServerOn, type TestServer } from "./support.ts"

const roles: ReadonlyArray<Role> = ["admin", "edit", "comment", "comment", "read"]
const emojis = ["👍", "🎉", "1f600"]

/** Creates a space with a change request, and members of all roles. */
const setUp = async (server: TestServer, name: string) => {
  const users: Array<string> = []
  for (const index of roles.keys()) users.push(await server.core.createUser(`${name}-${index}@example.com`))
  const organization = await server.core.createOrganization(name, users[0]!)
  for (const [index, role] of roles.entries()) await server.core.setMember(organization, users[index]!, role)
  const tokens = await Promise.all(users.map(server.tokenOf))
  const call = async (user: number, method: string, path: string, body?: unknown) => {
    const response = await server.fetch(`/v1${path}`, {
      method,
      token: tokens[user]!,
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const text = await response.text()
    return { status: response.status, body: text === "" ? undefined : (JSON.parse(text) as unknown) }
  }
  const { id } = (await call(0, "POST", `/orgs/${organization}/spaces`, {})).body as Space
  const space = `/spaces/${id}`
  await call(0, "POST", `${space}/change-requests`, {})
  return { users, tokens, call, space, subjects: [space, `${space}/change-requests/1`] }
}

/** Creates a space with a page, and the official client of a commenter. */
const startThread = async (store: (typeof ruleDatabases)[number]) => {
  const server = await startServerOn(store)
  const { call, space: path, tokens, users } = await setUp(server, "thread")
  const space = path.split("/")[2]!
  const client = new GitBookAPI({ endpoint: server.url, authToken: tokens[2]! })
  const insert = { operation: "insert_page", document: { markdown: "# Intro\n\nFirst words.\n" } }
  const edited = (await call(0, "POST", `${path}/content`, { changes: [insert] })).body as EditedContent
  const change = edited.changes[0]!
  const page = change.object === "created_page" ? change.page.id : ""
  const post = async (body: Parameters<typeof client.spaces.postCommentInSpace>[1]) => {
    const { data } = await client.spaces.postCommentInSpace(space, body)
    expect(validatePublicResponse("postCommentInSpace", 200, data)).toBeUndefined()
    return data
  }
  return { server, call, client, space, users, page, post }
}

describe("a thread", () => {
  it("of 100 comments is listed in at most 5 queries", async () => {
    const store = countRoundTrips(MemoryStorage.layer())
    const server = await startServer(store.layer)
    try {
      const { call, subjects } = await setUp(server, "far")
      const insert = { operation: "insert_page", document: { markdown: "# Intro" } }
      const edited = (await call(0, "POST", `${subjects[0]}/content`, { changes: [insert] }))
        .body as EditedContent
      const change = edited.changes[0]!
      const page = change.object === "created_page" ? change.page.id : ""
      await call(0, "POST", `${subjects[1]}/update`)
      for (const subject of subjects) {
        for (let i = 0; i < 100; i++) {
          const comment = { body: { markdown: `Comment ${i}` }, page }
          const { id } = (await call(i % 4, "POST", `${subject}/comments`, comment)).body as Comment
          await call((i + 1) % 4, "PUT", `${subject}/comments/${id}`, { addedReactions: emojis })
        }
        store.takeCount()
        const response = await call(2, "GET", `${subject}/comments?limit=100`)
        expect(store.takeCount()).toBeLessThanOrEqual(5)
        const { items } = response.body as { items: ReadonlyArray<Comment> }
        expect(items.filter(({ reactions, target }) => reactions.length > 0 && target.page)).toHaveLength(100)
      }
    } finally {
      await server.close()
    }
  })

  for (const { name, make } of ruleStores) {
    it(`loses no concurrent reaction, on ${name}`, async () => {
      const server = await startServer(await make())
      try {
        const { call, space, users } = await setUp(server, "many")
        const { id } = (await call(0, "POST", `${space}/comments`, { body: { markdown: "Vote" } }))
          .body as Comment
        const at = `${space}/comments/${id}`
        const responses = await Promise.all(
          [0, 1, 2, 3].flatMap((user) =>
            emojis.map((emoji) => call(user, "PUT", at, { addedReactions: [emoji] }))
          )
        )
        expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200))
        const { reactions } = (await call(0, "GET", at)).body as Comment
        const counts = Object.fromEntries(reactions.map(({ emoji, count }) => [emoji, count]))
        expect(counts).toEqual(Object.fromEntries(emojis.map((emoji) => [emoji, users.length - 1])))
      } finally {
        await server.close()
      }
    })
  }

  for (const store of ruleDatabases) {
    it(`on a page refers to the page, and mentions only members of the organization, on ${store.name}`, async () => {
      const { server, client, space, users, page, post } = await startThread(store)
      const markdown = `See @thread-1@example.com, and nobody@example.com`
      const posted = await post({ page, body: { markdown } })
      expect(posted).toMatchObject({
        status: "open",
        body: { markdown },
        target: { page: { id: page, title: "Intro", path: "intro", outdated: false }, space }
      })
      const stored = await server.core.runtime.runPromise(
        Effect.flatMap(allRecords, (records) => records.first(comments, {}))
      )
      expect(stored?.mentions).toEqual([users[1]])
      expect((await client.spaces.getCommentInSpace(space, posted.id)).data.id).toBe(posted.id)
    })

    it(`has replies with reactions, on ${store.name}`, async () => {
      const { client, space, page, post } = await startThread(store)
      const { id } = await post({ page, body: { markdown: "Hm" } })
      const reply = await client.spaces.postCommentReplyInSpace(space, id, { body: { markdown: "Yes" } })
      expect(validatePublicResponse("postCommentReplyInSpace", 200, reply.data)).toBeUndefined()
      await client.spaces.updateCommentReplyInSpace(space, id, reply.data.id, {
        addedReactions: ["👍"]
      })
      const read = await client.spaces.getCommentReplyInSpace(space, id, reply.data.id)
      expect(read.data.reactions).toMatchObject([{ count: 1 }])
    })

    it(`on a node of a page has a preview of the node, on ${store.name}`, async () => {
      const { call, client, space, page, post } = await startThread(store)
      const { body } = await call(0, "GET", `/spaces/${space}/content/page/${page}?format=document`)
      const [node] = (body as { document: { nodes: ReadonlyArray<{ key: string }> } }).document.nodes
      const onNode = await post({ page, node: node!.key, body: { markdown: "*This*?" } })
      expect(onNode.target.node).toEqual({ id: node!.key, preview: "First words." })
      const asDocument = await client.spaces.getCommentInSpace(space, onNode.id, { format: "document" })
      expect(asDocument.data.body).toHaveProperty("document.nodes.0.type", "paragraph")
      await client.spaces.deleteCommentInSpace(space, onNode.id)
      for (const target of [{ node: node!.key }, { page, node: "nothing" }]) {
        const response = await call(2, "POST", `/spaces/${space}/comments`, {
          ...target,
          body: { markdown: "x" }
        })
        expect(response.status).toBe(400)
      }
    })

    it(`is listed by status, page and author, on ${store.name}`, async () => {
      const { client, space, users, page, post } = await startThread(store)
      await post({ page, body: { markdown: "Hm" } })
      const listed = await client.spaces.listCommentsInSpace(space, {
        status: "open",
        targetPage: page,
        authors: [users[2]!, users[3]!]
      })
      expect(listed.data.items).toHaveLength(1)
      expect(validatePublicResponse("listCommentsInSpace", 200, listed.data)).toBeUndefined()
      const other = await client.spaces.listCommentsInSpace(space, { targetPage: "nothing" })
      expect(other.data.count).toBe(0)
    })

    it(`is outdated once its page has changed, and remains when it is deleted, on ${store.name}`, async () => {
      const { call, client, space, page, post } = await startThread(store)
      const comment = (await post({ page, body: { markdown: "Hm" } })).id
      const content = `/spaces/${space}/content`
      const update = { operation: "update_page", page, title: "Introduction" }
      await call(0, "POST", content, { changes: [update] })
      const after = await client.spaces.getCommentInSpace(space, comment)
      expect(after.data.target.page).toMatchObject({ title: "Introduction", outdated: true })
      await call(0, "POST", content, { changes: [{ operation: "delete_page", page }] })
      const remaining = await client.spaces.getCommentInSpace(space, comment)
      expect(remaining.data.target.page).toMatchObject({ title: "Intro", path: "intro", outdated: true })
      await expect(
        client.spaces.postCommentInSpace(space, { page, body: { markdown: "Late" } })
      ).rejects.toMatchObject({ code: 400 })
    })

    it(`on a merged change request remains, and accepts no reply, on ${store.name}`, async () => {
      const { call, client, space } = await startThread(store)
      const onRequest = await client.spaces.postCommentInChangeRequest(space, "1", {
        body: { markdown: "Hm" }
      })
      expect(onRequest.data.target.changeRequest).toBeDefined()
      expect((await client.spaces.getChangeRequestById(space, "1")).data.comments).toBe(1)
      await call(0, "POST", `/spaces/${space}/change-requests/1/merge`)
      await expect(
        client.spaces.postCommentInChangeRequest(space, "1", { body: { markdown: "Late" } })
      ).rejects.toMatchObject({ code: 409 })
      await expect(
        client.spaces.postCommentReplyInChangeRequest(space, "1", onRequest.data.id, {
          body: { markdown: "Late" }
        })
      ).rejects.toMatchObject({ code: 409 })
      const still = await client.spaces.getCommentInChangeRequest(space, "1", onRequest.data.id)
      expect(still.data).toMatchObject({
        body: { markdown: "Hm" },
        permissions: { reply: false, edit: true }
      })
    })

    it(`rejects a body that is blank or above 10,000 characters, on ${store.name}`, async () => {
      const { call, space } = await startThread(store)
      for (const body of [
        {},
        { body: {} },
        { body: { markdown: "" } },
        { body: { markdown: "   " } },
        { body: { markdown: "x".repeat(10_001) } },
        { node: "x" }
      ]) {
        expect((await call(2, "POST", `/spaces/${space}/comments`, body)).status).toBe(400)
      }
    })
  }
})
