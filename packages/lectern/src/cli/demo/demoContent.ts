/** The pages of the demo workspace, in the folder `demo` of the package. */
import { readFile } from "node:fs/promises"

/** A page of the demo. Its body is the file `demo/{space}/{file}.md`. */
export interface DemoPage {
  readonly file: string
  readonly title: string
  readonly icon?: string
  readonly description?: string
  /** Whether the page has the cover image. */
  readonly hasCover?: boolean
}

/** The pages of the guides. Pages link to each other by `./{file}.md`. */
export const guidePages: ReadonlyArray<DemoPage> = [
  {
    file: "welcome",
    title: "Welcome to Tideway",
    icon: "water",
    description: "Tides, waves and weather for everyone who works on the water.",
    hasCover: true
  },
  {
    file: "quickstart",
    title: "Quickstart",
    icon: "rocket",
    description: "From a key to your first forecast in five minutes."
  },
  {
    file: "authentication",
    title: "Authentication",
    icon: "key",
    description: "Keys, scopes and how to rotate them."
  },
  {
    file: "alerts",
    title: "Alerts",
    icon: "bell",
    description: "Receive a webhook when the weather turns."
  },
  {
    file: "limits",
    title: "Limits",
    icon: "gauge",
    description: "How many requests each plan permits."
  },
  {
    file: "changelog",
    title: "Changelog",
    icon: "wand-magic-sparkles",
    description: "New features of Tideway."
  }
]

const folder = new URL("../../../demo/", import.meta.url)

/** Reads a text file of the demo, by its path in the folder. */
export const readDemoText = (path: string): Promise<string> => readFile(new URL(path, folder), "utf8")

/** Reads a file of the demo in base64, by its path in the folder. */
export const readDemoFile = (path: string): Promise<string> => readFile(new URL(path, folder), "base64")
