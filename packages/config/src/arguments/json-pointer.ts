/** The steps of a JSON pointer: `/edits/1/a~1b`. */
export function readPointer(pointer: string): string[] {
  if (pointer === '') return []
  return pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** Undefined where there is nothing, or only something inherited. */
export function valueAt(root: unknown, steps: readonly string[]): unknown {
  let here = root
  for (const step of steps) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, step)) return undefined
    here = Reflect.get(here, step)
  }
  return here
}
