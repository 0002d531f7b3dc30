/**
 * Codes in the declarations against those in the sources of a pack. A code that is thrown beside a declaration must be
 * declared there; one that is thrown elsewhere in the pack, by somebody; and what is declared must be thrown somewhere.
 * What a call really throws is checked when it runs: this finds what no test has called.
 */
import { isErrorCode } from '@switchboard/protocol/errors'
import { isBuiltInCode } from '../manifest/built-in-errors.ts'
import { isRequirementName, REQUIREMENTS } from '../manifest/requirements.ts'
import type { ToolDeclaration } from '../manifest/tool-declaration.ts'
import type { DeclaredTool } from '../meta/check-pack.ts'
import type { MetaProblem } from '../meta/meta-problem.ts'

export interface SourceText {
  /** Relative to the root, with forward slashes. */
  readonly file: string
  readonly text: string
}

export interface PackSources {
  /** Each with the module that runs it. */
  readonly tools: readonly (DeclaredTool & { readonly code: SourceText })[]
  /** All other modules. */
  readonly others: readonly SourceText[]
  /** Of every tool. */
  readonly common: readonly string[]
  /** Never reach an agent. */
  readonly internal: readonly string[]
}

const THROWN = /\bnew\s+\w*Error\(\s*['"](E_[A-Z_]+|[a-z_]+)['"]/g
const MENTIONED = /['"](E_[A-Z_]+)['"]/g
const REQUIREMENT_CODES: ReadonlySet<string> = new Set(Object.values(REQUIREMENTS).map(({ code }) => code))

export function findCodeProblems({ tools, others, common, internal }: PackSources): MetaProblem[] {
  const known = new Set([...common, ...internal])
  const isKnown = (code: string): boolean => known.has(code) || isBuiltInCode(code)
  const declared = new Set(tools.flatMap(({ declaration }) => codesOf(declaration)))
  const problems: MetaProblem[] = []
  for (const { declaration, source, code: module } of tools) {
    const own = new Set(codesOf(declaration))
    for (const { code, ...place } of listThrown(module)) {
      if (own.has(code) || isKnown(code)) continue
      problems.push({ ...place, key: '', message: `throws ${code}, which ${source.file} does not declare` })
    }
  }
  for (const { code, ...place } of others.flatMap(listThrown)) {
    // One of the catalogue may be there to be caught by the pack itself.
    if (declared.has(code) || REQUIREMENT_CODES.has(code) || isKnown(code) || isErrorCode(code)) continue
    problems.push({ ...place, key: '', message: `throws ${code}, which no tool of the pack declares` })
  }
  const mentioned = new Set(
    [...tools.map(({ code }) => code), ...others].flatMap(({ text }) =>
      [...text.matchAll(MENTIONED)].map(([, code = '']) => code),
    ),
  )
  for (const { declaration, source } of tools) {
    for (const [index, { code }] of declaration.errors.entries()) {
      // One of the catalogue may come from whoever runs the pack.
      if (mentioned.has(code) || isBuiltInCode(code) || REQUIREMENT_CODES.has(code) || isErrorCode(code)) continue
      problems.push(source.problem(['errors', index, 'code'], `${code} is thrown nowhere in this pack`))
    }
  }
  return problems
}

function codesOf({ errors, requires }: ToolDeclaration): string[] {
  const required = requires.filter(isRequirementName).map((name) => REQUIREMENTS[name].code)
  return [...errors.map(({ code }) => code), ...required]
}

function listThrown({ file, text }: SourceText): { code: string; file: string; line: number; column: number }[] {
  return [...text.matchAll(THROWN)].flatMap((match) => {
    const [, code = ''] = match
    if (!code.startsWith('E_') && !isErrorCode(code)) return []
    const before = text.slice(0, match.index).split('\n')
    return [{ code, file, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }]
  })
}
