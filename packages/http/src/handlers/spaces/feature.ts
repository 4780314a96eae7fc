import { spaces } from "./spaces.ts"

export const spacesHandlers = { spaces }
