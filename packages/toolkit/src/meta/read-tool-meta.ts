/**
 * One `*.meta.yaml`: every problem of the file at once, or the declaration. A part whose shape is wrong is not looked at
 * further, all others are; what concerns several files (names, `next`) is `check-pack.ts`.
 */
import { MAX_DURATION_TEXT, nearestName, parseDuration } from '@switchboard/base'
import type { Definitions, ToolDeclaration } from '../manifest/tool-declaration.ts'
import { toToolName } from '../manifest/tool-name.ts'
import { checkParamMeta } from './check-params-meta.ts'
import { createInputSchema } from './input-schema.ts'
import type { KeyPath, MetaProblem, Report } from './meta-problem.ts'
import { readTable } from './read-table.ts'
import { findDataProblems, findSchemaProblems } from './schema-problems.ts'
import { TOOL_TABLE, type ToolMeta } from './tool-fields.ts'
import { YamlSource } from './yaml-source.ts'

export type ToolMetaReading =
  | { readonly declaration: ToolDeclaration; readonly source: YamlSource; readonly problems?: undefined }
  | { readonly problems: readonly MetaProblem[] }

/** `definitions`: what `data` may refer to. */
export function readToolMeta(file: string, text: string, definitions: Definitions = {}): ToolMetaReading {
  const source = new YamlSource(file, text)
  if (source.syntaxProblems.length > 0) return { problems: source.syntaxProblems }
  const { values: meta, problems: wrong, isClean } = readTable(source, TOOL_TABLE)
  const problems = [...wrong]
  if (meta !== undefined) {
    const report: Report = (path, message) => problems.push(source.problem(path, message))
    checkMeaning(meta, isClean, report)
    if (meta.data !== undefined) {
      findDataProblems(meta.data, definitions, (path, message) => report(['data', ...path], message))
    }
    if (problems.length === 0) return { declaration: toDeclaration(meta), source }
  }
  return { problems: problems.sort((a, b) => a.line - b.line || a.column - b.column) }
}

type IsClean = (...path: KeyPath) => boolean

function checkMeaning(meta: ToolMeta, isClean: IsClean, report: Report): void {
  checkParams(meta, isClean, report)
  if (isClean('timeout')) checkTimeout(meta, isClean, report)
  if (isClean('safety') && meta.safety.read_only && meta.safety.destructive) {
    report(['safety', 'destructive'], 'cannot be true for a tool that is read_only')
  }
  if (isClean('rate') && meta.rate !== undefined) checkRate(meta.rate, report)
  if (isClean('errors')) checkErrors(meta, report)
  if (isClean('mcp') && meta.mcp?.enabled === false && meta.mcp.core === true) {
    report(['mcp', 'core'], 'cannot be true for a tool that is in no list')
  }
  if (isClean('summary') && meta.summary.trim().includes('\n')) report(['summary'], 'must be one line')
}

function checkParams(meta: ToolMeta, isClean: IsClean, report: Report): void {
  // One whose shape is wrong does not hide what is wrong with the others.
  const { params = {} } = meta
  let isSound = isClean('params')
  for (const [name, param] of Object.entries(params)) {
    if (!isClean('params', name)) continue
    checkParamMeta(param, ['params', name], (path, message) => {
      isSound = false
      report(path, message)
    })
  }
  const names = Object.keys(params)
  for (const name of isClean('llm') ? Object.keys(meta.llm?.parameter_hints ?? {}) : []) {
    if (names.includes(name)) continue
    const nearest = nearestName(name, names)
    const cure = nearest === undefined ? `parameters: ${names.join(', ') || 'none'}` : `did you mean "${nearest}"?`
    report(['llm', 'parameter_hints', name], `is not a parameter of this tool; ${cure}`)
  }
  if (isSound && isClean('examples')) checkExamples(meta, report)
}

function checkExamples({ params = {}, examples = [] }: ToolMeta, report: Report): void {
  const input = createInputSchema(params)
  for (const [index, example] of examples.entries()) {
    for (const problem of findSchemaProblems(input, example.params)) {
      report(['examples', index, 'params'], `fails the tool's own parameters: ${problem}`)
    }
  }
}

function checkTimeout(meta: ToolMeta, isClean: IsClean, report: Report): void {
  const budget = parseDuration(meta.timeout)
  if (budget === undefined) {
    report(['timeout'], `must be more than nothing and at most ${MAX_DURATION_TEXT}, not ${meta.timeout}`)
    return
  }
  const fallback = isClean('params', 'timeoutMs') ? meta.params?.timeoutMs?.default : undefined
  if (typeof fallback === 'number' && budget < fallback) {
    report(['timeout'], `is ${meta.timeout}, shorter than the default of the parameter timeoutMs (${fallback} ms)`)
  }
}

function checkRate({ per_second, burst }: NonNullable<ToolMeta['rate']>, report: Report): void {
  if (per_second <= 0) report(['rate', 'per_second'], `must be more than 0, not ${per_second}`)
  if (burst < 1) report(['rate', 'burst'], `must be at least 1, not ${burst}`)
}

function checkErrors({ errors = [] }: ToolMeta, report: Report): void {
  for (const [index, { code }] of errors.entries()) {
    if (errors.findIndex((other) => other.code === code) < index) {
      report(['errors', index, 'code'], `${code} is declared twice`)
    }
  }
}

function toDeclaration(meta: ToolMeta): ToolDeclaration {
  const { description, data, mcp, llm } = meta
  return {
    alias: meta.alias,
    name: mcp?.tool ?? toToolName(meta.alias),
    aliases: (meta.aliases ?? []).map(toToolName),
    category: meta.category,
    summary: meta.summary.trim(),
    ...(description === undefined ? {} : { description: description.trim() }),
    input: createInputSchema(meta.params ?? {}),
    result: meta.result,
    ...(data === undefined ? {} : { data }),
    timeoutMs: parseDuration(meta.timeout) ?? 0,
    safety: {
      readOnly: meta.safety.read_only,
      destructive: meta.safety.destructive,
      idempotent: meta.safety.idempotent,
    },
    ...(meta.rate === undefined ? {} : { rate: { perSecond: meta.rate.per_second, burst: meta.rate.burst } }),
    requires: meta.requires ?? [],
    errors: meta.errors ?? [],
    examples: meta.examples ?? [],
    listed: mcp?.enabled ?? true,
    core: mcp?.core ?? false,
    ...(mcp?.description === undefined ? {} : { listedDescription: toLine(mcp.description) }),
    ...(llm?.when_to_use === undefined ? {} : { whenToUse: toLine(llm.when_to_use) }),
    parameterHints: toHints(llm?.parameter_hints ?? {}),
    next: llm?.next ?? [],
  }
}

function toHints(
  hints: NonNullable<NonNullable<ToolMeta['llm']>['parameter_hints']>,
): ToolDeclaration['parameterHints'] {
  const entries = Object.entries(hints).map(([name, { examples, note }]) => [
    name,
    { ...(examples === undefined ? {} : { examples }), ...(note === undefined ? {} : { note }) },
  ])
  return Object.fromEntries(entries)
}

/** A text that was folded over several lines of YAML. */
function toLine(text: string): string {
  return text.trim().replace(/\s+/g, ' ')
}
