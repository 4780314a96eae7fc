/**
 * The entry point `@lectern/client/openapi`: the API with everything that its OpenAPI document needs. It is separate from
 * the main entry point so that clients do not bundle descriptions and examples.
 */
import { OpenApi } from "effect/http-api"
import { Api } from "./api/Api.ts"
import { completeOpenApiDocument } from "./api/openApiDocument.ts"

/**
 * `Api` with an annotation that adds descriptions, examples, entity tags and authentication to its OpenAPI document.
 *
 * @example
 * const document = OpenApi.fromApi(documentedApi)
 */
export const documentedApi: typeof Api = Api.annotate(OpenApi.Transform, completeOpenApiDocument)
