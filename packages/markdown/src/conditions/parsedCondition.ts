/** A cache of parsed conditions. */

import type { Expression } from "@lectern/model/conditions"
import { Result } from "effect"
import { LRUCache } from "lru-cache"
import { parseCondition } from "./parseExpression.ts"

/** Holds the conditions of a few dozen large sites. */
const cache = new LRUCache<string, { readonly expression: Expression | undefined }>({
  // Unlike `max`, it allocates no memory for entries that do not exist.
  maxSize: 10_000,
  sizeCalculation: () => 1
})

/** Parses a stored condition, once per text. Returns undefined for an invalid condition, which is never stored. */
export const parseStoredCondition = (condition: string): Expression | undefined => {
  const cached = cache.get(condition)
  if (cached !== undefined) return cached.expression
  const result = parseCondition(condition)
  const expression = Result.isSuccess(result) ? result.success : undefined
  cache.set(condition, { expression })
  return expression
}
