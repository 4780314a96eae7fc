/** Finds functions that are longer than a limit, and compares them with the known ones. */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { parseSync } from "oxc-parser"

/** The maximum number of lines of a function. */
const maximumLines = 100

/** The functions that are longer: a line with the path and the name of each. The list only becomes shorter. */
const list = "scripts/imports/longFunctions.txt"

const functionTypes = new Set(["ArrowFunctionExpression", "FunctionDeclaration", "FunctionExpression"])

const isNode = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null

/** Returns the name that a node declares, if it declares one. */
const nameIn = (node: Record<string, unknown>): string | undefined => {
  const declared = node.type === "Property" || node.type === "MethodDefinition" ? node.key : node.id
  return isNode(declared) && typeof declared.name === "string" ? declared.name : undefined
}

/** Returns the names of the long functions of a file. A function without a name has the name of the declaration that contains it. */
const longFunctionsIn = (path: string, text: string): ReadonlyArray<string> => {
  const ends = Array.from(text.matchAll(/\n/g), ({ index }) => index)
  if (ends.length < maximumLines) return []
  const linesBetween = (start: number, end: number): number =>
    ends.filter((at) => at >= start && at < end).length + 1
  const found: Array<string> = []
  const visit = (value: unknown, name: string): void => {
    if (Array.isArray(value)) for (const item of value) visit(item, name)
    if (!isNode(value) || Array.isArray(value)) return
    const own = nameIn(value) ?? name
    const { type, start, end } = value
    const isFunction = typeof type === "string" && functionTypes.has(type)
    if (isFunction && linesBetween(Number(start), Number(end)) > maximumLines) found.push(own)
    for (const child of Object.values(value)) if (isNode(child)) visit(child, own)
  }
  visit(parseSync(path, text).program.body, "")
  return [...new Set(found)]
}

/** Returns the problems of the long functions of files. With `isUpdating`, writes the list without functions that no longer exist. */
export const checkLongFunctions = (
  files: ReadonlyMap<string, string>,
  isUpdating: boolean
): ReadonlyArray<string> => {
  const found = [...files].flatMap(([path, text]) =>
    longFunctionsIn(path, text).map((name) => `${path} ${name}`)
  )
  const known = existsSync(list) ? readFileSync(list, "utf8").split("\n").filter(Boolean) : undefined
  const kept = known === undefined ? found.toSorted() : known.filter((line) => found.includes(line))
  if (isUpdating) writeFileSync(list, `${kept.join("\n")}\n`)
  const listed = known ?? []
  return [
    ...found
      .filter((line) => !listed.includes(line))
      .map((line) => `${line} has more than ${maximumLines} lines; split it`),
    ...listed
      .filter((line) => !isUpdating && !found.includes(line))
      .map((line) => `${list}: ${line} no longer exists; run \`npm run graphs\``)
  ]
}
