/** The handlers of the endpoints of uploads. */
import { uploads } from "./uploads.ts"

/** The handlers of each group of endpoints of uploads, by the name of the group. */
export const uploadsHandlers = { uploads }
