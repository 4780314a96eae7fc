export {
  Collection,
  CollectionId,
  CollectionPermissions,
  CreateCollection,
  ListCollections,
  UpdateCollection
} from "./Collection.ts"
