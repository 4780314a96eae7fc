import { readFileSync } from "node:fs"
import { documentedApi } from "@lectern/model/openapi"
import { OpenApi } from "effect/http-api"
import { expect, it } from "vitest"
import { answerPathOf, translationPathOf } from "../../packages/http/src/answers/answerPaths.ts"
import { type ContractDocument, operationsOf, serves } from "./contractDocument.ts"

const readText = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8")

const readContract = (name: string) =>
  JSON.parse(readText(`node_modules/${name}/spec/openapi.json`)) as ContractDocument
const contract = readContract("@gitbook/api")
const isServed = serves(operationsOf(OpenApi.fromApi(documentedApi) as unknown as ContractDocument))

/** The operations of the first column of the tables of operations, of the section with a title. */
const listedIn = (page: string, title: string): ReadonlyArray<string> =>
  (page.split("\n## ").find((section) => section.startsWith(title)) ?? "")
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .flatMap((line) => Array.from(line.split("|")[1]!.matchAll(/`(\w+)`/g), ([, id]) => id!))

const page = readText("docs/contract.md")
const outside = listedIn(page, "Operations outside of the OpenAPI document")

it("the page of the contract lists exactly the operations that are not served, or not in the OpenAPI document", () => {
  const missing = operationsOf(contract).filter((operation) => !isServed(operation))
  const listed = [...listedIn(page, "Operations that are not served"), ...outside]
  expect(listed.toSorted()).toEqual(missing.map(({ id }) => id).toSorted())
})

it("the page lists exactly the operations that only the newest version has, and that are not served", () => {
  const isKnown = new Set([
    ...listedIn(page, "Operations that are not served"),
    ...outside,
    ...operationsOf(contract).map(({ id }) => id)
  ])
  const missing = operationsOf(readContract("gitbook-api-next")).filter(
    (operation) => !isServed(operation) && !isKnown.has(operation.id)
  )
  const listed = listedIn(page, "Operations of version 0.202.0 that are not served")
  expect(listed.toSorted()).toEqual(missing.map(({ id }) => id).toSorted())
})

it("every row of an operation that is not served has a reason", () => {
  const rows = page.split("\n").filter((line) => line.startsWith("| `") && line.split("|").length === 5)
  const without = rows.filter((line) => (line.split("|")[2] ?? "").trim().length < 20)
  expect(rows.length).toBeGreaterThan(25)
  expect(without).toEqual([])
})

it("the operations outside of the OpenAPI document are the paths that need a language model", () => {
  const paths = operationsOf(contract).flatMap(({ id, path }) => {
    const address = `/v1${path}`.replace(/\{\w+\}/g, "id")
    return (answerPathOf(address) ?? translationPathOf(address)) === undefined ? [] : [id]
  })
  expect(outside.toSorted()).toEqual(paths.toSorted())
})
