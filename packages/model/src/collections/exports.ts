/** The public names of collections in `@lectern/model`. */
export {
  Collection,
  CollectionId,
  CollectionPermissions,
  CreateCollection,
  ListCollections,
  UpdateCollection
} from "./Collection.ts"
