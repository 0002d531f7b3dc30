// Runs a program as an older Node would: without what came later. argv: the version to show (or -), the program, its arguments.

const [version, program, ...args] = process.argv.slice(2)
delete process.execve
if (version !== '-') {
  Object.defineProperty(process, 'versions', { value: { ...process.versions, node: version } })
  const later = [
    [Promise, 'withResolvers', 'try'],
    [Map, 'groupBy'],
    [Object, 'groupBy'],
    [Array, 'fromAsync'],
    [RegExp, 'escape'],
    [Set.prototype, 'union', 'intersection', 'difference', 'symmetricDifference', 'isSubsetOf', 'isSupersetOf'],
    [globalThis, 'Iterator', 'WebSocket', 'navigator'],
    [
      Object.getPrototypeOf(Object.getPrototypeOf([].values())),
      'map',
      'filter',
      'some',
      'every',
      'find',
      'toArray',
      'take',
    ],
  ]
  for (const [owner, ...names] of later) for (const name of names) delete owner[name]
}
process.argv.splice(1, 2 + 1, program)
process.argv.splice(2, process.argv.length, ...args)
await import(program)
