/** Finds functions that are longer than a limit, and compares them with the known ones. */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { parseSync } from "oxc-parser"

/** The maximum number of lines of a function. */
const maximumLines = 100

/**
 * The functions that are longer: a line with the path and the name of each, and the reason for not dividing it. The list only
 * becomes shorter.
 */
const list = "scripts/imports/longFunctions.txt"

/** The maximum number of functions in the list. */
const maximumListed = 15

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

/** Reads the list: the reason for each function, empty for a line without one. */
const readList = (): ReadonlyMap<string, string> =>
  new Map(
    (existsSync(list) ? readFileSync(list, "utf8") : "")
      .split("\n")
      .filter(Boolean)
      .map((line) => {
        const [name = "", ...reason] = line.split(": ")
        return [name, reason.join(": ")]
      })
  )

/** Returns the problems of the long functions of files. With `isUpdating`, writes the list without functions that no longer exist. */
export const checkLongFunctions = (
  files: ReadonlyMap<string, string>,
  isUpdating: boolean
): ReadonlyArray<string> => {
  const found = [...files].flatMap(([path, text]) =>
    longFunctionsIn(path, text).map((name) => `${path} ${name}`)
  )
  const listed = readList()
  if (isUpdating) {
    const kept = [...listed].filter(([name]) => found.includes(name))
    writeFileSync(list, kept.map(([name, reason]) => `${name}: ${reason}\n`).join(""))
  }
  return [
    ...found
      .filter((name) => !listed.has(name))
      .map((name) => `${name} has more than ${maximumLines} lines; split it`),
    ...[...listed.keys()]
      .filter((name) => !isUpdating && !found.includes(name))
      .map((name) => `${list}: ${name} no longer exists; run \`npm run graphs\``),
    ...[...listed]
      .filter(([name, reason]) => found.includes(name) && reason === "")
      .map(([name]) => `${list}: ${name} has no reason; add one after a colon`),
    ...(listed.size > maximumListed
      ? [
          `${list}: ${listed.size} functions; at most ${maximumListed} may be longer than ${maximumLines} lines`
        ]
      : [])
  ]
}
