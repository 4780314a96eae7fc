/**
 * The doc comments that hovers display, by the language service of TypeScript 5.6, which Are The Types Wrong depends on. The service of
 * TypeScript 7.0 omits the comments of all mapped types, also of `Pick`. The services of 5.6, 6.0 and 7.1 display them.
 */
import { existsSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import type { Position } from "./languageServer.ts"

interface Part {
  readonly text: string
}

interface LanguageService {
  readonly getQuickInfoAtPosition: (
    file: string,
    position: number
  ) => { readonly documentation?: ReadonlyArray<Part> } | undefined
}

/** The parts of the API of TypeScript 5 and 6 that are used here. */
interface TypeScript {
  readonly sys: { readonly fileExists: (path: string) => boolean }
  readonly ScriptSnapshot: { readonly fromString: (text: string) => object }
  readonly createLanguageService: (host: object) => LanguageService
  readonly getDefaultLibFilePath: (options: object) => string
}

const loadTypeScript = (root: string): TypeScript =>
  createRequire(join(root, "testing/node_modules/@arethetypeswrong/core/package.json"))(
    "typescript"
  ) as TypeScript

const readText = (path: string): string | undefined =>
  existsSync(path) ? readFileSync(path, "utf8") : undefined

/** Creates the function that returns the documentation at a position of a file in the folder `root`. */
export const makeDocumentation = (root: string, file: string): ((position: Position) => string) => {
  const typescript = loadTypeScript(root)
  const path = join(root, file)
  const lines = readFileSync(path, "utf8").split("\n")
  // The numbers of `nodenext` and of ES2022.
  const options = {
    strict: true,
    target: 9,
    module: 199,
    moduleResolution: 99,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    noEmit: true,
    types: ["node"],
    customConditions: ["@lectern/source"]
  }
  const service = typescript.createLanguageService({
    getScriptFileNames: () => [path],
    getScriptVersion: () => "1",
    getScriptSnapshot: (name: string) => {
      const text = readText(name)
      return text === undefined ? undefined : typescript.ScriptSnapshot.fromString(text)
    },
    getCurrentDirectory: () => dirname(path),
    getCompilationSettings: () => options,
    getDefaultLibFileName: () => typescript.getDefaultLibFilePath(options),
    fileExists: typescript.sys.fileExists,
    readFile: readText
  })
  return ({ line, character }) => {
    const start = lines.slice(0, line).reduce((sum, { length }) => sum + length + 1, 0)
    const parts = service.getQuickInfoAtPosition(path, start + character)?.documentation ?? []
    return parts.map(({ text }) => text).join("")
  }
}
