/**
 * Threads on spaces and change requests: what users of every role do with them, against a model that only remembers;
 * and the story with the official client.
 */
import { GitBookAPI } from "@gitbook/api"
import {
  type ChangeRequest,
  type Comment,
  type CommentReply,
  comments,
  type EditedContent,
  Records,
  type Role,
  type Space
} from "@lectern/core"
import { MemoryStorage, roundTrips, runs } from "@lectern/testkit"
import { Effect } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { differences } from "./contract.ts"
import { memory, stores } from "./stores.ts"
import { startServer, type TestServer } from "./support.ts"

const allStores = [memory, ...stores]

const roles: ReadonlyArray<Role> = ["admin", "edit", "comment", "comment", "read"]
const rank = (role: Role) => ["read", "comment", "edit", "review", "create", "admin"].indexOf(role)
const emojis = ["👍", "🎉", "1f600"]

/** A space with a change request, and members of all roles. */
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

interface Said {
  readonly id: string
  readonly by: number
  text: string
  edited: boolean
  /** By emoji, in the order of first use; of users, in the order in which they reacted. */
  reactions: ReadonlyArray<{ readonly emoji: string; readonly user: number }>
}

interface Thread extends Said {
  readonly subject: number
  resolved: boolean
  replies: ReadonlyArray<Said>
}

const user = fc.nat(roles.length - 1)
const which = fc.nat(5)
const step = fc.record({
  do: fc.constantFrom(
    ...["post", "post", "post", "reply", "reply", "react", "react", "reactToReply", "resolve", "reopen"],
    ...["edit", "editReply", "delete", "deleteReply", "list", "list"]
  ),
  user,
  which,
  reply: fc.nat(2),
  subject: fc.nat(1),
  add: fc.subarray(emojis),
  remove: fc.subarray(emojis),
  status: fc.constantFrom("all", "open", "resolved"),
  order: fc.constantFrom("asc", "desc"),
  authors: fc.subarray([0, 1, 2, 3])
})
type Step = typeof step extends fc.Arbitrary<infer A> ? A : never

