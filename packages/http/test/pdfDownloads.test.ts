/** The response of the URL of a PDF while it is rendered. */
import { expect, it } from "vitest"
import { progressResponse } from "../src/server/routes/pdfDownloads.ts"

it("responds with 202, the progress and when to retry while a PDF is rendered", () => {
  const { status, headers, body } = progressResponse({ rendered: 3, total: 7 })
  expect(status).toBe(202)
  expect(JSON.parse(String(body))).toEqual({ status: "rendering", pages: { rendered: 3, total: 7 } })
  expect(headers).toMatchObject({ "retry-after": "2", refresh: "2", "cache-control": "no-store" })
})
