/** Annotations that the API reference shows. */
import { OpenApi } from "effect/http-api"

/** Gives an operation its title and a sentence on what it does. */
export const describe = (summary: string, description: string) =>
  OpenApi.annotations({ summary, description })

/** Gives a group of operations its title and a sentence on what they are about. */
export const describeGroup = (title: string, description: string) =>
  OpenApi.annotations({ title, description })
