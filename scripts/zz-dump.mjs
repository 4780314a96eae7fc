import { OpenApi } from "effect/http-api"

const { documentedApi } = await import("/work/describe/packages/client/src/openapi.ts")

import { writeFileSync } from "node:fs"

writeFileSync(process.argv[2], JSON.stringify(OpenApi.fromApi(documentedApi)))
