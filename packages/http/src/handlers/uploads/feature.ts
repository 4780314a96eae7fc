import { uploads } from "./uploads.ts"

export const uploadsHandlers = { uploads }
