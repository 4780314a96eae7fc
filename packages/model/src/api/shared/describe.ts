/** Annotations for summaries and descriptions in the OpenAPI document. */
import * as OpenApi from "effect/http-api/OpenApi"

/** Annotates an operation with its summary and with a description in full sentences. */
export const describe = (summary: string, description: string) =>
  OpenApi.annotations({ summary, description })

/** Annotates a group of operations with its title and its description. */
export const describeGroup = (title: string, description: string) =>
  OpenApi.annotations({ title, description })
