/** The reference of the exported names of packages, from their doc comments. */
import { readFileSync } from "node:fs"
import { parseSync } from "oxc-parser"
import { DocComments } from "../language/DocComments.ts"
import { declaredNames, entryPointsOf, PublicNames, packageFolders } from "../language/publicNames.ts"
import { plainComment, signatureOf } from "./members.ts"
import { type Page, pageOf, tableOf } from "./Page.ts"
import { generateServices } from "./services.ts"

const parseFile = (file: string) => {
  const text = readFileSync(file, "utf8")
  const { program, comments } = parseSync(file, text)
  return { text, program, docs: new DocComments(text, comments) }
}

const kinds: Readonly<Record<string, string>> = {
  ClassDeclaration: "class",
  FunctionDeclaration: "function",
  TSInterfaceDeclaration: "interface",
  TSTypeAliasDeclaration: "type",
  VariableDeclaration: "value"
}

/** Returns the first sentence of a doc comment. */
const firstSentence = (text: string): string => {
  const paragraph = text.split(/\n\s*\n|\n- |\n@/)[0]!.replaceAll("\n", " ")
  const links = paragraph.replaceAll(/\{@link (\w+)[^}]*\}/g, "`$1`")
  return /^[\s\S]*?\.(?=\s|$)/.exec(links)?.[0] ?? links
}

/** An exported name: the row of the table, and its declaration without a body. */
interface Exported {
  readonly name: string
  readonly row: ReadonlyArray<string>
  readonly signature: string | undefined
  readonly documentation: string
}

/** The packages whose pages have the signatures: hosts call them. The others have names that few hosts use. */
const withSignatures = ["client", "core", "http", "reader", "storage-pg", "storage-sqlite", "testkit"]

/** Declarations of rows and of derived types have no members that a host would write. */
const maximumLines = 120

const exportsOf = (folder: string): ReadonlyArray<Exported> => {
  const files = new Map<string, ReturnType<typeof parseFile>>()
  const load = (file: string) => {
    const parsed = files.get(file) ?? parseFile(file)
    files.set(file, parsed)
    return parsed
  }
  const names = new PublicNames((file) => load(file).program)
  for (const entry of entryPointsOf(folder)) names.addEntryPoint(entry)
  const rows = new Map<string, Exported>()
  for (const file of names.files()) {
    const { program, docs, text: source } = load(file)
    for (const statement of program.body) {
      const declaration = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement
      const text = docs.above(statement.start)?.text
      if (declaration === null || text === undefined) continue
      for (const name of declaredNames(statement)) {
        // A schema and its type have one name: the first is documented.
        if (!names.of(file).has(name) || rows.has(name)) continue
        rows.set(name, {
          name,
          row: [`\`${name}\``, kinds[declaration.type] ?? "", firstSentence(text)],
          signature: signatureOf(statement, source),
          documentation: plainComment(text)
        })
      }
    }
  }
  return [...rows.values()].sort(({ name: one }, { name: other }) => (one < other ? -1 : 1))
}

const signaturesOf = (names: ReadonlyArray<Exported>): string =>
  names
    .filter(({ name, signature = "" }) => {
      const isRow = name.endsWith("Row") || /Table\.Row</.test(signature)
      return signature !== "" && !isRow && signature.split("\n").length <= maximumLines
    })
    .map(
      ({ name, signature, documentation }) =>
        `### ${name}\n\n${documentation}\n\n\`\`\`typescript\n${signature}\n\`\`\``
    )
    .join("\n\n")

/** Generates a page per package, and the page that lists them. */
export const generateTypeScript = (): ReadonlyArray<Page> => {
  const pages = packageFolders().flatMap((folder) => {
    const manifest = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"))
    const names = exportsOf(folder)
    if (names.length === 0) return []
    const name = folder.split("/")[1]!
    const signatures = withSignatures.includes(name) ? signaturesOf(names) : ""
    return [
      {
        name,
        description: String(manifest.description),
        page: pageOf(`docs/reference/typescript/${name}.md`, [
          `# ${manifest.name}`,
          `${manifest.description}. This page lists the exported names; it is generated from their doc comments, which your editor shows in full.`,
          tableOf(
            ["name", "kind", "description"],
            names.map(({ row }) => row)
          ),
          ...(signatures === "" ? [] : ["## Signatures", signatures])
        ])
      }
    ]
  })
  const index = pageOf("docs/reference/typescript/README.md", [
    "# TypeScript",
    "[Operations of a workspace](workspace.md) has the methods that hosts call, with their signatures. The HTTP API and its typed clients have them too: [HTTP API](../http-api.md).",
    tableOf(
      ["package", "purpose"],
      pages.map(({ name, description }) => [`[\`@lectern/${name}\`](${name}.md)`, description])
    )
  ])
  return [index, generateServices(), ...pages.map(({ page }) => page)]
}
