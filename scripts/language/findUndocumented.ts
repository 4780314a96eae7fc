/** Finds exported names, and members of exported types, that have no doc comment which starts with a sentence. */
import { type Directive, type Statement, Visitor } from "oxc-parser"
import type { DocComments } from "./DocComments.ts"
import type { Finding } from "./Finding.ts"
import { declaredNames } from "./publicNames.ts"

interface Member {
  readonly name: string
  readonly start: number
}

type Node = { readonly type: string; readonly start: number }

const keyName = (key: unknown): string => {
  const { name, value } = key as { name?: string; value?: unknown }
  return name ?? String(value ?? "")
}

/** The signatures of a type literal or of the body of an interface. */
const signatures = (members: ReadonlyArray<Node & { readonly key?: unknown }>): ReadonlyArray<Member> =>
  members.flatMap((member) =>
    member.type === "TSPropertySignature" || member.type === "TSMethodSignature"
      ? [{ name: keyName(member.key), start: member.start }]
      : []
  )

/** The shape of a service: the type literal among the type arguments of the class that a class extends. */
const serviceShape = (statement: Statement | Directive): ReadonlyArray<Member> => {
  const found: Array<Member> = []
  new Visitor({
    TSTypeParameterInstantiation: ({ params }) => {
      for (const param of params) {
        if (found.length === 0 && param.type === "TSTypeLiteral") found.push(...signatures(param.members))
      }
    }
  }).visit({ type: "Program", body: [statement] } as never)
  return found
}

/** The members of a declaration that its users call or read. */
const membersOf = (statement: Statement | Directive): ReadonlyArray<Member> => {
  const declaration = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement
  if (declaration === null) return []
  if (declaration.type === "TSInterfaceDeclaration") return signatures(declaration.body.body)
  if (declaration.type === "TSTypeAliasDeclaration") {
    return declaration.typeAnnotation.type === "TSTypeLiteral"
      ? signatures(declaration.typeAnnotation.members)
      : []
  }
  if (declaration.type !== "ClassDeclaration") return []
  const own = declaration.body.body.flatMap((member) => {
    if (member.type !== "MethodDefinition" && member.type !== "PropertyDefinition") return []
    const isHidden =
      member.key.type === "PrivateIdentifier" ||
      member.accessibility === "private" ||
      member.computed ||
      member.override ||
      (member.type === "MethodDefinition" && member.kind === "constructor") ||
      (member.static && keyName(member.key) === "layer")
    return isHidden ? [] : [{ name: keyName(member.key), start: member.start }]
  })
  return declaration.superClass === null ? own : [...serviceShape({ ...statement } as Statement), ...own]
}

/** A doc comment starts with a sentence: a capital letter, a digit or code, and a stop before the first empty line. */
const isSentence = (doc: string): boolean => {
  const [first = ""] = doc.split(/\n\s*\n|\n(?=@|- )/)
  return /^[A-Z0-9`"'{(*_]/.test(first) && /[.:!?]([)"'`*_]*)(\s|$)/.test(first)
}

const instead = {
  missing: "a doc comment: what it is or does in one sentence, then parameters, bounds and errors",
  sentence: "a first line that is a sentence, with a capital letter and a full stop"
}

/** Files whose exported names repeat the name of their feature, so that a comment could only repeat it. */
const namedByFeature =
  /packages\/(http\/src\/handlers\/(?!shared\/)[^/]+\/|model\/src\/api\/[^/]+\/feature\.ts$)/

/** The undocumented names among the exported ones of a file. */
export const findUndocumented = (
  file: string,
  body: ReadonlyArray<Statement | Directive>,
  docs: DocComments,
  names: ReadonlySet<string>,
  lineOf: (offset: number) => number
): ReadonlyArray<Finding> => {
  const findings: Array<Finding> = []
  const documented = new Set<string>()
  const check = (name: string, start: number) => {
    const doc = docs.above(start)
    if (doc !== undefined && isSentence(doc.text)) return
    findings.push({
      file,
      line: lineOf(start),
      rule: doc === undefined ? "undocumented" : "not-a-sentence",
      measure: "undocumented",
      found: doc === undefined ? name : `${name}: ${doc.text.split("\n")[0]!.slice(0, 60)}`,
      instead: doc === undefined ? instead.missing : instead.sentence
    })
  }
  if (namedByFeature.test(file)) return []
  for (const statement of body) {
    const declared = declaredNames(statement).filter((name) => names.has(name))
    // The type and the value of one name, and overloads, share the comment of the first declaration.
    for (const name of declared.filter((name) => !documented.has(name))) {
      check(name, statement.start)
      documented.add(name)
    }
    if (declared.length === 0) continue
    for (const member of membersOf(statement)) check(`${declared[0]}.${member.name}`, member.start)
  }
  return findings
}
