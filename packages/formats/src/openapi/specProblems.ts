/** The problems of the documents of specs: codes, messages and positions. */

import type { SpecProblem, SpecProblemCode } from "@lectern/model/openapi-specs"
import { type Document, isAlias, isMap, isPair, isScalar, isSeq, type Node } from "yaml"
import { type LinePosition, linePositionAt, locateInJson, type Path } from "./jsonPositions.ts"

/** The maximum number of problems that are reported. */
export const maximumProblems = 100

/** A problem of a value of a document, before its position is known. */
export interface ValueProblem {
  readonly code: SpecProblemCode
  readonly message: string
  readonly path: Path
  readonly severity: SpecProblem["severity"]
}

/** The document cannot be used: it has these problems, at least one of them an error. */
export class InvalidDocument extends Error {
  /** Its problems, at least one of them an error. */
  readonly problems: ReadonlyArray<SpecProblem>
  constructor(problems: ReadonlyArray<SpecProblem>) {
    super(problems[0]?.message ?? "The document is invalid.")
    this.problems = problems
  }
}

/** Creates an error without a position. */
export const problemOf = (code: SpecProblemCode, message: string): SpecProblem => ({
  message,
  code,
  severity: "error"
})

/** Formats a path as a JSON pointer. */
export const pointerOf = (path: Path): string =>
  path.map((key) => `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("")

/** Returns the positions of the values at paths of text that was parsed. */
export type LocatePaths = (paths: ReadonlyArray<Path>) => ReadonlyArray<LinePosition>

/** Locates values in JSON text. */
export const locatorOfJson =
  (text: string): LocatePaths =>
  (paths) =>
    locateInJson(text, paths).map((offset) => linePositionAt(text, offset))

/** Returns the node of a key or an item of a node, and the offset of its key. */
const childOf = (
  document: Document,
  node: unknown,
  key: string
): { at: number; node: unknown } | undefined => {
  const target = isAlias(node) ? node.resolve(document) : node
  if (isSeq(target)) {
    const item = target.items[Number(key)] as Node | undefined
    return item?.range == null ? undefined : { at: item.range[0], node: item }
  }
  if (!isMap(target)) return undefined
  const pair = target.items.findLast(
    (one) => isPair(one) && isScalar(one.key) && String(one.key.value) === key
  )
  const range = (pair?.key as Node | undefined)?.range
  return pair === undefined || range == null ? undefined : { at: range[0], node: pair.value }
}

/** Returns the offset of the value at a path of a YAML document, or of its nearest ancestor, and the depth of that. */
export const findInYaml = (
  document: Document,
  path: Path
): { readonly offset: number; readonly depth: number } => {
  let node: unknown = document.contents
  let [offset, depth] = [0, 0]
  for (const key of path) {
    const child = childOf(document, node, key)
    if (child === undefined) break
    depth++
    ;({ at: offset, node } = child)
  }
  return { offset, depth }
}

/** Adds the positions of values to their problems, errors first, at most {@link maximumProblems}. */
export const locateProblems = (
  problems: ReadonlyArray<ValueProblem>,
  locate: LocatePaths
): ReadonlyArray<SpecProblem> => {
  const reported = [
    ...problems.filter(({ severity }) => severity === "error"),
    ...problems.filter(({ severity }) => severity === "warning")
  ].slice(0, maximumProblems)
  if (reported.length === 0) return []
  const positions = locate(reported.map(({ path }) => path))
  return reported.map(({ path, ...problem }, index) => ({
    ...problem,
    ...positions[index],
    pointer: pointerOf(path)
  }))
}
