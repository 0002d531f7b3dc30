import type { ToolOutcome } from '@switchboard/toolkit'
import type { LensParseData, LensParseParams } from '../generated/types.ts'
import type { Context } from '../host.ts'

const MAX_SYMBOLS = 500

/** Nothing is stored, and no file is read: the path only says what it would be. */
export async function run(
  { path, text }: LensParseParams,
  { host, signal }: Context,
): Promise<ToolOutcome<LensParseData>> {
  const { language, symbols, references, problems } = await host.index.read(
    'parse',
    [path.replaceAll('\\', '/'), text],
    signal,
  )
  const told = problems.map(({ code, severity, line, column, message, expected, hint }) => ({
    ...{ code, severity, line, column, message },
    ...(expected === undefined ? {} : { expected }),
    ...(hint === undefined ? {} : { hint }),
  }))
  const lines = told.map(({ code, severity, line, column, message, expected }) => {
    const wanted = expected === undefined ? '' : ` Expected: ${expected}.`
    return `${line}:${column} ${severity} ${code}: ${message}${wanted}`
  })
  return {
    data: {
      language,
      symbols: symbols.slice(0, MAX_SYMBOLS).map(({ name, kind, line, endLine }) => ({ name, kind, line, endLine })),
      symbolCount: symbols.length,
      referenceCount: references.length,
      problems: told,
    },
    text: [
      `${language}: ${symbols.length} symbols, ${references.length} references, ${problems.length} problems`,
      ...lines,
    ].join('\n'),
  }
}
