/** The TeX of the characters of formulas. */

const table = `
α alpha β beta γ gamma δ delta ε varepsilon ϵ epsilon ζ zeta η eta θ theta ϑ vartheta ι iota κ kappa λ lambda μ mu ν nu ξ xi
π pi ϖ varpi ρ rho ϱ varrho σ sigma ς varsigma τ tau υ upsilon φ varphi ϕ phi χ chi ψ psi ω omega
Γ Gamma Δ Delta Θ Theta Λ Lambda Ξ Xi Π Pi Σ Sigma Υ Upsilon Φ Phi Ψ Psi Ω Omega
± pm ∓ mp × times ÷ div ⋅ cdot · cdot ∗ ast ⋆ star ∘ circ ∙ bullet • bullet ⊕ oplus ⊖ ominus ⊗ otimes ⊘ oslash ⊙ odot
∧ wedge ∨ vee ∩ cap ∪ cup ⊎ uplus ⊓ sqcap ⊔ sqcup ∖ setminus ≀ wr ⋄ diamond † dagger ‡ ddagger
≤ leq ≥ geq ≠ neq ≡ equiv ≈ approx ≅ cong ∼ sim ≃ simeq ≪ ll ≫ gg ∝ propto ≺ prec ≻ succ ⪯ preceq ⪰ succeq ≍ asymp ≐ doteq
⊂ subset ⊃ supset ⊆ subseteq ⊇ supseteq ⊄ nsubset ∈ in ∋ ni ∉ notin ⊢ vdash ⊣ dashv ⊨ models ⊥ perp ∥ parallel ∣ mid
← leftarrow → rightarrow ↔ leftrightarrow ⇐ Leftarrow ⇒ Rightarrow ⇔ Leftrightarrow ↑ uparrow ↓ downarrow ↦ mapsto
⟵ longleftarrow ⟶ longrightarrow ⟷ longleftrightarrow ⟸ Longleftarrow ⟹ Longrightarrow ⟺ iff ↪ hookrightarrow ↩ hookleftarrow
⇀ rightharpoonup ⇌ rightleftharpoons ↗ nearrow ↘ searrow
∀ forall ∃ exists ∄ nexists ¬ neg ∅ emptyset ∞ infty ∂ partial ∇ nabla ∠ angle √ surd ℏ hbar ℓ ell ℘ wp ℜ Re ℑ Im ℵ aleph
⊤ top □ square △ triangle ⋯ cdots … ldots ⋮ vdots ⋱ ddots ′ prime ° circ ∎ blacksquare
∑ sum ∏ prod ∐ coprod ∫ int ∬ iint ∭ iiint ∮ oint ⋂ bigcap ⋃ bigcup ⋁ bigvee ⋀ bigwedge ⨁ bigoplus ⨂ bigotimes ⨀ bigodot ⨄ biguplus
⟨ langle ⟩ rangle ⌊ lfloor ⌋ rfloor ⌈ lceil ⌉ rceil ‖ Vert
`

/** The commands of characters. */
export const symbols: ReadonlyMap<string, string> = new Map(
  [...table.matchAll(/(\S)\s+([A-Za-z]+)/gu)].map(([, character, command]) => [character!, `\\${command}`])
)

/** Characters with a meaning in TeX, and spaces. */
const escapes: Readonly<Record<string, string>> = {
  "\\": "\\backslash ",
  "{": "\\{",
  "}": "\\}",
  "#": "\\#",
  $: "\\$",
  "%": "\\%",
  _: "\\_",
  "^": "\\hat{}",
  "~": "\\sim ",
  "&": "\\&",
  "−": "-",
  " ": "\\ ",
  "\u00a0": "\\ ",
  "\u2002": "\\;",
  "\u2003": "\\quad ",
  "\u2004": "\\;",
  "\u2005": "\\:",
  "\u2006": "\\,",
  "\u2009": "\\,",
  "\u200a": "\\,",
  "\u200b": "",
  "\u2061": "",
  "\u2062": "",
  "\u2063": "",
  "\u2064": ""
}

/** Styled letters of Unicode, by the first of their capital letters. */
const alphabets: ReadonlyArray<readonly [start: number, command: string]> = [
  [0x1d400, "mathbf"],
  [0x1d434, ""],
  [0x1d468, "boldsymbol"],
  [0x1d49c, "mathcal"],
  [0x1d504, "mathfrak"],
  [0x1d538, "mathbb"],
  [0x1d5a0, "mathsf"],
  [0x1d670, "mathtt"]
]

/** Letters of these alphabets that have code points of their own. */
const doubleStruck = /^[ℂℍℕℙℚℝℤ]$/u

/** Returns the TeX of a character. `isAligned` preserves `&`, which aligns equations. */
export const texOfCharacter = (character: string, isAligned = false): string => {
  if (character === "&" && isAligned) return "&"
  const escaped = Object.hasOwn(escapes, character) ? escapes[character] : undefined
  if (escaped !== undefined) return escaped
  const command = symbols.get(character)
  if (command !== undefined) return `${command} `
  const plain = character.normalize("NFKC")
  if (plain === character || !/^[A-Za-z0-9]$/.test(plain)) return character
  if (doubleStruck.test(character)) return `\\mathbb{${plain}}`
  const point = character.codePointAt(0)!
  const alphabet = alphabets.find(([start]) => point >= start && point < start + 52)
  return alphabet === undefined || alphabet[1] === "" ? plain : `\\${alphabet[1]}{${plain}}`
}

/** The names of functions that TeX has commands for. */
export const functionNames: ReadonlySet<string> = new Set(
  "sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh coth log ln lg exp lim liminf limsup max min sup inf arg det dim gcd hom ker Pr deg".split(
    " "
  )
)

/** The commands of accents, by their combining characters and their equivalents. */
export const accents: Readonly<Record<string, string>> = {
  "\u0300": "grave",
  "\u0301": "acute",
  "\u0302": "hat",
  "^": "hat",
  "\u0303": "tilde",
  "~": "tilde",
  "\u0304": "bar",
  "\u0305": "overline",
  "¯": "overline",
  "\u0306": "breve",
  "\u0307": "dot",
  "\u0308": "ddot",
  "\u030a": "mathring",
  "\u030c": "check",
  "\u20d7": "vec",
  "→": "vec",
  "\u20d6": "overleftarrow",
  "\u20db": "dddot"
}
