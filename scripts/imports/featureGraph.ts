/** The graph of the features of core: what their manifests declare, and what their files import. */
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, normalize } from "node:path"
import { cyclesOf } from "./cycles.ts"
import { filesIn, importsOf } from "./readImports.ts"

const root = "packages/core/src/features"

/** The features that each feature uses, by the names of their folders. */
export type FeatureGraph = ReadonlyMap<string, ReadonlySet<string>>

/** Returns the features that each feature imports, types included. */
export const importedFeatures = (): FeatureGraph =>
  new Map(
    readdirSync(root).map((feature) => {
      const imported = filesIn(join(root, feature)).flatMap((path) =>
        importsOf(readFileSync(path, "utf8")).flatMap(({ specifier }) => {
          if (!specifier.startsWith(".")) return []
          const target = normalize(join(dirname(path), specifier))
          const other = target.startsWith(`${root}/`) ? target.slice(root.length + 1).split("/")[0]! : feature
          return other === feature ? [] : [other]
        })
      )
      return [feature, new Set(imported.toSorted())]
    })
  )

/** Returns the features that the manifest of each feature declares in `uses`; none for a folder without a manifest. */
export const declaredFeatures = (): FeatureGraph =>
  new Map(
    readdirSync(root).map((feature) => {
      const manifest = readdirSync(join(root, feature)).includes("feature.ts")
        ? readFileSync(join(root, feature, "feature.ts"), "utf8")
        : ""
      const list = /\n {2}uses: \[([^\]]*)\]/.exec(manifest)?.[1] ?? ""
      return [feature, new Set(Array.from(list.matchAll(/"([^"]+)"/g), ([, name]) => name!))]
    })
  )

/** Compares the imports with the declarations, and finds cycles. */
export const checkFeatures = (imported: FeatureGraph, declared: FeatureGraph): ReadonlyArray<string> => [
  ...[...imported].flatMap(([feature, used]) => {
    const declaration = declared.get(feature) ?? new Set()
    const place = `${root}/${feature}/feature.ts`
    return [
      ...[...used]
        .filter((other) => !declaration.has(other))
        .map((other) => `${place}: imports the feature ${other}; add it to \`uses\``),
      ...[...declaration]
        .filter((other) => !used.has(other))
        .map((other) => `${place}: does not import the feature ${other}; remove it from \`uses\``)
    ]
  }),
  ...cyclesOf(imported).map((cycle) => `${root}: a cycle of the features ${cycle.join(", ")}`)
]

/** Returns the length of the longest path from a feature to one that uses no other. */
const depthOf = (graph: FeatureGraph, feature: string): number =>
  Math.max(0, ...[...(graph.get(feature) ?? [])].map((used) => 1 + depthOf(graph, used)))

/** Prints the graph as a table. A feature uses only features of earlier rows. */
export const printFeatures = (graph: FeatureGraph): string => {
  const byDepth = [...graph.keys()].toSorted().toSorted((a, b) => depthOf(graph, a) - depthOf(graph, b))
  const isAlone = (feature: string): boolean =>
    graph.get(feature)!.size === 0 && ![...graph.values()].some((used) => used.has(feature))
  const rows = byDepth
    .filter((feature) => !isAlone(feature))
    .map((feature) => `| \`${feature}\` | ${[...graph.get(feature)!].join(", ")} |`)
  const alone = byDepth.filter(isAlone).map((feature) => `\`${feature}\``)
  return [
    "| feature | uses |",
    "| ------- | ---- |",
    ...rows,
    "",
    `These use no other feature, and no other uses them: ${alone.join(", ")}.`
  ].join("\n")
}
