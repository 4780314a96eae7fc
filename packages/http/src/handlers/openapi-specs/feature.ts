import { openApiSpecs } from "./openApiSpecs.ts"

export const openApiSpecsHandlers = { openApiSpecs }
