import { WrongArguments } from '@switchboard/toolkit'

/** How much fits into one call. Declarations repeat these numbers for agents to read; a test holds them against this table. */
export const LIMITS = {
  summary: 500,
  description: 5_000,
  errorMessage: 10_000,
  stackTrace: 50_000,
  tags: 20,
  tag: 50,
  query: 1_000,
  contextKeys: 50,
  contextValue: 1_000,
  skillName: 200,
  skillDescription: 2_000,
  skillContent: 50_000,
  results: 100,
} as const

/** What a schema cannot say: how many members an object with free names has. */
export function checkContext(context: Readonly<Record<string, unknown>>): void {
  const keys = Object.keys(context)
  if (keys.length > LIMITS.contextKeys) {
    throw new WrongArguments([
      { field: 'context', problem: `must have at most ${LIMITS.contextKeys} keys, not ${keys.length}` },
    ])
  }
  const long = keys.find((key) => key.length > LIMITS.contextValue)
  if (long !== undefined) {
    throw new WrongArguments([{ field: 'context', problem: `has a key of ${long.length} characters` }])
  }
}

/** What nobody could find again, or would want to. */
export function checkSaid(texts: Readonly<Record<string, string>>): void {
  const blank = Object.entries(texts).flatMap(([field, text]) =>
    text.trim() === '' ? [{ field, problem: 'must say something, not only blanks' }] : [],
  )
  if (blank.length > 0) throw new WrongArguments(blank)
}
