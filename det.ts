import { simulate } from "./packages/testkit/src/simulation/index.ts"
const all: any[] = []
for (let i = 0; i < 2; i++) { (globalThis as any).words = []; await simulate({ seed: 5, size: { commands: 10, faults: 10 } }); all.push((globalThis as any).words) }
const [a, b] = all
let i = 0; while (a[i] === b[i]) i++
console.log(i, a.slice(i - 12, i + 6), b.slice(i - 3, i + 6))
