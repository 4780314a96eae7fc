/**
 * Checks that the OpenAPI document describes every property, parameter and schema, that every operation has examples, and
 * that no component has a numbered name, which the generator assigns to schemas that share an identifier.
 */
import { documentedApi } from "@lectern/model/openapi"
import { operationsOfBrowsers } from "@lectern/testkit/contract"
import { OpenApi } from "effect/http-api"

type Json = Record<string, unknown>

const isJson = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const problems: Array<string> = []

const has = (value: unknown, keyword: string): boolean => isJson(value) && value[keyword] !== undefined

/** Reports the properties of a schema, and of the schemas in it, that have no description. */
const checkProperties = (schema: unknown, place: string): void => {
  if (Array.isArray(schema)) for (const member of schema) checkProperties(member, place)
  if (!isJson(schema)) return
  for (const [name, property] of Object.entries(isJson(schema.properties) ? schema.properties : {})) {
    if (!has(property, "description")) problems.push(`${place}.${name} has no description`)
    checkProperties(property, `${place}.${name}`)
  }
  for (const keyword of ["items", "anyOf", "oneOf", "allOf", "additionalProperties"]) {
    checkProperties(schema[keyword], place)
  }
}

/** Reports a body without a description of a property, or without an example if it needs one. */
const checkBody = (body: unknown, place: string, needsExample: boolean): void => {
  if (!isJson(body) || !isJson(body.content)) return
  for (const content of Object.values(body.content)) {
    if (isJson(content)) checkProperties(content.schema, place)
    if (needsExample && !has(content, "example")) problems.push(`${place} has no example`)
  }
}

const document = OpenApi.fromApi(documentedApi)
for (const [name, schema] of Object.entries(document.components.schemas)) {
  if (/_\d+$/.test(name)) problems.push(`the component ${name} is a second schema with the same identifier`)
  if (!has(schema, "description")) problems.push(`the component ${name} has no description`)
  checkProperties(schema, name)
}

for (const methods of Object.values(document.paths)) {
  for (const operation of Object.values<unknown>(methods)) {
    if (!isJson(operation)) continue
    const id = String(operation.operationId)
    const parameters = Array.isArray(operation.parameters) ? operation.parameters : []
    for (const parameter of parameters) {
      const place = `the parameter ${isJson(parameter) ? parameter.name : ""} of ${id}`
      if (!has(parameter, "description")) problems.push(`${place} has no description`)
      // Examples are recorded from calls of programs.
      const needsExample = isJson(parameter) && parameter.in === "path" && !operationsOfBrowsers.has(id)
      if (needsExample && !has(parameter, "example")) {
        problems.push(`${place} has no example`)
      }
    }
    checkBody(operation.requestBody, `the request of ${id}`, true)
    for (const [status, response] of Object.entries(isJson(operation.responses) ? operation.responses : {})) {
      checkBody(response, `the response ${status} of ${id}`, status.startsWith("2"))
    }
  }
}
for (const problem of problems) console.error(`openapi: ${problem}`)
if (problems.length > 0) process.exitCode = 1
