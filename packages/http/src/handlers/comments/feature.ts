import { changeRequestComments } from "./changeRequestComments.ts"
import { comments } from "./comments.ts"

export const commentsHandlers = { comments, changeRequestComments }
