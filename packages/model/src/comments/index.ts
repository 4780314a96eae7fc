/** All names of `comments`. */
export * from "./Comment.ts"
export * from "./CommentRules.ts"
export * from "./commentResources.ts"
