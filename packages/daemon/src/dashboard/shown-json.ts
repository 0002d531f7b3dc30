/**
 * JSON for the page. Names, descriptions, results and log lines come from servers, which may put anything into them: characters
 * that nobody sees are written out, escape sequences with them, and a text that is longer than anybody reads is cut, with the
 * number of what is left out. HTML needs no care here: the page never makes any from a text.
 */
import { showHidden } from '@switchboard/base'

const MOST_CHARACTERS = 20_000
/** JSON inside of JSON, which was bounded where it was made: what is written out in it is an escape of JSON, and means the same. */
const WHOLE: ReadonlySet<string> = new Set(['schema', 'result'])
const MOST_OF_WHOLE = 300_000
/** Letters and digits that were looked at where they were taken. */
const PICTURE = 'dataUrl'

export function showText(text: string, most: number = MOST_CHARACTERS): string {
  if (text.length <= most) return showHidden(text)
  return `${showHidden(text.slice(0, most))} … (${text.length - most} more characters)`
}

export function toShownJson(value: unknown): string {
  return JSON.stringify(value, (key, part: unknown) =>
    typeof part !== 'string' || key === PICTURE
      ? part
      : showText(part, WHOLE.has(key) ? MOST_OF_WHOLE : MOST_CHARACTERS),
  )
}
