/**
 * Where a text is wrong that could not be compiled. Such an error has no frame of its own: on its stack are the loader, and
 * whoever asked for the file. The runtime knows the place; of TypeScript, which is not the runtime's, the error begins with it.
 */
import type { Place } from '../engine/debug-session.ts'
import type { InspectorTarget } from './inspector-target.ts'
import type { RemoteObject } from './protocol.ts'
import { urlToPath } from './script-table.ts'

/** Undefined: it is no error of syntax, or one of a text that is no file. */
export async function findSyntaxPlace(target: InspectorTarget, error: RemoteObject): Promise<Place | undefined> {
  const { objectId, className } = error
  if (className !== 'SyntaxError' || objectId === undefined) return undefined
  const { exceptionDetails } = await target.client.request('Runtime.getExceptionDetails', { errorObjectId: objectId })
  if (exceptionDetails?.scriptId !== undefined) {
    const { scriptId, lineNumber = 0, columnNumber = 0 } = exceptionDetails
    // Where it was thrown, such as by JSON.parse, is no script that failed.
    const place = target.scripts.toFailedPlace({ scriptId, lineNumber, columnNumber })
    if (place !== undefined) return place
  }
  const { result } = await target.client.request('Runtime.callFunctionOn', {
    functionDeclaration: 'function () { return this.stack }',
    objectId,
    silent: true,
    returnByValue: true,
  })
  return typeof result.value === 'string' ? readHeading(result.value) : undefined
}

const MAX_HEADING = 20

/** `file:///app/bad.ts:2`, lines of source, and one that has nothing but a caret. */
export function readHeading(stack: string): Place | undefined {
  const [first = '', ...lines] = stack.split('\n', MAX_HEADING)
  const [, url = '', line] = /^(.{1,4096}):(\d{1,9})$/.exec(first) ?? []
  const path = urlToPath(url) ?? (/^(?:\/|[A-Za-z]:[\\/])/.test(url) ? url : undefined)
  const caret = lines.find((text) => /^\s*\^/.test(text))
  if (path === undefined || caret === undefined) return undefined
  return { path, line: Number(line), column: caret.indexOf('^') + 1 }
}
