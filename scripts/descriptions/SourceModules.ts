/** Source files as syntax trees: their declarations, imports and doc comments. */
import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { type Expression, type Function as FunctionNode, parseSync } from "oxc-parser"
import { DocComments } from "../language/DocComments.ts"

/** An import of another source file of the repository. */
interface ImportedName {
  readonly file: string
  readonly name: string
}

/** A source file. */
export interface SourceModule {
  readonly file: string
  /** The initializers of constants, the superclasses of classes, and functions, by name. */
  readonly declarations: ReadonlyMap<string, Expression | FunctionNode>
  /** The doc comments of declarations, by name. */
  readonly descriptions: ReadonlyMap<string, string>
  readonly imports: ReadonlyMap<string, ImportedName>
  /** Returns the text of the doc comment that ends directly above an offset. */
  readonly docCommentAbove: (offset: number) => string | undefined
}

/** Parses source files once each. */
export class SourceModules {
  readonly #modules = new Map<string, SourceModule>()

  /** Returns a source file. Throws if it does not exist or does not parse. */
  load(file: string): SourceModule {
    const loaded = this.#modules.get(file) ?? this.#parse(file)
    this.#modules.set(file, loaded)
    return loaded
  }

  #parse(file: string): SourceModule {
    const text = readFileSync(file, "utf8")
    const { program, comments, errors } = parseSync(file, text)
    if (errors.length > 0) throw new Error(`${file} does not parse: ${errors[0]!.message}`)
    const declarations = new Map<string, Expression | FunctionNode>()
    const descriptions = new Map<string, string>()
    const imports = new Map<string, ImportedName>()
    const docs = new DocComments(text, comments)
    const docCommentAbove = (offset: number) => docs.above(offset)?.text.replaceAll(/\s+/g, " ")
    const declare = (name: string, expression: Expression | FunctionNode, offset: number) => {
      declarations.set(name, expression)
      const description = docCommentAbove(offset)
      if (description !== undefined) descriptions.set(name, description)
    }
    for (const statement of program.body) {
      const declaration =
        statement.type === "ExportNamedDeclaration" && statement.declaration !== null
          ? statement.declaration
          : statement
      if (declaration.type === "VariableDeclaration") {
        for (const { id, init } of declaration.declarations) {
          if (id.type === "Identifier" && init !== null) declare(id.name, init, statement.start)
        }
      } else if (declaration.type === "ClassDeclaration" && declaration.superClass !== null) {
        if (declaration.id !== null) declare(declaration.id.name, declaration.superClass, statement.start)
      } else if (declaration.type === "FunctionDeclaration" && declaration.id !== null) {
        declare(declaration.id.name, declaration, statement.start)
      } else if (declaration.type === "ImportDeclaration" && declaration.source.value.startsWith(".")) {
        const imported = join(dirname(file), declaration.source.value)
        if (!existsSync(imported)) continue
        for (const specifier of declaration.specifiers) {
          if (specifier.type !== "ImportSpecifier" || specifier.imported.type !== "Identifier") continue
          imports.set(specifier.local.name, { file: imported, name: specifier.imported.name })
        }
      }
    }
    return { file, declarations, descriptions, imports, docCommentAbove }
  }
}
