/** fast-check arbitraries derived from schemas: `@lectern/testkit/arbitraries`. */
export { type Mutated, mutatedOf, mutationNames } from "./arbitraries/mutations.ts"
export { boundsOf, checksOf, type Node, passes } from "./arbitraries/nodes.ts"
export { type ByName, inputOf, valueOf } from "./arbitraries/values.ts"
