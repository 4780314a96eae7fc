/** The handlers of the endpoints of change requests. */

import { changeRequestContent } from "./changeRequestContent.ts"
import { changeRequests } from "./changeRequests.ts"

/** The handlers of each group of endpoints of change requests, by the name of the group. */
export const changeRequestsHandlers = { changeRequests, changeRequestContent }
