import { changeRequestContent } from "./changeRequestContent.ts"
import { changeRequests } from "./changeRequests.ts"

export const changeRequestsHandlers = { changeRequests, changeRequestContent }
