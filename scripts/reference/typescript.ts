/** The reference of the exported names of packages, from their doc comments. */
import { readFileSync } from "node:fs"
import { parseSync } from "oxc-parser"
import { DocComments } from "../language/DocComments.ts"
import { declaredNames, entryPointsOf, PublicNames, packageFolders } from "../language/publicNames.ts"
import { type Page, pageOf, tableOf } from "./Page.ts"

const parseFile = (file: string) => {
  const text = readFileSync(file, "utf8")
  const { program, comments } = parseSync(file, text)
  return { program, docs: new DocComments(text, comments) }
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

const rowsOf = (folder: string): ReadonlyArray<ReadonlyArray<string>> => {
  const files = new Map<string, ReturnType<typeof parseFile>>()
  const load = (file: string) => {
    const parsed = files.get(file) ?? parseFile(file)
    files.set(file, parsed)
    return parsed
  }
  const names = new PublicNames((file) => load(file).program)
  for (const entry of entryPointsOf(folder)) names.addEntryPoint(entry)
  const rows = new Map<string, ReadonlyArray<string>>()
  for (const file of names.files()) {
    const { program, docs } = load(file)
    for (const statement of program.body) {
      const declaration = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement
      const text = docs.above(statement.start)?.text
      if (declaration === null || text === undefined) continue
      for (const name of declaredNames(statement)) {
        // A schema and its type have one name: the first is documented.
        if (!names.of(file).has(name) || rows.has(name)) continue
        rows.set(name, [`\`${name}\``, kinds[declaration.type] ?? "", firstSentence(text)])
      }
    }
  }
  return [...rows.values()].sort(([one], [other]) => (one! < other! ? -1 : 1))
}

/** Generates a page per package, and the page that lists them. */
export const generateTypeScript = (): ReadonlyArray<Page> => {
  const pages = packageFolders().flatMap((folder) => {
    const manifest = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"))
    const rows = rowsOf(folder)
    if (rows.length === 0) return []
    const name = folder.split("/")[1]!
    return [
      {
        name,
        description: String(manifest.description),
        page: pageOf(`docs/reference/typescript/${name}.md`, [
          `# ${manifest.name}`,
          `${manifest.description}. This page lists the exported names; it is generated from their doc comments, which your editor shows in full.`,
          tableOf(["name", "kind", "description"], rows)
        ])
      }
    ]
  })
  const index = pageOf("docs/reference/typescript/README.md", [
    "# TypeScript",
    tableOf(
      ["package", "purpose"],
      pages.map(({ name, description }) => [`[\`@lectern/${name}\`](${name}.md)`, description])
    )
  ])
  return [index, ...pages.map(({ page }) => page)]
}
