/** The entry point `@lectern/harness/operations`: the table of the operations of the API, and a function that calls them. */
export {
  callOperations,
  callOperationsIn,
  type OperationCall,
  type RewindableHost
} from "./callOperations.ts"
export type { OperationRow, RuleName } from "./OperationRow.ts"
export { buildScene, type CallAsOwner, type Scene, type SceneHost, type SceneOptions } from "./scene.ts"
export { computedSource, integrationOf, publishedUrl } from "./sceneInputs.ts"
export { addressOf, type Operation, type OperationId, operations, paramsIn } from "./table.ts"
