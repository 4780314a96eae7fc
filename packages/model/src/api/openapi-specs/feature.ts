/** The endpoints of OpenAPI specs. */
import { OpenApiSpecsApi } from "./OpenApiSpecsApi.ts"

/** The groups of endpoints of OpenAPI specs, in the order of the OpenAPI document. */
export const groups: readonly [typeof OpenApiSpecsApi] = [OpenApiSpecsApi]
