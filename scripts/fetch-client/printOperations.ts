/** Prints the operations of the API as TypeScript interfaces, and as a table of routes. */
import type { Operation } from "./listOperations.ts"
import { isJson, type Json, printComment, type SchemaPrinter } from "./schemaTypes.ts"

/** A parameter whose choices include `true` and `false` takes booleans, as in JSON. */
const printParameterType = (schema: unknown, printer: SchemaPrinter): string => {
  const choices = isJson(schema) && Array.isArray(schema.enum) ? schema.enum : []
  if (!choices.includes("true") || !choices.includes("false")) return printer.print(schema, "          ")
  const others = choices.filter((choice) => choice !== "true" && choice !== "false")
  return ["boolean", ...others.map((choice) => JSON.stringify(choice))].join(" | ")
}

const printParameters = (parameters: ReadonlyArray<Json>, printer: SchemaPrinter): string => {
  const lines = parameters.map(
    ({ name, required, schema, description }) =>
      `${printComment(description, "          ")}          readonly ${String(name)}${required === true ? "" : "?"}: ${printParameterType(schema, printer)}\n`
  )
  return `{\n${lines.join("")}        }`
}

interface RequestPart {
  readonly key: string
  readonly type: string
  readonly isRequired: boolean
}

const requestPartsOf = (operation: Operation, printer: SchemaPrinter): ReadonlyArray<RequestPart> => {
  const { params, query, payload, isPayloadRequired, acceptsFiles } = operation
  const parameters = [
    { key: "params", list: params },
    { key: "query", list: query }
  ].flatMap(({ key, list }) =>
    list.length === 0
      ? []
      : [
          {
            key,
            type: printParameters(list, printer),
            isRequired: list.some(({ required }) => required === true)
          }
        ]
  )
  if (payload === undefined) return parameters
  const type = printer.print(payload, "        ")
  const allOptional = isOptionalBody(payload, printer)
  return [
    ...parameters,
    {
      key: "payload",
      type: acceptsFiles ? `${type} | FormData` : type,
      isRequired: isPayloadRequired && !allOptional
    }
  ]
}

const isOptionalBody = (payload: unknown, printer: SchemaPrinter): boolean => {
  const required = printer.requiredOf(payload)
  return required !== undefined && required.length === 0
}

const printMethod = (operation: Operation, printer: SchemaPrinter): string => {
  const parts = requestPartsOf(operation, printer)
  const result = operation.result === undefined ? "void" : printer.print(operation.result, "    ")
  const comment = printComment(operation.description, "    ")
  const isOptional = parts.every(({ isRequired }) => !isRequired)
  const request = parts
    .map(({ key, type, isRequired }) => `        readonly ${key}${isRequired ? "" : "?"}: ${type}\n`)
    .join("")
  const type = parts.length === 0 ? "{}" : `{\n${request}      }`
  return `${comment}    readonly ${operation.id}: (
      request${isOptional ? "?" : ""}: ${type},
      options?: CallOptions
    ) => Promise<${result}>\n`
}

/** Groups operations by their group, in their order. */
const groupsOf = (operations: ReadonlyArray<Operation>): ReadonlyMap<string, ReadonlyArray<Operation>> =>
  Map.groupBy(operations, ({ group }) => group)

/** Prints the interface of the client, with a method for each operation. */
export const printClient = (operations: ReadonlyArray<Operation>, printer: SchemaPrinter): string => {
  const groups = Array.from(
    groupsOf(operations),
    ([group, members]) =>
      `  readonly ${group}: {\n${members.map((operation) => printMethod(operation, printer)).join("")}  }\n`
  )
  return `/** The operations of the API by group and id. */\nexport interface Operations {\n${groups.join("")}}\n`
}

/** Prints the routes: for each group, a line with the method, the id and the path of each operation. */
export const printRoutes = (operations: ReadonlyArray<Operation>): string => {
  const groups = Array.from(groupsOf(operations), ([group, members]) => {
    const lines = members.map(
      ({ method, id, path, payload }) =>
        `${method}${payload === undefined ? "" : "*"} ${id} ${path.replace(/^\/v1/, "")}`
    )
    return `  ${group}: ${JSON.stringify(lines.join("\n"))}`
  })
  return `/** The routes of each group below \`/v1\`: the method, the id and the path of an operation per line, with \`*\` if it has a body. */\nexport const routes: Readonly<Record<string, string>> = {\n${groups.join(",\n")}\n}\n`
}
