export {
  ContentLocation,
  Link,
  LinkStats,
  LinkStatus,
  Links as PageOfLinks,
  ListLinks,
  PageLocation
} from "./Link.ts"
