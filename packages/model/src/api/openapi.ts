/**
 * The entry point `@lectern/model/openapi`: the API with everything that its OpenAPI document needs. It is separate from
 * the main entry point so that clients do not bundle descriptions and examples.
 */
import * as OpenApi from "effect/http-api/OpenApi"
import { Api } from "./Api.ts"
import { conditionsOf } from "./documentConditions.ts"
import { apiWithFeatures, type FeatureApi } from "./features.ts"
import { completeOpenApiDocument } from "./openApiDocument.ts"

/**
 * `Api` with an annotation that adds descriptions, examples, request conditions and authentication to its OpenAPI document.
 *
 * @example
 * const document = OpenApi.fromApi(documentedApi)
 */
export const documentedApi: typeof Api = Api.annotate(OpenApi.Transform, (document) =>
  completeOpenApiDocument(document, conditionsOf(Api))
)

/** Returns {@link documentedApi} with the operations of a host's features: see `apiWithFeatures`. */
export const documentedApiWith = (features: ReadonlyArray<FeatureApi>): typeof Api => {
  if (features.length === 0) return documentedApi
  const api = apiWithFeatures(features)
  return api.annotate(OpenApi.Transform, (document) => completeOpenApiDocument(document, conditionsOf(api)))
}
