/** The messages of invalid fields. */
import { ApiError } from "@lectern/client/fetch"
import { expect, it } from "vitest"
import { errorsByField, messageOfApiError } from "../src/data/invalidFields.ts"

const errorWith = (...details: ReadonlyArray<readonly [path: string, message: string]>) =>
  new ApiError("changes.0.page has at least 1 character (and 1 more problem).", {
    status: 400,
    code: "InvalidFields",
    details: details.map(([path, message]) => ({ path, message }))
  })

it("names fields in words, each problem once", () => {
  const error = errorWith(
    ["changes.0.page", "must be the id of a page"],
    ["changes.1.page", "must be the id of a page"],
    ["defaultLevel", "must be a role"],
    ["", "must be an object"]
  )
  expect(messageOfApiError(error)).toBe(
    "Page must be the id of a page. Default level must be a role. Must be an object."
  )
  expect(
    messageOfApiError(new ApiError("The space does not exist.", { status: 404, code: "SpaceNotFound" }))
  ).toBe("The space does not exist.")
})

it("displays problems at the fields that request them, with the invalid values", () => {
  const { errorOf, isDisplayed } = errorsByField(
    errorWith(["emails.1", "must be an address"], ["title", "must have at most 100 characters"])
  )
  expect(errorOf("emails", (position) => ["ada@example.com", "nobody"][position])).toBe(
    "“nobody”: must be an address"
  )
  expect(isDisplayed()).toBe(false)
  expect(errorOf("title")).toBe("Must have at most 100 characters")
  expect(errorOf("titles")).toBeUndefined()
  expect(isDisplayed()).toBe(true)
})
