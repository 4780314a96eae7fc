/** The size of the editor, and its speed on a long page against plain ProseMirror on the same page, in the same browser. */
import { readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { gzipSync } from "node:zlib"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { bundle } from "./support/bundle.ts"
import { type Scene, startScene } from "./support/scene.ts"
import type { Times } from "./support/speedPage.ts"

/** The maximum size of the editor with common blocks, without the client, in bytes after gzip. */
const maximumBytes = 200_000

/** The maximum ratio of the times of the editor to the times of plain ProseMirror. */
const maximumRatio = 1.5

const blocks = 5_000
const rounds = 7
const keys = 40

/** Returns the least time: other processes interrupt single rounds, and make none of them faster. */
const least = (values: ReadonlyArray<number>): number => Math.min(...values)

describe("the bundle", () => {
  it(`has at most ${maximumBytes / 1_000} kB after gzip, without the modules that are loaded later`, async () => {
    const { folder, metafile } = await bundle(["../../src/index.ts"])
    const outputs = new Map(
      Object.entries(metafile.outputs).map(([path, output]) => [basename(path), output])
    )
    const needed = new Set<string>()
    const visit = (name: string): void => {
      if (needed.has(name)) return
      needed.add(name)
      for (const { path, kind } of outputs.get(name)!.imports)
        if (kind === "import-statement") visit(basename(path))
    }
    visit("index.js")
    const bytes = [...needed].reduce(
      (sum, name) => sum + gzipSync(readFileSync(join(folder, name))).length,
      0
    )
    console.log(`The editor has ${Math.round(bytes / 1_000)} kB after gzip.`)
    expect(bytes).toBeLessThanOrEqual(maximumBytes)
  })
})

describe(`a page of ${blocks} blocks`, () => {
  let scene: Scene
  beforeAll(async () => {
    scene = await startScene()
  })
  afterAll(() => scene.close())

  it(`opens, and takes a key, in at most ${maximumRatio} times the time of plain ProseMirror`, async () => {
    const times = { editor: [] as Array<Times>, plain: [] as Array<Times> }
    await scene.withPage(
      async (page) => {
        for (let round = 0; round < rounds; round++) {
          for (const kind of ["plain", "editor"] as const) {
            times[kind].push(
              await page.evaluate(([one, count, typed]) => window.measure(one, count, typed), [
                kind,
                blocks,
                keys
              ] as const)
            )
          }
        }
      },
      {},
      "/speed"
    )
    const result = Object.fromEntries(
      (["open", "key"] as const).map((name) => {
        const [editor, plain] = [
          least(times.editor.map((one) => one[name])),
          least(times.plain.map((one) => one[name]))
        ]
        console.log(
          `${name}: ${editor.toFixed(1)} ms, plain ProseMirror ${plain.toFixed(1)} ms, ratio ${(editor / plain).toFixed(2)}`
        )
        return [name, editor / plain]
      })
    )
    expect(result.key).toBeLessThanOrEqual(maximumRatio)
    expect(result.open).toBeLessThanOrEqual(maximumRatio)
  })
})
