import type { PlaysetDefinition, PlaysetFile } from '../conflicts/conflict.ts'
import type { PlaysetIndex } from '../conflicts/playset-index.ts'
import { carryVariables } from './carried-variables.ts'

/** The game wants it before texts, and takes it before script. */
export const MARK = '\ufeff'

export function definitionText(definition: PlaysetDefinition, index: PlaysetIndex): string {
  const bytes = index.readBytes(definition)
  return bytes === undefined ? '' : Buffer.from(bytes.subarray(definition.start, definition.end)).toString()
}

export function describe({ layer, path, line }: PlaysetFile & Partial<PlaysetDefinition>, index: PlaysetIndex): string {
  return `${index.layers[layer]?.name ?? '?'}: ${path}${line === undefined ? '' : ` line ${line}`}`
}

export function asComment(text: string, indentation: string): string {
  return text
    .split('\n')
    .map((line) => `${indentation}# ${line.trimEnd()}`.trimEnd())
    .join('\n')
    .concat('\n')
}

/** A file of script: comments above, the variables that the bodies need, the bodies. */
export function writeScript(
  index: PlaysetIndex,
  bodies: readonly { readonly of: PlaysetDefinition; readonly text: string }[],
  alsoFrom: readonly PlaysetDefinition[],
  comments: readonly string[],
): { content: string } {
  const text = bodies.map((body) => body.text).join('\n\n')
  const sources = [...bodies.map(({ of }) => of), ...alsoFrom].flatMap((of) => {
    const file = index.readBytes(of)
    const variables = index.symbolsOf(of).filter(({ kind }) => kind === 'variable')
    return file === undefined ? [] : [{ text, variables, file }]
  })
  const { lines, clashing } = carryVariables(sources)
  const warnings = clashing.map((name) => `${name} has another value in another of the files: the first is taken`)
  const head = [...comments, ...warnings].map((comment) => asComment(comment, '')).join('')
  const variables = lines.length === 0 ? '' : `${lines.join('\n')}\n\n`
  return { content: `${MARK}${head}${variables}${text}\n` }
}
