import { commentExaminations } from "@lectern/content"
import { defineFeature } from "@lectern/kernel"
import {
  commentEvents,
  commentReactionEvents,
  commentReactions,
  commentReplies,
  commentReplyEvents,
  comments
} from "@lectern/kernel/tables"
import { Layer } from "effect"
import { Comments } from "./Comments.ts"
import { CommentTargets } from "./CommentTargets.ts"

/** Threads of comments on spaces and on change requests. */
export const commentsFeature = defineFeature("comments", {
  uses: ["content"],
  tables: [comments, commentReplies, commentReactions],
  events: [commentEvents, commentReplyEvents, commentReactionEvents],
  userServices: { comments: Comments },
  layer: Comments.layer.pipe(Layer.provide(CommentTargets.layer)),
  examinations: commentExaminations
})
