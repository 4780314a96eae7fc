/** Estimates how similar two nodes of documents are. */
import type { AnyNode } from "./nodeIdentity.ts"

const wordsByNode = new WeakMap<AnyNode, ReadonlySet<string>>()

/** The maximum number of words of a node that are compared. */
const maximumWords = 500

const textOf = (node: unknown): string => {
  if (Array.isArray(node)) return node.map(textOf).join(" ")
  if (typeof node !== "object" || node === null) return ""
  const { text, nodes, leaves, fragments } = node as Readonly<Record<string, unknown>>
  return [typeof text === "string" ? text : "", textOf(nodes), textOf(leaves), textOf(fragments)].join(" ")
}

const wordsOf = (node: AnyNode): ReadonlySet<string> => {
  const existing = wordsByNode.get(node)
  if (existing !== undefined) return existing
  const words = new Set((textOf(node).match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, maximumWords))
  wordsByNode.set(node, words)
  return words
}

/** Returns the similarity of nodes from 0.1 to 2: at least 1 if they have the same type, and more if they have common words. */
export const similarityOf = (one: AnyNode, other: AnyNode): number => {
  if (one.type !== other.type) return 0.1
  const [words, others] = [wordsOf(one), wordsOf(other)]
  let common = 0
  for (const word of words) if (others.has(word)) common++
  return 1 + (2 * common) / Math.max(1, words.size + others.size)
}