const play = async (server: TestServer, name: string, steps: ReadonlyArray<Step>) => {
  const { users, call, space, subjects } = await setUp(server, name)
  let threads: ReadonlyArray<Thread> = []
  const may = (user: number, needed: Role) => rank(roles[user]!) >= rank(needed)

  const shownReactions = (said: Said) => {
    const byEmoji = Map.groupBy(said.reactions, ({ emoji }) => emoji)
    return Array.from(byEmoji, ([emoji, all]) => [emoji, all.map(({ user }) => users[user])])
  }
  const reactionsOf = ({ reactions }: Pick<Comment, "reactions">) =>
    reactions.map(({ emoji, count, users }) => {
      expect(count).toBe(users.length)
      return [emoji, users.map(({ user }) => user.id)]
    })
  const same = (said: Said, shown: Comment | CommentReply, viewer: number) => {
    expect({
      id: shown.id,
      by: shown.postedBy.id,
      text: shown.body.markdown,
      edited: shown.editedAt !== undefined,
      reactions: reactionsOf(shown),
      permissions: shown.permissions
    }).toEqual({
      id: said.id,
      by: users[said.by],
      text: said.text,
      edited: said.edited,
      reactions: shownReactions(said),
      permissions: {
        view: true,
        edit: said.by === viewer && may(viewer, "comment"),
        reply: may(viewer, "comment"),
        delete: may(viewer, said.by === viewer ? "comment" : "admin")
      }
    })
  }
  const reacted = (said: Said, user: number, { add, remove }: Step) => {
    const gone = remove.filter((emoji) => !add.includes(emoji))
    const left = said.reactions.filter((one) => one.user !== user || !gone.includes(one.emoji))
    const fresh = add.filter((emoji) => !left.some((one) => one.user === user && one.emoji === emoji))
    said.reactions = [...left, ...fresh.map((emoji) => ({ emoji, user }))]
  }

  for (const [index, now] of steps.entries()) {
    const { user } = now
    const text = `Text ${index}`
    const body = { markdown: text }
    const thread = threads[now.which]
    const reply = thread?.replies[now.reply]
    const at = thread === undefined ? "" : `${subjects[thread.subject]}/comments/${thread.id}`
    const expectStatus = (answer: { status: number; body: unknown }, expected: number) =>
      expect([now.do, user, answer.status], JSON.stringify(answer.body)).toEqual([now.do, user, expected])

    if (now.do === "post") {
      const answer = await call(user, "POST", `${subjects[now.subject]}/comments`, { body })
      expectStatus(answer, may(user, "comment") ? 200 : 403)
      if (answer.status !== 200) continue
      const said = { by: user, text, edited: false, reactions: [], resolved: false, replies: [] }
      threads = [...threads, { ...said, id: (answer.body as Comment).id, subject: now.subject }]
      same(threads.at(-1)!, answer.body as Comment, user)
    } else if (now.do === "list") {
      const filter = [
        `status=${now.status}&order=${now.order}&limit=3`,
        ...now.authors.map((author) => `authors=${users[author]}`)
      ].join("&")
      const wanted = threads.filter(
        (one) =>
          one.subject === now.subject &&
          (now.status === "all" || one.resolved === (now.status === "resolved")) &&
          (now.authors.length === 0 || now.authors.includes(one.by))
      )
      const expected = now.order === "asc" ? wanted : wanted.toReversed()
      const found: Array<Comment> = []
      let next = ""
      do {
        const answer = await call(user, "GET", `${subjects[now.subject]}/comments?${filter}${next}`)
        const page = answer.body as {
          count: number
          items: ReadonlyArray<Comment>
          next?: { page: string }
        }
        expect(page.count).toBe(expected.length)
        found.push(...page.items)
        next = page.next === undefined ? "" : `&page=${page.next.page}`
      } while (next !== "")
      expect(found.map(({ id }) => id)).toEqual(expected.map(({ id }) => id))
      for (const [place, one] of found.entries()) same(expected[place]!, one, user)
    } else if (thread === undefined) {
      expectStatus(await call(user, "GET", `${subjects[now.subject]}/comments/nothing`), 404)
    } else if (now.do === "reply") {
      const answer = await call(user, "POST", `${at}/replies`, { body })
      expectStatus(answer, may(user, "comment") ? 200 : 403)
      if (answer.status !== 200) continue
      const said = { id: (answer.body as CommentReply).id, by: user, text, edited: false, reactions: [] }
      thread.replies = [...thread.replies, said]
      same(said, answer.body as CommentReply, user)
    } else if (now.do === "react" || (now.do === "reactToReply" && reply !== undefined)) {
      const target = now.do === "react" ? thread : reply!
      const path = now.do === "react" ? at : `${at}/replies/${reply!.id}`
      const answer = await call(user, "PUT", path, { addedReactions: now.add, removedReactions: now.remove })
      expectStatus(answer, may(user, "comment") ? 200 : 403)
      if (answer.status !== 200) continue
      reacted(target, user, now)
      same(target, answer.body as Comment, user)
    } else if (now.do === "resolve" || now.do === "reopen") {
      const answer = await call(user, "PUT", at, { resolved: now.do === "resolve" })
      expectStatus(answer, may(user, "edit") ? 200 : 403)
      if (answer.status !== 200) continue
      thread.resolved = now.do === "resolve"
      const shown = answer.body as Comment
      expect(shown.status).toBe(thread.resolved ? "resolved" : "open")
      expect(shown.resolvedBy === undefined).toBe(!thread.resolved)
    } else if (now.do === "edit" || (now.do === "editReply" && reply !== undefined)) {
      const target = now.do === "edit" ? thread : reply!
      const path = now.do === "edit" ? at : `${at}/replies/${reply!.id}`
      const answer = await call(user, "PUT", path, { body })
      expectStatus(answer, target.by === user && may(user, "comment") ? 200 : 403)
      if (answer.status !== 200) continue
      target.text = text
      target.edited = true
      same(target, answer.body as Comment, user)
    } else if (now.do === "delete") {
      const answer = await call(user, "DELETE", at)
      expectStatus(answer, may(user, thread.by === user ? "comment" : "admin") ? 205 : 403)
      if (answer.status === 205) threads = threads.filter((one) => one !== thread)
    } else if (now.do === "deleteReply" && reply !== undefined) {
      const answer = await call(user, "DELETE", `${at}/replies/${reply.id}`)
      expectStatus(answer, may(user, reply.by === user ? "comment" : "admin") ? 205 : 403)
      if (answer.status === 205) thread.replies = thread.replies.filter((one) => one !== reply)
    }
  }

  for (const thread of threads) {
    const at = `${subjects[thread.subject]}/comments/${thread.id}`
    const shown = (await call(4, "GET", at)).body as Comment
    same(thread, shown, 4)
    expect(shown.replies).toBe(thread.replies.length)
    const { items, count } = (await call(4, "GET", `${at}/replies`)).body as {
      items: ReadonlyArray<CommentReply>
      count: number
    }
    expect([count, items.map(({ id }) => id)]).toEqual([
      thread.replies.length,
      thread.replies.map(({ id }) => id)
    ])
    for (const [place, one] of items.entries()) same(thread.replies[place]!, one, 4)
    // A comment is found in its own place alone.
    expect((await call(4, "GET", `${subjects[1 - thread.subject]}/comments/${thread.id}`)).status).toBe(404)
  }
  const open = (subject: number) => threads.filter((one) => one.subject === subject && !one.resolved).length
  expect(((await call(4, "GET", space)).body as Space).comments).toBe(open(0))
  expect(((await call(4, "GET", subjects[1]!)).body as ChangeRequest).comments).toBe(open(1))
}

