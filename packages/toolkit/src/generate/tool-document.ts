/** The page about a pack's tools: one table for each category, then the tools one by one. */
import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import { isRequirementName, REQUIREMENTS } from '../manifest/requirements.ts'
import type { Safety, ToolDeclaration } from '../manifest/tool-declaration.ts'
import { describeSchema } from '../run/describe-schema.ts'
import { labelOf } from '../run/describe-tool.ts'
import type { PackSource } from './read-pack.ts'

export function createToolDocument({ name, directory, tools, guides }: PackSource): string {
  const declarations = tools.map(({ declaration }) => declaration)
  const categories = Map.groupBy(declarations, ({ category }) => category)
  return [
    `# The tools of the pack ${name}`,
    '',
    `<!-- Generated from the *.meta.yaml files in ${directory}. Do not edit. -->`,
    '',
    'Parameters with a star are required. Every tool may also fail with `E_INVALID_PARAMS`, `E_TIMEOUT`, `E_CANCELLED`,',
    'and with `E_INTERNAL`, which is a bug of ours. A code with a circular arrow (↻) may go away by itself.',
    '',
    ...[...categories].flatMap(([category, members]) => createCategory(category, members)),
    ...(guides.length === 0
      ? []
      : ['## Guides', '', ...guides.map(({ id, title, summary }) => `- \`${id}\`: ${title}. ${summary}`), '']),
  ].join('\n')
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
      .map(({ label }) => label)
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
  const { name, aliases, description, whenToUse, timeoutMs, next, errors, examples } = tool
  const facts = [
    `${tool.result}, at most ${timeoutMs} ms`,
    ...(aliases.length === 0 ? [] : [`also called ${aliases.map((alias) => `\`${alias}\``).join(', ')}`]),
    ...(next.length === 0 ? [] : [`next: ${next.map((other) => `\`${other}\``).join(', ')}`]),
  ]
  return [
    `### ${name}`,
    '',
    description ?? tool.summary,
    '',
    ...(whenToUse === undefined ? [] : [whenToUse, '']),
    `${facts.join('; ')}.`,
    '',
    ...createList(listParameters(tool.input).map(({ label, text }) => `${label}: ${text}`)),
    ...createList(errors.map(({ code, hint }) => `\`${code}\`: ${hint}`)),
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

export interface ListedParameter {
  readonly name: string
  readonly label: string
  readonly text: string
}

export function listParameters(input: JsonObject): ListedParameter[] {
  const properties = isJsonObject(input.properties) ? input.properties : {}
  const required = Array.isArray(input.required) ? input.required : []
  return Object.entries(properties).map(([name, schema]) => {
    const property = isJsonObject(schema) ? schema : {}
    const fallback = property.default === undefined ? '' : `, default ${JSON.stringify(property.default)}`
    const note = typeof property.description === 'string' ? `; ${property.description}` : ''
    return {
      name,
      label: `\`${name}\`${required.includes(name) ? '*' : ''}`,
      text: `${describeSchema(property)}${fallback}${note}`,
    }
  })
}

export function describeSafety({ readOnly, destructive, idempotent }: Safety): string {
  return [
    readOnly ? 'reads only' : 'changes',
    ...(destructive ? ['destructive'] : []),
    ...(idempotent ? ['idempotent'] : []),
  ].join(', ')
}

function createList(items: readonly string[]): string[] {
  return items.length === 0 ? [] : [...items.map((item) => `- ${item}`), '']
}

function row(...cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replace(/\s+/g, ' ')).join(' | ')} |`
}
