/** Evaluates the expressions that declare schemas to their properties and doc comments. */
import type { Argument, Expression, Function as FunctionNode, ObjectExpression } from "oxc-parser"
import { emptyTree, type Property, type SchemaTree } from "./SchemaTree.ts"
import type { SourceModule, SourceModules } from "./SourceModules.ts"

/** The scope of an expression: its file, and the arguments of the enclosing functions. */
interface Scope {
  readonly module: SourceModule
  readonly bindings: ReadonlyMap<string, SchemaTree>
}

/** The index of the argument of a `Schema` function that has the properties. */
const transparent: Readonly<Record<string, number>> = {
  optionalKey: 0,
  optional: 0,
  Array: 0,
  NonEmptyArray: 0,
  NullOr: 0,
  suspend: 0,
  toEncoded: 0,
  Record: 1
}

/** Evaluates declarations of source files to schema trees. */
export class SchemaEvaluator {
  readonly #modules: SourceModules
  readonly #trees = new Map<string, SchemaTree>()

  constructor(modules: SourceModules) {
    this.#modules = modules
  }

  /** Returns the schema that a file declares or imports under a name; one without properties if it declares no schema. */
  declaration(module: SourceModule, name: string): SchemaTree {
    const imported = module.imports.get(name)
    if (imported !== undefined) return this.declaration(this.#modules.load(imported.file), imported.name)
    const key = `${module.file} ${name}`
    const cached = this.#trees.get(key)
    if (cached !== undefined) return cached
    // Ends the recursion of schemas that refer to themselves.
    this.#trees.set(key, emptyTree)
    const expression = module.declarations.get(name)
    if (expression === undefined) return emptyTree
    const scope = { module, bindings: new Map() }
    const evaluated = isFunction(expression)
      ? this.#result(expression, scope)
      : this.#evaluate(expression, scope)
    // A constant such as `NullOr(Role)` has the description of the schema that it wraps.
    const description = evaluated.description ?? module.descriptions.get(name)
    const tree = { ...evaluated, description }
    this.#trees.set(key, tree)
    return tree
  }

  #evaluate(node: Expression | Argument, scope: Scope): SchemaTree {
    switch (node.type) {
      case "Identifier":
        return scope.bindings.get(node.name) ?? this.declaration(scope.module, node.name)
      case "ParenthesizedExpression":
      case "TSAsExpression":
      case "TSSatisfiesExpression":
      case "TSNonNullExpression":
      case "TSInstantiationExpression":
        return this.#evaluate(node.expression, scope)
      case "ArrowFunctionExpression":
        return this.#result(node, scope)
      case "ObjectExpression":
        return { ...emptyTree, properties: this.#properties(node, scope) }
      case "MemberExpression": {
        if (node.object.type === "Super" || node.property.type !== "Identifier") return emptyTree
        const owner = this.#evaluate(node.object, scope)
        if (node.property.name === "fields") return { ...owner, identifier: undefined }
        return owner.properties.get(node.property.name)?.value ?? emptyTree
      }
      case "CallExpression":
        return node.callee.type === "Super" ? emptyTree : this.#call(node.callee, node.arguments, scope)
      default:
        return emptyTree
    }
  }

  #call(callee: Expression, args: ReadonlyArray<Argument>, scope: Scope): SchemaTree {
    if (callee.type === "CallExpression") return this.#classFactory(callee, args, scope)
    if (callee.type === "Identifier") return this.#callFunction(callee.name, args, scope)
    if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return emptyTree
    const method = callee.property.name
    if (callee.object.type === "Identifier" && callee.object.name === "Schema") {
      const first = args[0]
      if (method === "Struct" && first !== undefined) return this.#evaluate(first, scope)
      if (method === "Union" && first?.type === "ArrayExpression") {
        const members = first.elements.flatMap((element) =>
          element === null || element.type === "SpreadElement" ? [] : [this.#evaluate(element, scope)]
        )
        return { ...emptyTree, members }
      }
      const inner = args[transparent[method] ?? -1]
      return inner === undefined ? emptyTree : this.#evaluate(inner, scope)
    }
    if (callee.object.type === "Super") return emptyTree
    const tree = this.#evaluate(callee.object, scope)
    const identifier = method === "annotate" ? identifierOf(args[0]) : undefined
    return identifier === undefined ? tree : { ...tree, identifier }
  }

  /** `resource<A>()(schema)`, `Schema.Opaque<A>()(schema)`, `Schema.Class<A>("A")(fields)` and `Schema.TaggedError<A>()("A", fields)`. */
  #classFactory(factory: Expression, args: ReadonlyArray<Argument>, scope: Scope): SchemaTree {
    if (factory.type !== "CallExpression") return emptyTree
    const fields = args.find(({ type }) => type !== "Literal")
    return fields === undefined ? emptyTree : this.#evaluate(fields, scope)
  }

  /** Evaluates a call of a function that the repository declares. */
  #callFunction(name: string, args: ReadonlyArray<Argument>, scope: Scope): SchemaTree {
    const imported = scope.module.imports.get(name)
    const module = imported === undefined ? scope.module : this.#modules.load(imported.file)
    const found = module.declarations.get(imported?.name ?? name)
    if (found === undefined || !isFunction(found)) return emptyTree
    const bindings = new Map<string, SchemaTree>()
    for (const [index, parameter] of found.params.entries()) {
      const argument = args[index]
      if (parameter.type === "Identifier" && argument !== undefined) {
        bindings.set(parameter.name, this.#evaluate(argument, scope))
      }
    }
    return this.#result(found, { module, bindings })
  }

  /** Evaluates the value that a function returns. */
  #result(called: Callable, scope: Scope): SchemaTree {
    const { body } = called
    if (body === null) return emptyTree
    if (body.type !== "BlockStatement") return this.#evaluate(body, scope)
    const returned = body.body.findLast(({ type }) => type === "ReturnStatement")
    return returned?.type === "ReturnStatement" && returned.argument !== null
      ? this.#evaluate(returned.argument, scope)
      : emptyTree
  }

  #properties(object: ObjectExpression, scope: Scope): ReadonlyMap<string, Property> {
    const properties = new Map<string, Property>()
    for (const property of object.properties) {
      if (property.type === "SpreadElement") {
        const spread = this.#evaluate(property.argument, scope)
        for (const [name, value] of spread.properties) properties.set(name, value)
        continue
      }
      const { key, value } = property
      const name =
        key.type === "Identifier" ? key.name : key.type === "Literal" ? String(key.value) : undefined
      if (name === undefined) continue
      properties.set(name, {
        description: scope.module.docCommentAbove(property.start),
        value: this.#evaluate(value, scope)
      })
    }
    return properties
  }
}

type Callable = Extract<Expression, { type: "ArrowFunctionExpression" }> | FunctionNode

const isFunction = (node: Expression | FunctionNode): node is Callable =>
  node.type === "ArrowFunctionExpression" ||
  node.type === "FunctionDeclaration" ||
  node.type === "FunctionExpression"

/** Returns the `identifier` of annotations. */
const identifierOf = (annotations: Argument | undefined): string | undefined => {
  if (annotations?.type !== "ObjectExpression") return undefined
  for (const property of annotations.properties) {
    if (property.type === "SpreadElement" || property.key.type !== "Identifier") continue
    const { key, value } = property
    if (key.name === "identifier" && value.type === "Literal") return String(value.value)
  }
  return undefined
}
