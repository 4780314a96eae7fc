/** Nodes of documents as JSON, which the conversion reads without knowing their types. */
import type { JsonObject } from "../schema/attributes.ts"

/** A node of a document. */
export interface DocumentNode {
  readonly object: string
  readonly type?: string
  readonly key?: string
  readonly data?: JsonObject
  readonly nodes?: ReadonlyArray<DocumentNode>
  readonly fragments?: ReadonlyArray<DocumentNode>
  readonly leaves?: ReadonlyArray<DocumentLeaf>
  readonly fragment?: string
}

/** A mark of a document. */
export interface DocumentMark {
  readonly object: "mark"
  readonly type: string
  readonly data?: JsonObject
}

/** A run of text of a document. */
export interface DocumentLeaf {
  readonly object: "leaf"
  readonly text: string
  readonly marks: ReadonlyArray<DocumentMark>
  readonly data?: { readonly markdown?: string }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

/** Whether two values of JSON are equal. A property that is undefined is absent. */
export const isEqual = (one: unknown, other: unknown): boolean => {
  if (one === other) return true
  if (!isObject(one) || !isObject(other) || Array.isArray(one) !== Array.isArray(other)) return false
  if (Array.isArray(one)) {
    const others = other as unknown as ReadonlyArray<unknown>
    return one.length === others.length && one.every((value, index) => isEqual(value, others[index]))
  }
  const keys = Object.keys(one).filter((key) => one[key] !== undefined)
  const otherKeys = Object.keys(other).filter((key) => other[key] !== undefined)
  return keys.length === otherKeys.length && keys.every((key) => isEqual(one[key], other[key]))
}

/** Returns the fields of an object without some of them; null if none remains. */
export const without = (value: object, ...names: ReadonlyArray<string>): JsonObject | null => {
  const entries = Object.entries(value).filter(
    ([name, field]) => !names.includes(name) && field !== undefined
  )
  return entries.length === 0 ? null : (Object.fromEntries(entries) as JsonObject)
}
