/** The table of the operations of the API, and what calls them: `@lectern/harness/operations`. */
export { callOperations, type OperationCall, type RewindableHost } from "./callOperations.ts"
export type { OperationRow, RuleName } from "./OperationRow.ts"
export { buildScene, type CallAsOwner, type Scene, type SceneHost } from "./scene.ts"
export { addressOf, type Operation, type OperationId, operations, paramsIn } from "./table.ts"
