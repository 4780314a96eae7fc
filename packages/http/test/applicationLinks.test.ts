/** The URLs of resources in browsers, if the application is installed. */
import { expect, it } from "vitest"
import { applicationPathOf, redirectToApplication } from "../src/server/routes/applicationLinks.ts"

it("names the screen of each kind of resource", () => {
  const pathOf = (path: string) => applicationPathOf(path)
  expect(pathOf("/s/1/")).toBe("/spaces/1")
  expect(pathOf("/s/1/guides/start")).toBe("/spaces/1/guides/start")
  expect(pathOf("/s/1/guides/")).toBe("/spaces/1/guides")
  expect(pathOf("/s/1/~/changes/7/")).toBe("/spaces/1/changes/7")
  expect(pathOf("/s/1/~/changes/7/guides/start")).toBe("/spaces/1/changes/7/guides/start")
  expect(pathOf("/s/1/~/changes/7/~/conflicts")).toBe("/spaces/1/changes/7/review")
  expect(pathOf("/s/1/~/revisions/r2/")).toBe("/spaces/1/history/r2")
  expect(pathOf("/c/2")).toBe("/collections/2")
  expect(pathOf("/o/3")).toBe("/?organization=3")
  expect(pathOf("/o/3/sites/4")).toBe("/sites/4?organization=3")
  expect(pathOf("/o/3/openapi/petstore")).toBe("/specs/petstore?organization=3")
  expect(pathOf("/o/3/integrations/bot")).toBe("/organization/integrations?organization=3")
  expect(pathOf("/integrations/bot")).toBe("/organization/integrations")
})

it("leaves other addresses to the reader", () => {
  for (const path of [
    "/",
    "/s",
    "/s/1/~/files/2",
    "/sites/1/docs/",
    "/v1/spaces/1",
    "/o/3/events",
    "/help"
  ]) {
    expect(applicationPathOf(path)).toBeUndefined()
  }
})

it("redirects only browsers that open a page of the workspace", () => {
  const redirect = (headers: Readonly<Record<string, string>>, method = "GET") =>
    redirectToApplication(
      { method, url: "/s/1/start?x=1", header: (name) => headers[name], baseUrl: undefined },
      "https://docs.example.com/base",
      "/base/app"
    )?.headers.location
  const browser = { host: "docs.example.com", accept: "text/html,*/*;q=0.8" }
  expect(redirect(browser)).toBe("/base/app/spaces/1/start")
  expect(redirect({ ...browser, "sec-fetch-dest": "document" })).toBe("/base/app/spaces/1/start")
  expect(redirect({ ...browser, "sec-fetch-dest": "iframe" })).toBeUndefined()
  expect(redirect({ ...browser, accept: "*/*" })).toBeUndefined()
  expect(redirect({ ...browser, host: "docs.customer.com" })).toBeUndefined()
  expect(redirect(browser, "POST")).toBeUndefined()
})
