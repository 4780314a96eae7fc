/** Conditions that are stored, as expressions: each text is parsed once. */
import { Result } from "effect"
import { LRUCache } from "lru-cache"
import { type Expression, parse } from "./Condition.ts"

/** How many are kept: those of a few dozen large sites. */
const cache = new LRUCache<string, { readonly expression: Expression | undefined }>({ max: 10_000 })

/** The expression of a condition; undefined for a text that is none, which is not stored. */
export const parsed = (condition: string): Expression | undefined => {
  const known = cache.get(condition)
  if (known !== undefined) return known.expression
  const result = parse(condition)
  const expression = Result.isSuccess(result) ? result.success : undefined
  cache.set(condition, { expression })
  return expression
}
