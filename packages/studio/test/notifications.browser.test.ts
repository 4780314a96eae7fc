/** The notifications of a person in the browser. */
import { expect, it } from "vitest"
import { createSpace, openApplication, withApplication } from "./support/application.ts"
import { visitScreens } from "./support/screens.ts"

const { app, browser } = await openApplication()

const poll = <Value>(read: () => Value) => expect.poll(read, { timeout: 60_000 })

/** Adds a reviewer, who has read that they were added. */
const addReviewer = async (email: string) => {
  const params = { organizationId: app.organizationId }
  const user = await app.addUser(email, "review")
  const unread = async () =>
    (await user.client.notifications.listNotifications({ params, query: { unread: true } })).items
  await poll(async () => (await unread()).map(({ kind }) => kind)).toEqual(["added"])
  await user.client.notifications.readNotifications({ params, payload: {} })
  return { ...user, unread }
}

it("reports a requested review without a reload, opens it, and marks it as read", async () => {
  const grace = await addReviewer("grace@example.com")
  const spaceId = await createSpace(app, "Manual", [{ title: "Start", markdown: "Text." }])
  const params = { spaceId }
  const { id, number } = await app.ada.client.changeRequests.createChangeRequest({
    params,
    payload: { subject: "Clearer words" }
  })
  await withApplication(browser, app, grace, "/", async (page) => {
    const bell = page.getByRole("link", { name: "Notifications", exact: true })
    await bell.waitFor()
    await app.ada.client.reviews.requestReviewersForChangeRequest({
      params: { spaceId, changeRequestId: id },
      payload: { users: [grace.id] }
    })
    await page.getByRole("link", { name: "1 unread notification" }).click()
    await page.getByText("#1 Clearer words").waitFor()
    await page.getByRole("link", { name: /requests your review/ }).click()
    await page.waitForURL(new RegExp(`/spaces/${spaceId}/changes/${number}/review`))
    await bell.waitFor()
  })
  expect(await grace.unread()).toEqual([])
})

it("sets how a person receives notifications, in the organization and about a space", async () => {
  const { organizationId } = app
  const spaceId = await createSpace(app, "Busy", [{ title: "Start", markdown: "Text." }])
  const settings = () => app.ada.client.notifications.getNotificationSettings({ params: { organizationId } })
  await withApplication(browser, app, app.ada, "/me/notifications", async (page) => {
    await page.getByLabel("Deliver").selectOption("daily")
    await poll(async () => (await settings()).delivery).toBe("daily")
    await page.getByLabel("Another setting for a space").selectOption({ label: "Busy" })
    await page.getByLabel("Busy", { exact: true }).selectOption("none")
    await poll(async () => (await settings()).spaces).toEqual([
      { id: spaceId, title: "Busy", delivery: "none" }
    ])
    await page.getByRole("button", { name: "Remove the setting of Busy" }).click()
    await poll(async () => (await settings()).spaces).toEqual([])
  })
})

it("has accessible screens in light and dark, and at phone width", async () => {
  const { organizationId } = app
  const alan = await addReviewer("alan@example.com")
  const spaceId = await createSpace(app, "Guide", [{ title: "Start", markdown: "Text." }])
  for (const subject of ["Shorter steps", "New pictures"]) {
    const { id } = await app.ada.client.changeRequests.createChangeRequest({
      params: { spaceId },
      payload: { subject }
    })
    await app.ada.client.reviews.requestReviewersForChangeRequest({
      params: { spaceId, changeRequestId: id },
      payload: { users: [alan.id] }
    })
  }
  await poll(async () => (await alan.unread()).length).toBe(2)
  const [, first] = await alan.unread()
  await alan.client.notifications.readNotifications({
    params: { organizationId },
    payload: { notifications: [first!.id] }
  })
  await visitScreens(browser, app, alan, [
    { name: "notifications", path: "/notifications", ready: "#2 New pictures" },
    { name: "notification-settings", path: "/me/notifications", ready: "Spaces with a setting of their own" }
  ])
})
