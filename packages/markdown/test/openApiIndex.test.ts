/** A document is indexed once, so that pages with many of its operations take work in proportion to their number. */
import { OpenApiDocument } from "@lectern/markdown/openapi"
import { expect, it } from "vitest"

/** A document with operations, which counts how often the list of its paths is read. */
const countedDocument = (count: number) => {
  let reads = 0
  const post = { tags: ["all"], parameters: [{ name: "id", in: "query" }], responses: {} }
  const paths = Object.fromEntries(Array.from({ length: count }, (_, index) => [`/x${index}`, { post }]))
  const json = {
    openapi: "3.1.0",
    get paths() {
      reads++
      return paths
    },
    get webhooks() {
      reads++
      return paths
    },
    get servers() {
      reads++
      return [{ url: "https://{region}.example.com", variables: { region: { default: "eu" } } }]
    }
  }
  return { document: new OpenApiDocument(json), reads: () => reads }
}

it("reads its operations, webhooks and servers once, for any number of lookups", () => {
  const { document, reads } = countedDocument(300)
  for (let index = 0; index < 300; index++) {
    const found = document.operation("post", `/x${index}`)
    expect(found).toMatchObject({ method: "POST", path: `/x${index}`, isWebhook: false })
    expect(document.webhook(`/x${index}`, "POST")).toMatchObject({ path: `/x${index}`, isWebhook: true })
    expect(document.serverUrlsOf(found!)).toEqual(["https://eu.example.com"])
    // With the webhooks.
    expect(document.operationsByTag.get("all")).toHaveLength(600)
  }
  expect(document.operation("get", "/x1")).toBeUndefined()
  expect(reads()).toBe(3)
})
