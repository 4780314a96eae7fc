/** Automatic saves of one user to one change request are one entry of its history, and one event. */

import { Content, createWorkspace, EventLog, type RevisionId } from "@lectern/core"
import { MemoryStorage } from "@lectern/testkit"
import { Effect } from "effect"
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest"

const minuteMs = 60_000
const start = Date.UTC(2026, 0, 5, 9)

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: start })
})
afterEach(() => {
  vi.useRealTimers()
})

const wait = (millis: number): void => {
  vi.setSystemTime(Date.now() + millis)
}

const open = async () => {
  const workspace = createWorkspace({ storage: MemoryStorage.layer() })
  onTestFinished(() => workspace.dispose())
  const { administration } = workspace
  const user = await administration.createUser({ input: { email: "ada@example.com" } })
  const other = await administration.createUser({ input: { email: "bob@example.com" } })
  const organization = await administration.createOrganization({
    administrator: user,
    input: { title: "Acme" }
  })
  const ada = workspace.as(user)
  await ada.invites.inviteByEmail({ organization, input: { emails: ["bob@example.com"], role: "admin" } })
  const { id: space } = await ada.spaces.create({ organization, input: { title: "Guide" } })
  await ada.content.edit({
    content: { space },
    input: { changes: [{ operation: "insert_page", title: "Page", document: { markdown: "First" } }] }
  })
  const { pages } = await ada.content.listPages({ content: { space } })
  const page = pages[0]!.id
  const { id: changeRequest } = await ada.changeRequests.create({ space, input: {} })
  const content = { space, changeRequest }
  const saveAs =
    (author: typeof user, options: { readonly automatic?: boolean } = { automatic: true }) =>
    async (markdown: string): Promise<RevisionId> => {
      const changes = [{ operation: "update_page" as const, page, document: { markdown } }]
      const { revision } = await workspace
        .as(author)
        .content.edit({ content, input: { changes, ...options } })
      return revision
    }
  const history = async (): Promise<ReadonlyArray<RevisionId>> => {
    const { revisionInitial, revision } = await ada.changeRequests.get({ space, changeRequest })
    const ids: Array<RevisionId> = []
    for (let id = revision as RevisionId; id !== revisionInitial; ) {
      ids.push(id)
      const { parents } = await ada.content.getRevision({ content: { space, revision: id } })
      id = parents[0]!
    }
    return ids.reverse()
  }
  const listed = async () =>
    (await ada.revisions.listOfChangeRequest({ space, changeRequest })).items.map(
      ({ id, author, automaticSince, createdAt }) => ({
        id,
        author: author?.id,
        minutes: [automaticSince ?? createdAt, createdAt].map((time) => (Date.parse(time) - start) / minuteMs)
      })
    )
  const eventIds = async (): Promise<ReadonlyArray<unknown>> => {
    const log = await workspace.runtime.runPromise(
      Effect.flatMap(EventLog, (events) => Effect.orDie(events.read(0, {}, 1_000)))
    )
    return log
      .filter(({ type, data }) => type.startsWith("revision.") && data.changeRequest === changeRequest)
      .map(({ type, data }) => `${type} ${String(data.id)}`)
  }
  return {
    workspace,
    ada,
    user,
    other,
    space,
    page,
    changeRequest,
    content,
    saveAs,
    history,
    listed,
    eventIds
  }
}

