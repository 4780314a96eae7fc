/** All names of `spaces`. */
export * from "./GitSyncState.ts"
export * from "./MemberSpace.ts"
export * from "./Move.ts"
export * from "./Space.ts"
export * from "./SpaceRules.ts"
export * from "./spaceResources.ts"
