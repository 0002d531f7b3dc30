/** What `switchboard help <tool>` prints. */
import type { ToolDeclaration } from '../manifest/tool-declaration.ts'
import { labelOf } from '../run/describe-tool.ts'
import type { PackSource } from './read-pack.ts'
import { describeSafety, listParameters } from './tool-document.ts'

/** Of every tool of a pack by its name. */
export function createHelpTexts({ tools }: PackSource): Record<string, string> {
  return Object.fromEntries(tools.map(({ declaration }) => [declaration.name, createToolHelp(declaration)]))
}

export function createToolHelp(tool: ToolDeclaration): string {
  const { name, summary, description, whenToUse, aliases, requires, errors, next, examples } = tool
  const parameters = listParameters(tool.input)
  const width = Math.max(0, ...parameters.map((parameter) => parameter.name.length))
  const codeWidth = Math.max(0, ...errors.map(({ code }) => code.length))
  const lines = [
    `${name}: ${summary}`,
    ...(description === undefined ? [] : ['', description]),
    ...(whenToUse === undefined ? [] : ['', whenToUse]),
    ...section(
      'Parameters',
      parameters.map(
        (parameter) =>
          `${parameter.name.padEnd(width)}  ${parameter.label.endsWith('*') ? 'required: ' : ''}${parameter.text}`,
      ),
    ),
    ...section('Needs', requires.map(labelOf)),
    ...section(
      'Errors',
      errors.map(({ code, hint }) => `${code.padEnd(codeWidth)}  ${hint}`),
    ),
    ...section(
      'Examples',
      examples.map(({ what, params }) => `switchboard call ${name} '${JSON.stringify(params)}'  # ${what}`),
    ),
    ...section('Next', next),
    ...section('Also called', aliases),
    '',
    `${describeSafety(tool.safety)}; at most ${tool.timeoutMs} ms`,
  ]
  return `${lines.join('\n')}\n`
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', `${title}:`, ...lines.map((line) => `  ${line}`)]
}
