/** The operations and schemas of an OpenAPI document. */

/** A part of an OpenAPI document. */
export type Json = { readonly [key: string]: unknown }

/** An OpenAPI document. */
export interface ContractDocument {
  readonly paths: { readonly [path: string]: { readonly [method: string]: unknown } }
  readonly components?: { readonly schemas?: { readonly [name: string]: Json } }
}

/** An operation of a contract. */
export interface ContractOperation {
  readonly id: string
  readonly tag: string
  readonly method: string
  readonly path: string
}

interface DeclaredOperation {
  readonly operationId: string
  readonly tags?: ReadonlyArray<string>
}

const isOperation = (value: unknown): value is DeclaredOperation =>
  typeof value === "object" && value !== null && "operationId" in value

/** Returns the operations of a document. */
export const operationsOf = ({ paths }: ContractDocument): ReadonlyArray<ContractOperation> =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      isOperation(operation)
        ? [
            {
              id: operation.operationId,
              tag: operation.tags?.[0] ?? "",
              method: method.toUpperCase(),
              path
            }
          ]
        : []
    )
  )

/** Returns the tags of a document. */
export const tagsOf = (document: ContractDocument): ReadonlyArray<string> =>
  operationsOf(document).map(({ tag }) => tag)

/** Returns the path without the prefix of the API and without the names of its parameters. */
const shapeOf = ({ method, path }: ContractOperation): string =>
  `${method} ${path.replace(/^\/v1(?=\/)/, "").replaceAll(/\{[^}]+\}/g, "{}")}`

/** Returns whether one of the served operations has the method and the path of an operation. */
export const serves = (
  served: ReadonlyArray<ContractOperation>
): ((operation: ContractOperation) => boolean) => {
  const shapes = new Set(served.map(shapeOf))
  return (operation) => shapes.has(shapeOf(operation))
}
