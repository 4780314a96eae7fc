/** The list of operations of the HTTP API, from the OpenAPI document. */
import { documentedApi } from "@lectern/model/openapi"
import { OpenApi } from "effect/http-api"
import { type Page, pageOf, tableOf } from "./Page.ts"

/** Generates the page. */
export const generateOperations = (): Page => {
  const { paths, tags } = OpenApi.fromApi(documentedApi)
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      "operationId" in operation ? [{ path, method: method.toUpperCase(), operation }] : []
    )
  )
  const sections = tags.flatMap(({ name, description }) => {
    const rows = operations
      .filter(({ operation }) => operation.tags.includes(name))
      .map(({ path, method, operation }) => [
        operation.summary ?? operation.operationId,
        `\`${method} ${path}\``,
        `\`${operation.operationId}\``
      ])
    return rows.length === 0
      ? []
      : [`## ${name}`, description ?? "", tableOf(["operation", "request", "method of the client"], rows)]
  })
  return pageOf("docs/reference/http-api.md", [
    "# HTTP API",
    "Every server has an interactive reference of its API at `/docs`, with parameters, examples and a form that sends requests. The OpenAPI 3.1 document is at `/openapi.json`. This page lists the operations; it is generated from the document.",
    "Send the API token as `Authorization: Bearer <token>`. Lists have the parameters `limit` and `page`, and return `next.page` if there are more items. Retry a POST request safely with a header `Idempotency-Key`, and detect concurrent changes with `If-Match`.",
    ...sections
  ])
}
