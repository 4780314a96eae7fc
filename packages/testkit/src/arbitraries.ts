/** Arbitraries made from schemas: `@lectern/testkit/arbitraries`. */
export { type Mutated, mutatedOf, names } from "./arbitraries/mutations.ts"
export { type ByName, inputOf, valueOf } from "./arbitraries/values.ts"
