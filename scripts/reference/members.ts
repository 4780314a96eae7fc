/** The members of interfaces and the signatures of functions, from the sources. */
import type { Class, Directive, Statement, TSInterfaceDeclaration } from "oxc-parser"
import type { DocComments } from "../language/DocComments.ts"

/** A member of an interface: its text, and its doc comment. */
export interface Member {
  readonly name: string
  /** The type as it is written, on one line. */
  readonly type: string
  /** The types of a `Query` or a `Command`: its parameters, result and errors. Undefined for other members. */
  readonly operation?: { readonly parameters: string; readonly result: string; readonly errors: string }
  readonly documentation: string
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ").replaceAll(/^\| /g, "")

/** Returns the text of a doc comment without links. */
export const plainComment = (text: string): string =>
  text
    .split(/\n@/)[0]!
    .replaceAll(/\{@link (\w+)[^}]*\}/g, "`$1`")
    .trim()

/** Returns the members of an interface. */
export const membersOf = (
  declaration: TSInterfaceDeclaration,
  text: string,
  docs: DocComments
): ReadonlyArray<Member> =>
  declaration.body.body.flatMap((member): ReadonlyArray<Member> => {
    if (member.type !== "TSPropertySignature" && member.type !== "TSMethodSignature") return []
    if (member.key.type !== "Identifier") return []
    const { name } = member.key
    const documentation = plainComment(docs.above(member.start)?.text ?? "")
    if (member.type === "TSMethodSignature") {
      return [{ name, type: oneLine(text.slice(member.key.end, member.end)), documentation }]
    }
    const annotation = member.typeAnnotation?.typeAnnotation
    if (annotation === undefined) return []
    const type = oneLine(text.slice(annotation.start, annotation.end))
    if (
      annotation.type !== "TSTypeReference" ||
      annotation.typeName.type !== "Identifier" ||
      !["Query", "Command", "Operation", "OperatorOperation"].includes(annotation.typeName.name)
    ) {
      return [{ name: member.optional ? `${name}?` : name, type, documentation }]
    }
    const [parameters = "", result = "", errors = "never"] = (annotation.typeArguments?.params ?? []).map(
      ({ start, end }) => oneLine(text.slice(start, end))
    )
    return [{ name, type, operation: { parameters, result, errors }, documentation }]
  })

/** Returns the names of the interfaces that an interface extends. */
export const extendedBy = (declaration: TSInterfaceDeclaration): ReadonlyArray<string> =>
  declaration.extends.flatMap(({ expression }) => (expression.type === "Identifier" ? [expression.name] : []))

/** Returns the interface of a service that `Context.Service` declares; undefined for another class. */
export const serviceInterface = ({ superClass }: Class): string | undefined => {
  if (superClass?.type !== "CallExpression" || superClass.callee.type !== "CallExpression") return undefined
  const [, shape] = superClass.callee.typeArguments?.params ?? []
  return shape?.type === "TSTypeReference" && shape.typeName.type === "Identifier"
    ? shape.typeName.name
    : undefined
}

/**
 * Returns the declaration of an exported name without its body: the text of an interface or a type, and the parameters with the result of a
 * function. Undefined for values whose type is not written.
 */
export const signatureOf = (statement: Statement | Directive, text: string): string | undefined => {
  if (statement.type !== "ExportNamedDeclaration" || statement.declaration === null) return undefined
  const { declaration } = statement
  switch (declaration.type) {
    case "TSInterfaceDeclaration":
    case "TSTypeAliasDeclaration":
      return text.slice(declaration.start, declaration.end)
    case "FunctionDeclaration":
      return text.slice(declaration.start, declaration.body?.start ?? declaration.end).trim()
    case "VariableDeclaration": {
      const [{ id, init } = { id: undefined, init: undefined }] = declaration.declarations
      if (id?.type !== "Identifier") return undefined
      if (init?.type === "ArrowFunctionExpression") {
        const end = init.returnType?.end ?? init.params.at(-1)?.end
        return end === undefined
          ? undefined
          : `const ${id.name}: ${text.slice(init.start, end).replace(/\)\s*:\s*(?=[^:]*$)/, ") => ")}`
      }
      const { typeAnnotation } = id
      return typeAnnotation == null
        ? undefined
        : `const ${id.name}${text.slice(typeAnnotation.start, typeAnnotation.end)}`
    }
    default:
      return undefined
  }
}
