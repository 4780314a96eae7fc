/** What `@lectern/core/model` exports of collections. */
export {
  Collection,
  CollectionId,
  CollectionPermissions,
  CreateCollection,
  ListCollections,
  UpdateCollection
} from "./Collection.ts"
