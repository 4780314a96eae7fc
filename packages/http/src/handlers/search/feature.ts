import { search } from "./search.ts"

export const searchHandlers = { search }
