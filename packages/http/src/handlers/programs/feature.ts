import { programs } from "./programs.ts"

export const programsHandlers = { programs }
