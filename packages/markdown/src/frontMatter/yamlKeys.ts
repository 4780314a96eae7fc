/** Keys of YAML that no JSON value has. */
import { type Document, isAlias, isCollection, isNode, visit } from "yaml"

/**
 * Returns the offset of the first key of a document that is a list or a mapping, which JSON does not have. Undefined if no key is one.
 * Such a document is invalid, and must not be converted to a value: the package `yaml` writes such a key as text, with the keys in it
 * first as keys and then as its parts, which takes time exponential in their depth.
 */
export const findCollectionKey = (document: Document): number | undefined => {
  let offset: number | undefined
  visit(document, {
    Pair: (_, { key }) => {
      const target = isAlias(key) ? key.resolve(document) : key
      if (!isCollection(target)) return undefined
      offset = (isNode(key) ? key.range?.[0] : undefined) ?? 0
      return visit.BREAK
    }
  })
  return offset
}
