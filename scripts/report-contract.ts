/**
 * Prints how many operations of the public contract the API serves, by tag, for each installed version of the contract:
 *
 *     npm run report:contract
 *     npm run report:contract -- --missing   # also lists the operations that are not served
 *     npm run report:contract -- --added     # lists what the newest version adds to the supported one
 */
import { readFileSync } from "node:fs"
import { documentedApi } from "@lectern/model/openapi"
import { OpenApi } from "effect/http-api"
import { addedBy } from "./contract/addedBy.ts"
import { type ContractDocument, operationsOf, serves, tagsOf } from "./contract/contractDocument.ts"

/** The installed versions of the contract, the supported one first. */
const packages = ["@gitbook/api", "gitbook-api-next"]

interface Version {
  readonly version: string
  readonly document: ContractDocument
}

const readVersion = (name: string): Version => {
  const folder = new URL(`../node_modules/${name}/`, import.meta.url)
  const read = (path: string): unknown => JSON.parse(readFileSync(new URL(path, folder), "utf8"))
  return {
    version: String((read("package.json") as { readonly version: string }).version),
    document: read("spec/openapi.json") as ContractDocument
  }
}

const versions = packages.map(readVersion)
const served = operationsOf(OpenApi.fromApi(documentedApi) as unknown as ContractDocument)
const isServed = serves(served)
const options = new Set(process.argv.slice(2))

const tags = [...new Set(versions.flatMap(({ document }) => tagsOf(document)))].sort()
console.log(`| tag | ${versions.map(({ version }) => version).join(" | ")} |`)
console.log(`| - |${versions.map(() => " - |").join("")}`)
const count = (operations: ReturnType<typeof operationsOf>): string =>
  operations.length === 0 ? "" : `${operations.filter(isServed).length}/${operations.length}`
for (const tag of tags) {
  const cells = versions.map(({ document }) =>
    count(operationsOf(document).filter((operation) => operation.tag === tag))
  )
  console.log(`| ${tag} | ${cells.join(" | ")} |`)
}
console.log(`| all | ${versions.map(({ document }) => count(operationsOf(document))).join(" | ")} |`)

if (options.has("--missing")) {
  for (const { version, document } of versions) {
    console.log(`\nNot served of ${version}:`)
    for (const operation of operationsOf(document)) {
      if (!isServed(operation)) console.log(`  ${operation.method} ${operation.path} (${operation.id})`)
    }
  }
}

if (options.has("--added")) {
  const [supported, newest] = versions
  if (supported !== undefined && newest !== undefined) {
    console.log(`\nAdded by ${newest.version} to ${supported.version}:`)
    for (const line of addedBy(supported.document, newest.document)) console.log(`  ${line}`)
  }
}
