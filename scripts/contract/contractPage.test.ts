import { readFileSync } from "node:fs"
import { documentedApi } from "@lectern/model/openapi"
import { OpenApi } from "effect/http-api"
import { expect, it } from "vitest"
import { answerPathOf, translationPathOf } from "../../packages/http/src/answers/answerPaths.ts"
import { type ContractDocument, operationsOf, serves } from "./contractDocument.ts"

const readText = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8")

const contract = JSON.parse(readText("node_modules/@gitbook/api/spec/openapi.json")) as ContractDocument
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

it("the operations outside of the OpenAPI document are the paths that need a language model", () => {
  const paths = operationsOf(contract).flatMap(({ id, path }) => {
    const address = `/v1${path}`.replace(/\{\w+\}/g, "id")
    return (answerPathOf(address) ?? translationPathOf(address)) === undefined ? [] : [id]
  })
  expect(outside.toSorted()).toEqual(paths.toSorted())
})