describe("automatic saves", () => {
  it("within 15 minutes of the first are one entry of the history and one event of the log, with the last text", async () => {
    const { ada, user, content, page, saveAs, history, eventIds } = await open()
    const save = saveAs(user)
    let last: RevisionId | undefined
    for (let index = 0; index < 40; index++) {
      last = await save(`Text ${index}`)
      wait(15_000)
      if (index % 7 === 0) await eventIds()
    }
    expect(await history()).toEqual([last])
    expect(await eventIds()).toEqual([`revision.created ${last}`])
    const { markdown } = (await ada.content.getPage({ content, page, input: { format: "markdown" } })) as {
      markdown: string
    }
    expect(markdown).toBe("Text 39")
    // The entry ends 15 minutes after its first save, although the pauses are short.
    wait(6 * minuteMs)
    const next = await save("Later")
    expect(await history()).toEqual([last, next])
    expect(await eventIds()).toEqual([`revision.created ${last}`, `revision.created ${next}`])
  })

  it("of another user, after another change, and saves by hand are entries of their own", async () => {
    const { user, other, saveAs, history } = await open()
    const first = await saveAs(user)("A")
    const byOther = await saveAs(other)("B")
    const again = await saveAs(user)("C")
    const byHand = await saveAs(user, {})("D")
    const last = await saveAs(user)("E")
    expect(await history()).toEqual([first, byOther, again, byHand, last])
  })

  it("are listed with who saved when, newest first, without replaced revisions, also without the one that a comment refers to", async () => {
    const { workspace, ada, user, other, content, saveAs, listed, history } = await open()
    const commented = await saveAs(user)("A")
    expect(
      (await ada.comments.create({ target: content, input: { body: { markdown: "Why?" } } })).target
    ).toMatchObject({
      revision: commented
    })
    wait(10 * minuteMs)
    const first = await saveAs(user)("B")
    wait(minuteMs)
    const byOther = await saveAs(other)("C")
    wait(minuteMs)
    const byHand = await saveAs(user, {})("D")
    const expected = [
      { id: byHand, author: user, minutes: [12, 12] },
      { id: byOther, author: other, minutes: [11, 11] },
      { id: first, author: user, minutes: [0, 10] }
    ]
    expect(await listed()).toEqual(expected)
    wait(70 * minuteMs)
    await workspace.runtime.runPromise(Effect.flatMap(Content, (one) => one.removeReplaced))
    expect(await listed()).toEqual(expected)
    expect((await history()).toReversed()).toEqual(expected.map(({ id }) => id))
  })

  it("to the content of a space are entries of their own, because visitors read replaced revisions", async () => {
    const { ada, space, page } = await open()
    const save = (markdown: string) =>
      ada.content.edit({
        content: { space },
        input: { automatic: true, changes: [{ operation: "update_page", page, document: { markdown } }] }
      })
    const [first, second] = [await save("A"), await save("B")]
    const { items } = await ada.revisions.list({ space })
    expect(items.slice(0, 2).map(({ id }) => id)).toEqual([second.revision, first.revision])
  })

  it("remain readable by their ids for an hour after they are replaced, and are removed then with their content", async () => {
    const { workspace, ada, user, space, saveAs, history } = await open()
    const save = saveAs(user)
    const [first, last] = [await save("A"), await save("B")]
    const read = () => ada.content.getRevision({ content: { space, revision: first } })
    expect((await read()).id).toBe(first)
    wait(59 * minuteMs)
    const removeReplaced = () =>
      workspace.runtime.runPromise(Effect.flatMap(Content, (one) => one.removeReplaced))
    expect(await removeReplaced()).toBe(0)
    expect((await read()).id).toBe(first)
    wait(2 * minuteMs)
    expect(await removeReplaced()).toBe(1)
    await expect(read()).rejects.toMatchObject({ _tag: "NotFound" })
    expect(await history()).toEqual([last])
  })

  it("that a comment refers to are not removed", async () => {
    const { workspace, ada, user, space, content, saveAs } = await open()
    const save = saveAs(user)
    const first = await save("A")
    const comment = await ada.comments.create({ target: content, input: { body: { markdown: "Why?" } } })
    expect(comment.target.revision).toBe(first)
    await save("B")
    wait(70 * minuteMs)
    const removeReplaced = () =>
      workspace.runtime.runPromise(Effect.flatMap(Content, (one) => one.removeReplaced))
    expect(await removeReplaced()).toBe(0)
    expect((await ada.content.getRevision({ content: { space, revision: first } })).id).toBe(first)
  })
})
