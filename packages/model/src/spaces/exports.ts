export { GitSyncState } from "./GitSyncState.ts"
export { ListMemberSpaces, MemberSpace } from "./MemberSpace.ts"
export { Move, Pointer, Position, Transfer } from "./Move.ts"
export {
  ContentVisibility,
  CreateSpace,
  EditMode,
  Space,
  SpaceId,
  SpacePermissions,
  SpaceQuery,
  SpaceTrash,
  UpdateSpace
} from "./Space.ts"
