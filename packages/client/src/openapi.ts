/**
 * The OpenAPI document of the API: `@lectern/client/openapi`. It is an entry point of its own, so that clients do not
 * bundle descriptions and examples.
 */
import { OpenApi } from "effect/http-api"
import { Api } from "./api/Api.ts"
import { completeOpenApiDocument } from "./api/openApiDocument.ts"

/**
 * `Api` with the annotation that completes its OpenAPI document.
 *
 * @example
 * const document = OpenApi.fromApi(documentedApi)
 */
export const documentedApi: typeof Api = Api.annotate(OpenApi.Transform, completeOpenApiDocument)
