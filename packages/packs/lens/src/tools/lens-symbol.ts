import type { ToolOutcome } from '@switchboard/toolkit'
import { cutLine, describeIndex } from '../answers/describe-index.ts'
import { explainNothing } from '../answers/explain-nothing.ts'
import type { LensSymbolData, LensSymbolParams, NotFound } from '../generated/types.ts'
import { type Context, scopeOf } from '../host.ts'
import type { SymbolResult } from '../thread/reader/symbols.ts'

const MAX_LINE = 160

export async function run(
  { name, kind, path, limit }: LensSymbolParams,
  context: Context,
): Promise<ToolOutcome<LensSymbolData>> {
  const { host, signal } = context
  const scope = await scopeOf(context)
  const found = await host.index.read('symbol', [{ name, scope, kind, path, limit }], signal)
  const notFound = found.definitionCount > 0 ? undefined : explain(name, found)
  const { about, definitions, definitionCount, references, referenceCount, callerCount } = found
  return {
    data: {
      index: about,
      definitions: [...definitions],
      definitionCount,
      references: [...references],
      referenceCount,
      callCount: callerCount,
      ...(notFound === undefined ? {} : { notFound }),
    },
    text: describe(found, notFound),
  }
}

function explain(name: string, { about, referenceCount, otherCase }: SymbolResult): NotFound {
  if (otherCase.length > 0) {
    return { reason: 'other_case', message: `"${name}" is not defined; these are: ${otherCase.join(', ')}.` }
  }
  if (referenceCount > 0 && about.completeness === 'complete') {
    return {
      reason: 'only_referenced',
      message: `"${name}" is used here and defined in no indexed file of this folder.`,
    }
  }
  return explainNothing(`A definition of "${name}"`, about)
}

function describe(found: SymbolResult, notFound: NotFound | undefined): string {
  const { about, definitions, definitionCount, references, referenceCount, callerCount } = found
  const more = (shown: number, total: number): string[] =>
    total > shown ? [`  … ${total - shown} more: give limit`] : []
  return [
    ...(notFound === undefined ? [`definitions: ${definitionCount}`] : [notFound.message]),
    ...definitions.map(({ kind, name, path, line, endLine, detail, within }) => {
      const inside = within === undefined ? '' : ` in ${within}`
      return cutLine(
        `  ${kind} ${name}${inside} ${path}:${line}-${endLine}${detail === undefined ? '' : ` ${detail}`}`,
        MAX_LINE,
      )
    }),
    ...more(definitions.length, definitionCount),
    ...(referenceCount === 0
      ? ['references: 0 by this name']
      : [`references: ${referenceCount} by this name, ${callerCount} of them calls`]),
    ...references.map(
      ({ path, line, within, isCall }) =>
        `  ${path}:${line}${within === undefined ? '' : ` in ${within}`}${isCall ? ' (call)' : ''}`,
    ),
    ...more(references.length, referenceCount),
    describeIndex(about, definitions.filter(({ stale }) => stale).length),
  ].join('\n')
}
