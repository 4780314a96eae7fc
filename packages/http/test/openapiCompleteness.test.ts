/** Descriptions, identifiers and examples of the OpenAPI document that the server serves. */
import { MemoryStorage } from "@lectern/testkit"
import { operationsOfBrowsers } from "@lectern/testkit/contract"
import { Ajv2020 } from "ajv/dist/2020.js"
import addFormats from "ajv-formats"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startServer, type TestServer } from "./support.ts"

interface Body {
  readonly content?: Readonly<
    Record<string, { readonly schema: Readonly<Record<string, unknown>>; readonly example?: unknown }>
  >
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly description?: string
  readonly example?: unknown
  readonly schema: Readonly<Record<string, unknown>>
}

interface Operation {
  readonly operationId: string
  readonly parameters?: ReadonlyArray<Parameter>
  readonly requestBody?: Body
  readonly responses: Readonly<Record<string, Body>>
}

let server: TestServer
let text: string
let document: {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Readonly<Record<string, unknown>>>> }
}

beforeAll(async () => {
  server = await startServer(MemoryStorage.layer())
  text = await (await server.fetch("/openapi.json")).text()
  document = JSON.parse(text) as typeof document
})
afterAll(() => server.close())

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation }))
  )

const escapePointer = (part: string) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"))

describe("components", () => {
  it("have one identifier per schema", () => {
    const names = Object.keys(document.components.schemas)
    expect(names.filter((name) => /_\d+$/.test(name))).toEqual([])
  })

  it("have a description, and so do their properties", () => {
    const missing: Array<string> = []
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      if (schema.description === undefined) missing.push(name)
      for (const [property, value] of Object.entries(schema.properties ?? {})) {
        if ((value as { description?: string }).description === undefined) missing.push(`${name}.${property}`)
      }
    }
    expect(missing).toEqual([])
  })

  it("describe a property by its doc comment rather than by the doc comment of its schema", () => {
    const properties = document.components.schemas.Space!.properties as Record<
      string,
      { description: string }
    >
    expect(properties.parent!.description).toBe(
      "The parent collection. Absent at the root of the organization."
    )
  })
})

describe("operations", () => {
  it("describe every parameter", () => {
    const missing = operations().flatMap(({ operation: { operationId, parameters = [] } }) =>
      parameters
        .filter(({ description }) => description === undefined)
        .map(({ name }) => `${operationId} ${name}`)
    )
    expect(missing).toEqual([])
  })

  it("describe a parameter by the doc comment of its option", () => {
    const describe = (id: string, name: string) =>
      operations()
        .find(({ operation }) => operation.operationId === id)
        ?.operation.parameters?.find((parameter) => parameter.name === name)?.description
    expect(describe("listSpaceLinks", "page")).toMatch(/cursor/)
    expect(describe("listSpaceLinks", "status")).toMatch(/links with this status/)
    expect(describe("listSites", "published")).toMatch(/sites/)
    expect(describe("getSpaceById", "spaceId")).toBe("The id of a space.")
  })

  it("have examples of the request, of each success and of each path parameter", () => {
    const missing: Array<string> = []
    for (const { operation } of operations()) {
      const { operationId, parameters = [], requestBody, responses } = operation
      for (const parameter of parameters) {
        if (parameter.in === "path" && parameter.example === undefined) {
          missing.push(`${operationId} ${parameter.name}`)
        }
      }
      const successes = Object.entries(responses).filter(([status]) => status.startsWith("2"))
      for (const [place, body] of [["request", requestBody] as const, ...successes]) {
        for (const content of Object.values(body?.content ?? {})) {
          if (content.example === undefined) missing.push(`${operationId} ${place}`)
        }
      }
    }
    // Examples are recorded from calls of programs.
    const isOfBrowsers = (name: string) => operationsOfBrowsers.has(name.split(" ", 1)[0]!)
    expect(missing.filter((name) => !isOfBrowsers(name))).toEqual([])
  })

  it("have examples that are valid for the served schemas", () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true })
    addFormats.default(ajv)
    ajv.addSchema(document, "served")
    const problems: Array<string> = []
    const validate = (operationId: string, pointer: ReadonlyArray<string>, example: unknown) => {
      const check = ajv.compile({ $ref: `served#/${pointer.map(escapePointer).join("/")}/schema` })
      if (!check(example))
        problems.push(`${operationId} ${pointer.join("/")}: ${ajv.errorsText(check.errors)}`)
    }
    let validated = 0
    for (const { path, method, operation } of operations()) {
      const at = ["paths", path, method]
      const { operationId, parameters = [], requestBody, responses } = operation
      for (const [index, { example }] of parameters.entries()) {
        if (example !== undefined) validate(operationId, [...at, "parameters", String(index)], example)
      }
      const bodies = [
        [["requestBody"], requestBody] as const,
        ...Object.entries(responses).map(([status, body]) => [["responses", status], body] as const)
      ]
      for (const [place, body] of bodies) {
        for (const [type, { example }] of Object.entries(body?.content ?? {})) {
          if (example === undefined) continue
          validated++
          validate(operationId, [...at, ...place, "content", type], example)
        }
      }
    }
    expect(problems).toEqual([])
    expect(validated).toBeGreaterThan(200)
  }, 60_000)

  it("have no times or URLs of the generating run in their examples", () => {
    expect(text).not.toMatch(/127\.0\.0\.1:(?!4400)\d/)
    expect(text).not.toMatch(/"20(?!26-01-15T09:30:00\.000Z)\d\d-\d\d-\d\dT/)
  })

  it("have a size below 1.9 MB", () => {
    expect(text.length).toBeLessThan(1_900_000)
  })
})
