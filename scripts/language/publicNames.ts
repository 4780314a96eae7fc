/** The names that packages export from their entry points, with the comments that document them. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import type { Directive, Program, Statement } from "oxc-parser"

/** Packages of which users import nothing: they are parts of others, whose entry points export the public names. */
const parts: ReadonlySet<string> = new Set([
  "@lectern/kernel",
  "@lectern/formats",
  "@lectern/content",
  "@lectern/access"
])

const exportsOf = (packageFolder: string) => {
  const manifest = JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8"))
  const files = Object.entries<unknown>(manifest.exports ?? {}).flatMap(([path, entry]) => {
    const source =
      typeof entry === "object" && entry !== null ? Reflect.get(entry, "@lectern/source") : undefined
    return typeof source === "string" ? [{ path, file: join(packageFolder, source) }] : []
  })
  return { name: String(manifest.name), isPrivate: manifest.private === true, files }
}

/** The public entry points of packages: the files that `exports` of their package.json name. */
export const entryPointsOf = (packageFolder: string): ReadonlyArray<string> => {
  const { name, isPrivate, files } = exportsOf(packageFolder)
  return isPrivate || parts.has(name) ? [] : files.map(({ file }) => file)
}

/** The folders of all packages. */
export const packageFolders = (): ReadonlyArray<string> =>
  readdirSync("packages")
    .map((name) => join("packages", name))
    .filter((folder) => existsSync(join(folder, "package.json")))
    .sort()

/** Returns the file that an export names: of the same package, or of a part. */
const findModule = (file: string, source: string): string | undefined => {
  if (source.startsWith(".")) {
    const target = join(dirname(file), source)
    return existsSync(target) ? target : undefined
  }
  const [scope, name, ...rest] = source.split("/")
  if (!parts.has(`${scope}/${name}`)) return undefined
  const path = [".", ...rest].join("/")
  return exportsOf(join("packages", name!)).files.find((entry) => entry.path === path)?.file
}

type TopLevel = Statement | Directive

const nameOf = (node: { readonly type: string }): string => {
  const { name, value } = node as { name?: string; value?: string }
  return name ?? value ?? ""
}

/** The names that a top-level declaration declares. */
export const declaredNames = (statement: TopLevel): ReadonlyArray<string> => {
  switch (statement.type) {
    case "ExportNamedDeclaration":
      return statement.declaration === null ? [] : declaredNames(statement.declaration)
    case "VariableDeclaration":
      return statement.declarations.flatMap(({ id }) => (id.type === "Identifier" ? [id.name] : []))
    case "FunctionDeclaration":
    case "TSDeclareFunction":
    case "ClassDeclaration":
      return statement.id === null ? [] : [statement.id.name]
    case "TSInterfaceDeclaration":
    case "TSTypeAliasDeclaration":
    case "TSEnumDeclaration":
      return [statement.id.name]
    case "TSModuleDeclaration":
      return statement.id.type === "Identifier" ? [statement.id.name] : []
    default:
      return []
  }
}

/** Finds which names of which files entry points export, directly or through other files. */
export class PublicNames {
  readonly #names = new Map<string, Set<string>>()
  readonly #seen = new Set<string>()
  readonly #parse: (file: string) => Program

  constructor(parse: (file: string) => Program) {
    this.#parse = parse
  }

  /** The exported names of a file. */
  of(file: string): ReadonlySet<string> {
    return this.#names.get(file) ?? new Set()
  }

  /** The files that have exported names. */
  files(): ReadonlyArray<string> {
    return [...this.#names.keys()].sort()
  }

  /** Adds the names that an entry point exports. */
  addEntryPoint(file: string): void {
    this.#addAll(file)
  }

  #addAll(file: string): void {
    if (this.#isSeen(`${file} *`)) return
    for (const statement of this.#parse(file).body) {
      if (statement.type === "ExportAllDeclaration") {
        const target = findModule(file, statement.source.value)
        if (target !== undefined) this.#addAll(target)
      } else if (statement.type === "ExportNamedDeclaration") {
        for (const name of declaredNames(statement)) this.#addName(file, name)
        for (const { exported } of statement.specifiers) this.#add(file, nameOf(exported))
      }
    }
  }

  /** Adds an export of a file, by the name under which the file exports it. */
  #add(file: string, exported: string): void {
    if (this.#isSeen(`${file} ${exported}`)) return
    const { body } = this.#parse(file)
    for (const statement of body) {
      if (statement.type === "ExportAllDeclaration") {
        const target = findModule(file, statement.source.value)
        if (target === undefined) continue
        if (statement.exported === null) this.#add(target, exported)
        else if (nameOf(statement.exported) === exported) this.#addAll(target)
      }
      if (statement.type !== "ExportNamedDeclaration") continue
      if (declaredNames(statement).includes(exported)) this.#addName(file, exported)
      for (const specifier of statement.specifiers) {
        if (nameOf(specifier.exported) !== exported) continue
        const local = nameOf(specifier.local)
        if (statement.source === null) this.#addLocal(file, local)
        else this.#addFrom(file, statement.source.value, local)
      }
    }
  }

  /** Adds a name that a file exports but does not declare in the same statement: it may be imported. */
  #addLocal(file: string, local: string): void {
    for (const statement of this.#parse(file).body) {
      if (declaredNames(statement).includes(local)) this.#addName(file, local)
      if (statement.type !== "ImportDeclaration") continue
      for (const specifier of statement.specifiers) {
        if (specifier.local.name !== local) continue
        if (specifier.type === "ImportSpecifier") {
          this.#addFrom(file, statement.source.value, nameOf(specifier.imported))
        } else if (specifier.type === "ImportNamespaceSpecifier" && statement.source.value.startsWith(".")) {
          this.#addAll(join(dirname(file), statement.source.value))
        }
      }
    }
  }

  #addFrom(file: string, source: string, name: string): void {
    const target = findModule(file, source)
    if (target !== undefined) this.#add(target, name)
  }

  #addName(file: string, name: string): void {
    const names = this.#names.get(file) ?? new Set()
    this.#names.set(file, names.add(name))
  }

  #isSeen(key: string): boolean {
    if (this.#seen.has(key)) return true
    this.#seen.add(key)
    return false
  }
}
