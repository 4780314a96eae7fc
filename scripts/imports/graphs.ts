/** The graphs of packages and of features in `CONTRIBUTING.md`, which `npm run graphs` writes. */
import { readFileSync, writeFileSync } from "node:fs"
import { importedFeatures, printFeatures } from "./featureGraph.ts"
import { mayImport } from "./rules.ts"

const document = "CONTRIBUTING.md"

const printPackages = (): string =>
  [
    "| package | imports |",
    "| ------- | ------- |",
    ...Object.entries(mayImport).map(([name, imported]) => `| \`${name}\` | ${imported.join(", ")} |`)
  ].join("\n")

const replaceSection = (text: string, name: string, content: string): string => {
  const [start, end] = [`<!-- ${name}: npm run graphs -->\n`, `\n<!-- end of ${name} -->`]
  const from = text.indexOf(start)
  const to = text.indexOf(end)
  if (from < 0 || to < from) throw new Error(`${document} has no section ${name}.`)
  return text.slice(0, from + start.length) + content + text.slice(to)
}

/** Returns the document with its graphs, and whether they have changed. */
const withGraphs = (): { readonly text: string; readonly isChanged: boolean } => {
  const before = readFileSync(document, "utf8")
  const packages = replaceSection(before, "packages", printPackages())
  const text = replaceSection(packages, "features", printFeatures(importedFeatures()))
  return { text, isChanged: text !== before }
}

/** Whether the graphs in the document differ from the sources. */
export const areGraphsStale = (): boolean => withGraphs().isChanged

/** Writes the graphs. */
export const writeGraphs = (): void => writeFileSync(document, withGraphs().text)
