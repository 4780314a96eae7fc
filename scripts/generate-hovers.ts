/**
 * Writes the hovers of the most frequent calls, the completions of the objects of a workspace, and the errors of frequent mistakes, as
 * an editor shows them, to `scripts/hovers/golden.md`. Run `npm run hovers`. With `--check`, it fails if the file is stale.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { makeDocumentation } from "./hovers/documentation.ts"
import { type Position, startLanguageServer } from "./hovers/languageServer.ts"

const root = fileURLToPath(new URL("..", import.meta.url))
const calls = "scripts/hovers/calls.ts"
const mistakes = "scripts/hovers/mistakes.ts"
const golden = join(root, "scripts/hovers/golden.md")

const textOf = (file: string): ReadonlyArray<string> => readFileSync(join(root, file), "utf8").split("\n")

/** The names that a `^` in the line below marks, with their positions. */
const markedNames = (): ReadonlyArray<{ readonly name: string; readonly position: Position }> => {
  const lines = textOf(calls)
  return lines.flatMap((line, index) => {
    const character = /^\/\/ *\^$/.test(line) ? line.indexOf("^") : -1
    if (character === -1) return []
    const name = /^\w+/.exec(lines[index - 1]!.slice(character))?.[0] ?? ""
    return [{ name, position: { line: index - 1, character } }]
  })
}

/** The position after the first occurrence of a string. */
const after = (text: string): Position => {
  const lines = textOf(calls)
  const line = lines.findIndex((one) => one.includes(text))
  return { line, character: lines[line]!.indexOf(text) + text.length }
}

const documentation = makeDocumentation(root, calls)
const server = await startLanguageServer(root, [calls, mistakes])
const sections: Array<string> = ["# Hovers, completions and errors of frequent calls"]
try {
  for (const { name, position } of markedNames()) {
    const hover = (await server.request("textDocument/hover", calls, { position })) as {
      readonly contents: { readonly value: string }
    } | null
    const text = hover?.contents.value.trim() ?? "No text."
    // The compiler of the repository omits the doc comments of mapped types; the editors of most users do not.
    const hasOnlySignature = text.split("```").length === 3
    const documented = hasOnlySignature ? `${text}\n${documentation(position)}`.trim() : text
    sections.push(`## \`${name}\``, documented)
  }
  for (const text of ["await workspace.", "await spaces.", "workspace.administration."]) {
    const completed = (await server.request("textDocument/completion", calls, { position: after(text) })) as {
      readonly items: ReadonlyArray<{ readonly label: string }>
    }
    const labels = completed.items.map(({ label }) => label).toSorted()
    sections.push(`## Completions of \`${text}\``, labels.map((label) => `- \`${label}\``).join("\n"))
  }
  const report = (await server.request("textDocument/diagnostic", mistakes)) as {
    readonly items: ReadonlyArray<{
      readonly range: { readonly start: Position }
      readonly message: string
    }>
  }
  const lines = textOf(mistakes)
  sections.push("## Errors")
  for (const { range, message } of report.items) {
    sections.push(`\`${lines[range.start.line]!.trim()}\``, `\`\`\`\n${message.trim()}\n\`\`\``)
  }
} finally {
  server.close()
}
const text = `${sections.join("\n\n")}\n`.replaceAll(root, "")
if (!process.argv.includes("--check")) writeFileSync(golden, text)
else if (readFileSync(golden, "utf8") !== text) {
  console.error("scripts/hovers/golden.md is stale. Run `npm run hovers`, and review the difference.")
  process.exitCode = 1
}
