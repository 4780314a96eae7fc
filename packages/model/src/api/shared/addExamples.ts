/** Adds examples to the operations of an OpenAPI document: exchanges that a run of the contract suite recorded. */
import type { Json } from "./describeSchemas.ts"
import { examples } from "./examples.gen.ts"

type Content = Readonly<Record<string, Json>>

/** The parts of an operation that have examples. */
export interface ExemplifiedOperation {
  readonly operationId: string
  readonly parameters?: ReadonlyArray<Json>
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: object }>>
}

const addExample = (content: Content | undefined, example: unknown): void => {
  const json = content?.["application/json"]
  if (json !== undefined && example !== undefined) json.example = example
}

/** Adds examples to the parameters of the path, the request body, and the successful responses. */
export const addExamples = ({
  operationId,
  parameters,
  requestBody,
  responses
}: ExemplifiedOperation): void => {
  const example = examples[operationId]
  if (example === undefined) return
  for (const parameter of parameters ?? []) {
    const value = example.params[String(parameter.name)]
    if (parameter.in === "path" && value !== undefined) parameter.example = value
  }
  addExample(requestBody?.content, example.request)
  for (const [status, { content }] of Object.entries(responses)) {
    if (status.startsWith("2")) addExample(content as Content | undefined, example.response)
  }
}
