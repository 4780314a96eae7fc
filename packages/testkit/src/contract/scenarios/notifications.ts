/** Scenarios of the notifications of a person. */
import type { ChangeRequest, Comment, Notification, NotificationSettings, Page, Space } from "@lectern/core"
import { expect } from "vitest"
import type { Person } from "../Person.ts"
import type { ContractScenario } from "../Scenario.ts"

export const notifications: ContractScenario = {
  title: "A person is notified of mentions, replies and requested reviews, and chooses how",
  requires: ["notifications"],
  run: async ({ ada, bob, acme, tag, until }) => {
    const at = { organizationId: acme.id }
    const space = await ada.call<Space>("createSpace", at, { body: { title: `Notified ${tag}` } })
    const inSpace = { spaceId: space.id }
    const list = async (person: Person, unread?: boolean) =>
      (
        await person.call<Page<Notification>>("listNotifications", at, {
          query: { limit: 100, ...(unread === undefined ? {} : { unread }) }
        })
      ).items.filter((one) => one.space?.id === space.id)
    const kinds = async (person: Person, unread?: boolean) =>
      (await list(person, unread)).map(({ kind }) => kind)

    const changeRequest = await bob.call<ChangeRequest>("createChangeRequest", inSpace, {
      body: { subject: "Clearer words" }
    })
    const inChange = { ...inSpace, changeRequestId: changeRequest.id }
    await bob.call("requestReviewersForChangeRequest", inChange, { body: { users: [ada.id] } })
    const [requested] = await until(
      () => list(ada),
      ({ length }) => length > 0
    )
    expect(requested).toMatchObject({
      kind: "reviewRequested",
      actor: { id: bob.id },
      changeRequest: { id: changeRequest.id, subject: "Clearer words" }
    })
    expect(requested?.readAt).toBeUndefined()
    expect(await kinds(bob)).toEqual([])

    const comment = await ada.call<Comment>("postCommentInChangeRequest", inChange, {
      body: { body: { markdown: `Please look, @${bob.email}.` } }
    })
    const [mention] = await until(
      () => list(bob, true),
      ({ length }) => length > 0
    )
    expect(mention).toMatchObject({ kind: "mention", comment: { id: comment.id } })
    await bob.call(
      "postCommentReplyInChangeRequest",
      { ...inChange, commentId: comment.id },
      {
        body: { body: { markdown: "Done." } }
      }
    )
    await until(
      () => kinds(ada),
      (found) => found.includes("reply")
    )

    // Some are marked as read by their ids, and then all others.
    await ada.call("readNotifications", at, { body: { notifications: [requested!.id] } })
    expect(await kinds(ada, true)).toEqual(["reply"])
    await ada.call("readNotifications", at, { body: {} })
    expect(await kinds(ada, true)).toEqual([])
    expect(await kinds(ada, false)).toEqual(["reply", "reviewRequested"])

    // The setting of a space precedes that of the organization.
    await bob.call("updateNotificationSettings", at, { body: { delivery: "daily", language: "fr" } })
    await bob.call("updateSpaceNotificationSettings", inSpace, { body: { delivery: "none" } })
    const settings = await bob.call<NotificationSettings>("getNotificationSettings", at)
    expect(settings).toMatchObject({ delivery: "daily", language: "fr" })
    expect(settings.spaces).toContainEqual({ id: space.id, title: space.title, delivery: "none" })
    await ada.call("postCommentInChangeRequest", inChange, {
      body: { body: { markdown: `Again, @${bob.email}.` } }
    })
    await bob.call("postCommentInChangeRequest", inChange, {
      body: { body: { markdown: `And you, @${ada.email}.` } }
    })
    await until(
      () => kinds(ada, true),
      (found) => found.includes("mention")
    )
    expect((await kinds(bob)).filter((kind) => kind === "mention")).toEqual(["mention"])
    await bob.call("updateSpaceNotificationSettings", inSpace, { body: { delivery: null } })
    const reset = await bob.call<NotificationSettings>("getNotificationSettings", at)
    expect(reset.spaces.map(({ id }) => id)).not.toContain(space.id)
    await bob.call("updateNotificationSettings", at, { body: { delivery: "immediate", language: "en" } })

    // Nothing about a space that the person cannot see.
    await ada.call("deleteSpaceById", inSpace)
    expect(await kinds(bob)).toEqual([])
    await bob.expectError(404, "updateSpaceNotificationSettings", inSpace, { body: { delivery: "list" } })
  }
}
