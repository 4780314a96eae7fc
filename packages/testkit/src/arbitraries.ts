/** The entry point `@lectern/testkit/arbitraries`: fast-check arbitraries derived from Effect schemas. */
export { isMutationPath, type MutatedInput, mutatedInputArbitrary } from "./arbitraries/mutations.ts"
export { boundsOf, checksOf, passesChecks, type SchemaNode } from "./arbitraries/nodes.ts"
export { type FieldOverride, inputArbitrary, valueArbitrary } from "./arbitraries/values.ts"
