/** The names of `frontMatter` that other packages of Lectern use. */
export {
  type Fields,
  frontMatterPattern,
  type PageMarkdown,
  takeFrontMatter,
  takeHeading,
  toCondition
} from "./frontMatter.ts"
export { type FileFields, type PageFile, parseYamlMapping, splitPageFile, writePageFile } from "./pageFile.ts"
export { findCollectionKey } from "./yamlKeys.ts"
