/** The handlers of the endpoints of OpenAPI specs. */
import { openApiSpecs } from "./openApiSpecs.ts"

/** The handlers of each group of endpoints of OpenAPI specs, by the name of the group. */
export const openApiSpecsHandlers = { openApiSpecs }
