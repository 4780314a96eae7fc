/** Calls every operation of the table, each in the same scene. */
import { buildScene, type Scene, type SceneHost } from "./scene.ts"
import { addressOf, type Operation, operations, paramsIn } from "./table.ts"

/** A workspace whose state can be restored. */
export interface RewindableHost extends SceneHost {
  /** Saves the state. `rewind` restores it, any number of times. */
  readonly save: () => { readonly rewind: () => void }
}

/** A call of an operation. */
export interface OperationCall {
  readonly method: string
  /** The path, with the query. */
  readonly address: string
  readonly body?: unknown
}

/** Returns the call of an operation in a scene, by an administrator. */
const callOf = (operation: Operation, scene: Scene): OperationCall => {
  const full = operation.full?.(scene) ?? {}
  const body = full.body ?? operation.body?.(scene)
  return {
    method: operation.method,
    address: addressOf(operation, { ...paramsIn(operation, scene), ...full.params }),
    ...(body === undefined ? {} : { body })
  }
}

/**
 * Builds a scene, and visits every operation with its call. Restores the scene before each visit, so that the result of
 * an operation does not depend on the other operations.
 */
export const callOperations = async (
  host: RewindableHost,
  visit: (operation: Operation, call: OperationCall) => Promise<void>
): Promise<void> => callOperationsIn(await buildScene(host), host, visit)

/** Visits every operation with its call in a scene that exists, as {@link callOperations} does. */
export const callOperationsIn = async (
  scene: Scene,
  host: RewindableHost,
  visit: (operation: Operation, call: OperationCall) => Promise<void>
): Promise<void> => {
  const saved = host.save()
  for (const operation of operations) {
    await operation.prepare?.(scene, host.call)
    await visit(operation, callOf(operation, scene))
    saved.rewind()
  }
}
