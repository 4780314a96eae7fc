import { readFileSync } from "node:fs"
import { documentedApi } from "@lectern/model/openapi"
import { OpenApi } from "effect/http-api"
import { expect, it } from "vitest"
import { type ContractDocument, operationsOf, serves } from "./contractDocument.ts"

const readText = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8")

const contract = JSON.parse(readText("node_modules/@gitbook/api/spec/openapi.json")) as ContractDocument
const isServed = serves(operationsOf(OpenApi.fromApi(documentedApi) as unknown as ContractDocument))

/** The operations of the first column of the table. */
const leftOut = (page: string): ReadonlyArray<string> =>
  page
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .flatMap((line) => Array.from(line.split("|")[1]!.matchAll(/`(\w+)`/g), ([, id]) => id!))

it("the page of the contract lists exactly the operations that are not served", () => {
  const missing = operationsOf(contract).filter((operation) => !isServed(operation))
  expect(leftOut(readText("docs/contract.md")).toSorted()).toEqual(missing.map(({ id }) => id).toSorted())
})
