/** Direct uses of the platform in core are found. */
import { describe, expect, it } from "vitest"
import { findPlatformUses } from "./platformUses.ts"

describe("the check of direct uses of the platform", () => {
  it.each([
    "const now = new Date().getTime()",
    "const id = crypto.randomUUID()",
    "setTimeout(resume, 10)",
    'new CompressionStream("gzip")',
    "Effect.promise(() => digest())",
    "const response = await globalThis.fetch(url)",
    'import { jwtVerify } from "jose"'
  ])("finds `%s`", (text) => {
    expect(findPlatformUses("core/features/spaces/Spaces.ts", text)).toHaveLength(1)
  })

  it("accepts services, comments, and the files that implement a service", () => {
    expect(findPlatformUses("core/features/spaces/Spaces.ts", "new Date(milliseconds)")).toEqual([])
    expect(findPlatformUses("core/features/spaces/Spaces.ts", "// Not Date.now, because …")).toEqual([])
    expect(findPlatformUses("kernel/platform.ts", "run: Effect.promise")).toEqual([])
  })
})
