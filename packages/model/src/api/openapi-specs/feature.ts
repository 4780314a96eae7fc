import { OpenApiSpecsApi } from "./OpenApiSpecsApi.ts"

export const groups: readonly [typeof OpenApiSpecsApi] = [OpenApiSpecsApi]
