/** The readers of imports on the calling thread: functions from bytes to pages. */
import { markdownConversions, readMarkdown, readSourceTree, readSummary } from "@lectern/formats/threads"
import { readHtml } from "./html/readHtml.ts"
import { readDocx } from "./readDocx.ts"
import { readGitDates } from "./readGitDates.ts"
import { findNamedFiles, readGitFiles } from "./readGitFiles.ts"
import { readPack } from "./readGitPack.ts"
import { readMenu } from "./readMenu.ts"
import { readSitemap } from "./readSitemap.ts"
import { readTar } from "./readTar.ts"
import type { ReadTaskName, ReadTasks } from "./readTask.ts"
import { readZipEntry } from "./readZipEntry.ts"
import { readZipIndex } from "./readZipIndex.ts"
import { readConfluenceTree } from "./sources/confluenceTree.ts"
import { readSourcePage } from "./sources/readSourcePage.ts"
import { writeGitCommit } from "./writeGitCommit.ts"

/** A reader for each kind of input. */
export type Readers = {
  readonly [K in ReadTaskName]: (
    input: ReadTasks[K]["in"]
  ) => K extends "docx" ? Promise<ReadTasks[K]["out"]> : ReadTasks[K]["out"]
}

/** The reader of each kind of input. Readers throw `NotReadable`. They do not limit their time and memory. */
export const readers: Readers = {
  html: readHtml,
  menu: readMenu,
  markdown: readMarkdown,
  docx: readDocx,
  zipIndex: readZipIndex,
  zipEntry: readZipEntry,
  tar: readTar,
  sitemap: readSitemap,
  gitFiles: readGitFiles,
  gitNamedFiles: findNamedFiles,
  gitDates: readGitDates,
  gitContains: ({ bytes, commit }) => readPack(bytes).get(commit)?.type === "commit",
  gitCommit: writeGitCommit,
  summary: ({ bytes }) => readSummary(bytes),
  sourceTree: (input) =>
    input.source === "confluence" ? readConfluenceTree(input) : readSourceTree(input.source, input),
  sourcePage: readSourcePage,
  ...markdownConversions
}
