/** The page about a pack's tools: one table for each category, then the tools one by one, and what their data is made of. */
import type { JsonObject } from '@switchboard/protocol'
import { describeSafety, listParameters, type ParameterHelp } from '../help/tool-help.ts'
import { isRequirementName, REQUIREMENTS } from '../manifest/requirements.ts'
import type { ErrorDeclaration, ToolDeclaration } from '../manifest/tool-declaration.ts'
import { labelOf, toSentence } from '../run/describe-tool.ts'
import type { PackSource } from './read-pack.ts'
import { schemaToType } from './schema-to-type.ts'

export function createToolDocument(pack: PackSource): string {
  const { name, directory, tools, guides } = pack
  const declarations = tools.map(({ declaration }) => declaration)
  const categories = Map.groupBy(declarations, ({ category }) => category)
  return [
    `# The tools of the pack ${name}`,
    '',
    `<!-- Generated from the *.meta.yaml files in ${directory}. Do not edit. -->`,
    '',
    'Parameters with a star are required. Every tool may also fail with `invalid_arguments`, `E_TIMEOUT`, `E_CANCELLED`,',
    'and with `E_INTERNAL`, which is a bug of ours. A code with a circular arrow (↻) may go away by itself.',
    '',
    ...createCommonErrors(pack),
    ...[...categories].flatMap(([category, members]) => createCategory(category, members)),
    ...createDefinitions(pack),
    ...(guides.length === 0
      ? []
      : ['## Guides', '', ...guides.map(({ id, title, summary }) => `- \`${id}\`: ${title}. ${summary}`), '']),
  ].join('\n')
}

function createCommonErrors({ commonErrors }: PackSource): string[] {
  if (commonErrors.length === 0) return []
  return ['Any tool of this pack may also fail with:', '', ...createList(commonErrors.map(formatError))]
}

function createDefinitions({ definitions }: PackSource): string[] {
  const types = Object.entries(definitions).map(([name, schema]) => `type ${name} = ${showType(schema)}`)
  return types.length === 0 ? [] : ['## Data', '', ...fence(types.join('\n\n'))]
}

function formatError({ code, retryable, hint }: ErrorDeclaration): string {
  return `\`${code}\`${retryable ? ' ↻' : ''}: ${hint}`
}

function createCategory(category: string, tools: readonly ToolDeclaration[]): string[] {
  return [
    `## ${category}`,
    '',
    '| tool | what | parameters | needs | errors | safety |',
    '| --- | --- | --- | --- | --- | --- |',
    ...tools.map(createRow),
    '',
    ...tools.flatMap(createSection),
  ]
}

function createRow(tool: ToolDeclaration): string {
  return row(
    `\`${tool.name}\`${tool.listed ? '' : ' (not listed)'}`,
    tool.summary,
    listParameters(tool.input)
      .filter(({ name }) => !name.includes('.'))
      .map(toLabel)
      .join(', ') || '-',
    tool.requires.map((name) => `${labelOf(name)}${codeOf(name)}`).join(', ') || '-',
    tool.errors.map(({ code, retryable }) => `\`${code}\`${retryable ? ' ↻' : ''}`).join(', ') || '-',
    describeSafety(tool.safety),
  )
}

function codeOf(requirement: string): string {
  return isRequirementName(requirement) ? ` (\`${REQUIREMENTS[requirement].code}\`)` : ''
}

function createSection(tool: ToolDeclaration): string[] {
  const { name, aliases, description, whenToUse, timeoutMs, rate, next, errors, examples } = tool
  const facts = [
    `${tool.result}, at most ${timeoutMs} ms`,
    ...(rate === undefined ? [] : [`${rate.perSecond} times a second, ${rate.burst} at once`]),
    ...(aliases.length === 0 ? [] : [`also called ${aliases.map((alias) => `\`${alias}\``).join(', ')}`]),
    ...(next.length === 0 ? [] : [`next: ${next.map((other) => `\`${other}\``).join(', ')}`]),
  ]
  return [
    `### ${name}`,
    '',
    toSentence(description ?? tool.summary),
    '',
    ...(whenToUse === undefined ? [] : [toSentence(whenToUse), '']),
    `${facts.join('; ')}.`,
    '',
    ...createList(
      listParameters(tool.input, tool.parameterHints).map((parameter) => `${toLabel(parameter)}: ${parameter.text}`),
    ),
    ...createList(errors.map(formatError)),
    ...createData(tool),
    ...examples.flatMap(({ what, params }) => [
      `${what}:`,
      '',
      '```sh',
      `switchboard call ${name} '${JSON.stringify(params).replaceAll("'", "'\\''")}'`,
      '```',
      '',
    ]),
  ]
}

function createData({ data }: ToolDeclaration): string[] {
  if (data === undefined) return []
  const type = showType(data)
  return type.includes('\n') ? ['Answers with:', '', ...fence(type)] : [`Answers with \`${type}\`.`, '']
}

/** As a reader wants it: what a result may leave out is marked by `?` alone. */
function showType(schema: JsonObject): string {
  return schemaToType(schema, { defaultsAreThere: false }).replaceAll('readonly ', '').replaceAll(' | undefined', '')
}

function fence(text: string): string[] {
  return ['```ts', ...text.split('\n'), '```', '']
}

function toLabel({ name, required }: ParameterHelp): string {
  return `\`${name}\`${required ? '*' : ''}`
}

function createList(items: readonly string[]): string[] {
  return items.length === 0 ? [] : [...items.map((item) => `- ${item}`), '']
}

function row(...cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replace(/\s+/g, ' ')).join(' | ')} |`
}
