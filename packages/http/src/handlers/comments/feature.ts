/** The handlers of the endpoints of comments. */

import { changeRequestComments } from "./changeRequestComments.ts"
import { comments } from "./comments.ts"

/** The handlers of each group of endpoints of comments, by the name of the group. */
export const commentsHandlers = { comments, changeRequestComments }
