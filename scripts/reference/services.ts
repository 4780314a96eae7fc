/** The reference of the services of a workspace: each operation with its signature, for hosts with promises. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { parseSync, type TSInterfaceDeclaration } from "oxc-parser"
import { DocComments } from "../language/DocComments.ts"
import { extendedBy, type Member, membersOf, serviceInterface } from "./members.ts"
import { type Page, pageOf } from "./Page.ts"

const folder = "packages/core/src"

interface Declared {
  readonly declaration: TSInterfaceDeclaration
  readonly text: string
  readonly docs: DocComments
}

/** Reads the interfaces and the classes of services of core. */
const readCore = () => {
  const interfaces = new Map<string, Declared>()
  const services = new Map<string, string>()
  const names: Array<readonly [name: string, service: string]> = []
  for (const path of readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()) {
    if (!path.endsWith(".ts")) continue
    const text = readFileSync(join(folder, path), "utf8")
    const { program, comments } = parseSync(path, text)
    const docs = new DocComments(text, comments)
    for (const statement of program.body) {
      const declaration = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement
      if (declaration?.type === "TSInterfaceDeclaration") {
        interfaces.set(declaration.id.name, { declaration, text, docs })
      } else if (declaration?.type === "ClassDeclaration" && declaration.id !== null) {
        const shape = serviceInterface(declaration)
        if (shape !== undefined) services.set(declaration.id.name, shape)
      }
    }
    if (path.endsWith("feature.ts")) {
      const [, list = ""] = /userServices: \{([^}]*)\}/.exec(text) ?? []
      for (const [, name, service] of list.matchAll(/(\w+): (\w+)/g)) names.push([name!, service!])
    }
  }
  return { interfaces, services, names: names.sort(([a], [b]) => (a < b ? -1 : 1)) }
}

const allMembers = (interfaces: ReadonlyMap<string, Declared>, name: string): ReadonlyArray<Member> => {
  const declared = interfaces.get(name)
  if (declared === undefined) return []
  const inherited = extendedBy(declared.declaration).flatMap((base) => allMembers(interfaces, base))
  return [...inherited, ...membersOf(declared.declaration, declared.text, declared.docs)]
}

/** Returns the signature of a method of a service as the facade has it: with a promise. */
const signature = ({ name, type, operation }: Member): string => {
  if (operation === undefined) return `${name}: ${type}`
  const { parameters, result } = operation
  const isEmpty = parameters === "unknown" || parameters === "object" || /^\{\s*\}$/.test(parameters)
  return `${name}(${isEmpty ? "" : `parameters: ${parameters}`}): Promise<${result}>`
}

const errorsOf = ({ operation }: Member): string =>
  operation === undefined || operation.errors === "never"
    ? ""
    : `Errors: ${operation.errors
        .split("|")
        .map((error) => `\`${error.trim()}\``)
        .join(", ")}.`

const sectionOf = (title: string, members: ReadonlyArray<Member>): string =>
  [
    `## ${title}`,
    ...members.map((member) =>
      [
        `### ${member.name}`,
        `\`\`\`typescript\n${signature(member)}\n\`\`\``,
        member.documentation,
        errorsOf(member)
      ]
        .filter((block) => block !== "")
        .join("\n\n")
    )
  ].join("\n\n")

/** Generates the page of the services of `workspace.as(user)`, and of the members of the workspace itself. */
export const generateServices = (): Page => {
  const { interfaces, services, names } = readCore()
  const sections = names.map(([name, service]) => {
    const members = allMembers(interfaces, services.get(service) ?? "")
    if (members.length === 0) throw new Error(`The service ${service} has no interface with members.`)
    return sectionOf(`workspace.as(user).${name}`, members)
  })
  const operators = [
    ["administration", "Administration"],
    ["accounts", "Accounts"],
    ["tokens", "ApiTokens"]
  ].map(([name, service]) =>
    sectionOf(`workspace.${name}`, allMembers(interfaces, services.get(service!) ?? ""))
  )
  return pageOf("docs/reference/typescript/workspace.md", [
    "# Operations of a workspace",
    "The services of `createWorkspace`, with promises. In Effect, the service of the same name returns an `Effect` with these errors, of which the promise rejects with the same. Every operation also fails with `InvalidInput` if a parameter is malformed, and with `StorageUnavailable`. Ids are strings for callers. This page is generated from the doc comments.",
    sectionOf("workspace", allMembers(interfaces, "EmbeddedWorkspace")),
    ...operators,
    ...sections
  ])
}
