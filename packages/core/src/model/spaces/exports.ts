/** What `@lectern/core/model` exports of spaces. */
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
  UpdateSpace
} from "./Space.ts"
