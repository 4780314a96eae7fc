/** The public names of links in `@lectern/model`. */
export {
  ContentLocation,
  Link,
  LinkStats,
  LinkStatus,
  Links as PageOfLinks,
  ListLinks,
  PageLocation
} from "./Link.ts"
