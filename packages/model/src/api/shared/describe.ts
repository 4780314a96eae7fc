/** Annotations for summaries and descriptions in the OpenAPI document. */
import { OpenApi } from "effect/http-api"

/** Annotates an operation with its summary and with a description in full sentences. */
export const describe = (summary: string, description: string) =>
  OpenApi.annotations({ summary, description })

/** Annotates a group of operations with its title and its description. */
export const describeGroup = (title: string, description: string) =>
  OpenApi.annotations({ title, description })
