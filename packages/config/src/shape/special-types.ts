/** The few text types with a rule of their own that more than one owner needs. */
import { GLOB_PATTERN } from '@switchboard/protocol/naming'
import { type FieldType, textType } from './field-types.ts'

/** The operating system ends a text at its first zero. */
export function withoutZero(whenEmpty?: string): (text: string) => string | undefined {
  return (text) => {
    if (text.includes('\0')) return 'holds a zero character'
    return text.trim() === '' ? whenEmpty : undefined
  }
}

export const globType: FieldType<string> = textType({
  expected: 'a tool name in which * stands for any characters and ? for one; no other pattern signs',
  short: 'glob',
  pattern: GLOB_PATTERN,
})