describe("threads are what the model says, whatever users of every role do", () => {
  for (const { name, make } of allStores) {
    it(`on ${name}`, { timeout: 60_000 }, async () => {
      const server = await startServer(await make())
      let run = 0
      try {
        await fc.assert(
          fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), (steps) =>
            play(server, `threads-${run++}`, steps)
          ),
          runs(name === "memory" ? 40 : 10)
        )
      } finally {
        await server.close()
      }
    })
  }
})

describe("a thread", () => {
  it("is listed by five ways to the database, a hundred comments with all that is shown of them", async () => {
    const store = roundTrips(MemoryStorage.layer())
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
        store.take()
        const answer = await call(2, "GET", `${subject}/comments?limit=100`)
        expect(store.take()).toBeLessThanOrEqual(5)
        const { items } = answer.body as { items: ReadonlyArray<Comment> }
        expect(items.filter(({ reactions, target }) => reactions.length > 0 && target.page)).toHaveLength(100)
      }
    } finally {
      await server.close()
    }
  })

  for (const { name, make } of allStores) {
    it(`loses no reaction of many at once, on ${name}`, async () => {
      const server = await startServer(await make())
      try {
        const { call, space, users } = await setUp(server, "many")
        const { id } = (await call(0, "POST", `${space}/comments`, { body: { markdown: "Vote" } }))
          .body as Comment
        const at = `${space}/comments/${id}`
        const answers = await Promise.all(
          [0, 1, 2, 3].flatMap((user) =>
            emojis.map((emoji) => call(user, "PUT", at, { addedReactions: [emoji] }))
          )
        )
        expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
        const { reactions } = (await call(0, "GET", at)).body as Comment
        const counts = Object.fromEntries(reactions.map(({ emoji, count }) => [emoji, count]))
        expect(counts).toEqual(Object.fromEntries(emojis.map((emoji) => [emoji, users.length - 1])))
      } finally {
        await server.close()
      }
    })
  }

  for (const { name, make } of stores) {
    it(`is on a page and follows it, by the official client, on ${name}`, async () => {
      const server = await startServer(await make())
      try {
        const { call, space, tokens, users } = await setUp(server, "story")
        const id = space.split("/")[2]!
        const client = new GitBookAPI({ endpoint: server.url, authToken: tokens[2]! })
        const insert = { operation: "insert_page", document: { markdown: "# Intro\n\nFirst words.\n" } }
        const edited = (await call(0, "POST", `${space}/content`, { changes: [insert] }))
          .body as EditedContent
        const change = edited.changes[0]!
        const page = change.object === "created_page" ? change.page.id : ""

        const said = `See @story-1@example.com, and nobody@example.com`
        const posted = await client.spaces.postCommentInSpace(id, { page, body: { markdown: said } })
        expect(posted.data).toMatchObject({
          status: "open",
          body: { markdown: said },
          target: { page: { id: page, title: "Intro", path: "intro", outdated: false }, space: id }
        })
        expect(differences("postCommentInSpace", 200, posted.data)).toBeUndefined()
        const comment = posted.data.id
        // The members that it names are kept with it; who is none is not.
        const kept = await server.core.runtime.runPromise(
          Effect.flatMap(Records, (records) => records.first(comments, {}))
        )
        expect(kept?.mentions).toEqual([users[1]])
        const replied = await client.spaces.postCommentReplyInSpace(id, comment, {
          body: { markdown: "Yes" }
        })
        expect(differences("postCommentReplyInSpace", 200, replied.data)).toBeUndefined()
        await client.spaces.updateCommentReplyInSpace(id, comment, replied.data.id, {
          addedReactions: ["👍"]
        })

        const { body: shown } = await call(0, "GET", `${space}/content/page/${page}?format=document`)
        const [node] = (shown as { document: { nodes: ReadonlyArray<{ key: string }> } }).document.nodes
        const onNode = await client.spaces.postCommentInSpace(id, {
          page,
          node: node!.key,
          body: { markdown: "*This*?" }
        })
        expect(onNode.data.target.node).toEqual({ id: node!.key, preview: "First words." })
        const asDocument = await client.spaces.getCommentInSpace(id, onNode.data.id, { format: "document" })
        expect(asDocument.data.body).toHaveProperty("document.nodes.0.type", "paragraph")
        await client.spaces.deleteCommentInSpace(id, onNode.data.id)
        for (const target of [{ node: node!.key }, { page, node: "nothing" }]) {
          const refused = await call(2, "POST", `${space}/comments`, { ...target, body: { markdown: "x" } })
          expect(refused.status).toBe(400)
        }

        const listed = await client.spaces.listCommentsInSpace(id, {
          status: "open",
          targetPage: page,
          authors: [users[2]!, users[3]!]
        })
        expect(listed.data.items).toHaveLength(1)
        expect(differences("listCommentsInSpace", 200, listed.data)).toBeUndefined()
        const other = await client.spaces.listCommentsInSpace(id, { targetPage: "nothing" })
        expect(other.data.count).toBe(0)

        // The page changes, and is gone: the comment stays, and says so.
        const update = { operation: "update_page", page, title: "Introduction" }
        await call(0, "POST", `${space}/content`, { changes: [update] })
        const after = await client.spaces.getCommentInSpace(id, comment)
        expect(after.data.target.page).toMatchObject({ title: "Introduction", outdated: true })
        await call(0, "POST", `${space}/content`, { changes: [{ operation: "delete_page", page }] })
        const gone = await client.spaces.getCommentInSpace(id, comment)
        expect(gone.data.target.page).toMatchObject({ title: "Intro", path: "intro", outdated: true })
        await expect(
          client.spaces.postCommentInSpace(id, { page, body: { markdown: "Late" } })
        ).rejects.toMatchObject({ code: 400 })

        // A change request that is merged keeps its comments, and takes no new ones.
        const onRequest = await client.spaces.postCommentInChangeRequest(id, "1", {
          body: { markdown: "Hm" }
        })
        expect(onRequest.data.target.changeRequest).toBeDefined()
        expect((await client.spaces.getChangeRequestById(id, "1")).data.comments).toBe(1)
        await call(0, "POST", `${space}/change-requests/1/merge`)
        await expect(
          client.spaces.postCommentInChangeRequest(id, "1", { body: { markdown: "Late" } })
        ).rejects.toMatchObject({ code: 409 })
        await expect(
          client.spaces.postCommentReplyInChangeRequest(id, "1", onRequest.data.id, {
            body: { markdown: "Late" }
          })
        ).rejects.toMatchObject({ code: 409 })
        const still = await client.spaces.getCommentInChangeRequest(id, "1", onRequest.data.id)
        expect(still.data).toMatchObject({
          body: { markdown: "Hm" },
          permissions: { reply: false, edit: true }
        })

        for (const body of [
          {},
          { body: {} },
          { body: { markdown: "" } },
          { body: { markdown: "   " } },
          { node: "x" }
        ]) {
          expect((await call(2, "POST", `${space}/comments`, body)).status).toBe(400)
        }
        const long = await call(2, "POST", `${space}/comments`, { body: { markdown: "x".repeat(10_001) } })
        expect(long.status).toBe(400)
      } finally {
        await server.close()
      }
    })
  }
})
